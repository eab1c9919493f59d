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

/** The place for what is about to be made. */
final class EmptyDirectory {
  /** What a file system puts into its root by itself. */
  private static final String LOST_AND_FOUND = "lost+found";

  private EmptyDirectory() {}

  /**
   * Returns if the directory does not exist or holds nothing.
   *
   * @param what is done only there, for the message
   */
  static void require(Path directory, String what) {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw refuse(directory, what, "it is not a directory");
    }
    try {
      Optional<Path> first = Files.exists(directory) ? firstIn(directory) : Optional.empty();
      if (first.isPresent()) {
        throw refuse(directory, what, "it holds " + first.get().getFileName());
      }
    } catch (IOException e) {
      throw LogException.error(
          "Cannot look into %s: %s".formatted(directory, FileErrors.describe(e)), e);
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
        "%s only in a directory that does not exist or is empty, and %s is not: %s. Choose another."
            .formatted(what, directory.toAbsolutePath(), why));
  }

  /** Returns if neither directory lies in the other. */
  static void requireApart(Path source, Path target) {
    Path from = real(source);
    Path to = real(target);
    if (from.startsWith(to) || to.startsWith(from)) {
      throw LogException.error(
          "%s and %s must not lie in each other. Choose another directory."
              .formatted(source.toAbsolutePath(), target.toAbsolutePath()));
    }
  }

  /** The path without links, as far down as it exists. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    try {
      return absolute.toRealPath();
    } catch (IOException e) {
      Path parent = absolute.getParent();
      return parent == null ? absolute : real(parent).resolve(absolute.getFileName());
    }
  }

  /** Makes a directory and those above it, as far as they do not exist; on the disk then. */
  static void create(Path directory) throws IOException {
    Path absolute = directory.toAbsolutePath();
    if (!Files.isDirectory(absolute)) {
      create(absolute.getParent());
      Files.createDirectory(absolute);
      LogDirectory.force(absolute.getParent());
    }
  }

  /** Removes all that is in a directory that was made here. */
  static void clear(Path directory) throws IOException {
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
