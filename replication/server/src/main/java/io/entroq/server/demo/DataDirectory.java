package io.entroq.server.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the demo's log is: a directory of the user's, or a temporary one. For one thread. */
final class DataDirectory {
  private final Path path;
  private final boolean isTemporary;

  private DataDirectory(Path path, boolean isTemporary) {
    this.path = path;
    this.isTemporary = isTemporary;
  }

  /** Takes the given directory, which need not exist, or makes a temporary one. */
  static DataDirectory choose(Optional<Path> given) {
    if (given.isPresent()) {
      return new DataDirectory(given.get().toAbsolutePath().normalize(), false);
    }
    try {
      return new DataDirectory(Files.createTempDirectory("entroq-demo-"), true);
    } catch (IOException e) {
      throw new DemoException(
          "Cannot make a temporary directory: %s. Name one with --data.".formatted(e), e);
    }
  }

  Path path() {
    return path;
  }

  /** The path without links, once the directory exists. */
  Path realPath() {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw new DemoException("Cannot read the data directory " + path + ": " + e, e);
    }
  }

  boolean isTemporary() {
    return isTemporary;
  }

  /** Removes the directory and all that is in it. */
  void remove() {
    try (Stream<Path> entries = Files.walk(path)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    } catch (IOException e) {
      throw new DemoException("Cannot remove the data directory " + path + ": " + e, e);
    }
  }
}
