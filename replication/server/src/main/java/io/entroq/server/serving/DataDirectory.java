package io.entroq.server.serving;

import io.entroq.engine.log.LogException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/** A data directory, chosen by the user or temporary. For one thread. */
public final class DataDirectory {
  private final Path path;
  private final boolean isTemporary;

  private DataDirectory(Path path, boolean isTemporary) {
    this.path = path;
    this.isTemporary = isTemporary;
  }

  /**
   * Uses the given directory, which need not exist, or creates a temporary one.
   *
   * @param command a command name, which becomes part of a temporary directory's name
   * @throws LogException if no temporary directory can be created
   */
  public static DataDirectory choose(Optional<Path> given, String command) {
    if (given.isPresent()) {
      return new DataDirectory(given.get().toAbsolutePath().normalize(), false);
    }
    try {
      return new DataDirectory(Files.createTempDirectory("entroq-" + command + "-"), true);
    } catch (IOException e) {
      throw LogException.error(
          "Cannot create a temporary directory: %s. Give a directory with --data.".formatted(e), e);
    }
  }

  /** The absolute path. */
  public Path path() {
    return path;
  }

  /**
   * The path with symbolic links resolved. The directory must exist.
   *
   * @throws LogException if it cannot be read
   */
  public Path realPath() {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw LogException.error("Cannot read the data directory " + path + ": " + e, e);
    }
  }

  public boolean isTemporary() {
    return isTemporary;
  }

  /**
   * Deletes the directory and its contents.
   *
   * @throws LogException if it cannot be deleted
   */
  public void remove() {
    try (Stream<Path> entries = Files.walk(path)) {
      for (Path entry : entries.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(entry);
      }
    } catch (IOException e) {
      throw LogException.error("Cannot remove the data directory " + path + ": " + e, e);
    }
  }
}
