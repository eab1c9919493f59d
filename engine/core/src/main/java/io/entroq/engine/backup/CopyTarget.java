package io.entroq.engine.backup;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Set;

/** Creates files in a directory and forces them and their directories. Not thread-safe. */
final class CopyTarget {
  private final Path directory;
  private final Forcer forcer;
  private final Set<Path> directories = new LinkedHashSet<>();

  CopyTarget(Path directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /**
   * Creates a file and its directories; their names are on the disk after {@link #forceNames}.
   *
   * @param path relative to the directory
   */
  FileChannel create(String path) throws IOException {
    Path file = directory.resolve(path);
    createDirectories(file.getParent());
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Forces the bytes of a file. */
  void force(String path, FileChannel channel) throws IOException {
    forcer.force(directory.resolve(path).toString(), () -> channel.force(true));
  }

  /** Creates directories one by one, to remember which to force. */
  private void createDirectories(Path inside) throws IOException {
    if (!directories.contains(inside)) {
      if (!inside.equals(directory)) {
        createDirectories(inside.getParent());
      }
      Files.createDirectories(inside);
      directories.add(inside);
    }
  }

  /** Forces the names of everything created. */
  void forceNames() throws IOException {
    for (Path each : directories) {
      forcer.force(each.toString(), () -> LogDirectory.force(each));
    }
  }
}
