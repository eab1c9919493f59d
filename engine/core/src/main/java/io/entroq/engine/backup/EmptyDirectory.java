package io.entroq.engine.backup;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks and creates empty target directories. */
public final class EmptyDirectory {
  /** Exists in the root of some file systems. */
  private static final String LOST_AND_FOUND = "lost+found";

  private EmptyDirectory() {}

  /**
   * Throws {@link LogException} if the directory exists and is not empty.
   *
   * @param what beginning of the message
   */
  public static void require(Path directory, String what) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw refuse(directory, what, "it is not a directory");
    }
    try {
      Optional<Path> first = Files.exists(directory) ? firstIn(directory) : Optional.empty();
      if (first.isPresent()) {
        throw refuse(directory, what, "it contains " + first.get().getFileName());
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot list %s: %s".formatted(directory, FileErrors.describe(e)), e);
    }
  }

  private static Optional<Path> firstIn(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries
          .filter(entry -> !entry.getFileName().toString().equals(LOST_AND_FOUND))
          .findFirst();
    }
  }

  private static LogException refuse(Path directory, String what, String why) {
    return LogException.error(
        "%s in %s: %s. Choose a directory that does not exist or is empty."
            .formatted(what, directory.toAbsolutePath(), why));
  }

  /** Throws {@link LogException} if one directory is inside the other. */
  public static void requireApart(Path source, Path target) {
    Path from = real(source);
    Path to = real(target);
    if (from.startsWith(to) || to.startsWith(from)) {
      throw LogException.error(
          "Neither %s nor %s may be inside the other. Choose another directory."
              .formatted(source.toAbsolutePath(), target.toAbsolutePath()));
    }
  }

  /** The real path, as far as it exists. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      Path parent = absolute.getParent();
      return parent == null ? absolute : real(parent).resolve(absolute.getFileName());
    }
  }

  /** Creates a directory and its missing parents, on the disk when this returns. */
  static void create(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    if (!Files.isDirectory(absolute)) {
      create(absolute.getParent());
      Files.createDirectory(absolute);
      LogDirectory.force(absolute.getParent());
    }
  }

  /** Removes everything in a directory. */
  public static void clear(Path directory) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entries::add);
    }
    for (Path entry : entries) {
      if (Files.isDirectory(entry)) {
        clear(entry);
      }
      Files.delete(entry);
    }
  }
}
