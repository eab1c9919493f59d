package io.entroq.perf.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A directory to measure in: a temporary one, which is removed, or one of the user's, which stays.
 */
public final class ScratchDirectory implements AutoCloseable {
  private final Path path;
  private final boolean isTemporary;

  private ScratchDirectory(Path path, boolean isTemporary) {
    this.path = path;
    this.isTemporary = isTemporary;
  }

  /** A temporary one. */
  public static ScratchDirectory temporary() throws IOException {
    return new ScratchDirectory(Files.createTempDirectory("entroq-perf"), true);
  }

  /**
   * The given one, or a temporary one if none is given.
   *
   * @param given must be empty, if it exists
   */
  public static ScratchDirectory of(Optional<Path> given) throws IOException {
    if (given.isEmpty()) {
      return temporary();
    }
    Path path = Files.createDirectories(given.get());
    try (Stream<Path> entries = Files.list(path)) {
      if (entries.findAny().isPresent()) {
        throw new IllegalArgumentException(path + " is not empty; name one that is, or a new one");
      }
    }
    return new ScratchDirectory(path, false);
  }

  /** Where it is. */
  public Path path() {
    return path;
  }

  /** A directory in it, which need not exist yet. */
  public Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() throws IOException {
    if (isTemporary) {
      delete(path);
    }
  }

  private static void delete(Path root) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(root)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.delete(path);
    }
  }
}
