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

/** A directory that files are copied to, with all that has to be forced of it. One thread. */
final class CopyTarget {
  private final Path directory;
  private final Forcer forcer;
  private final Set<Path> directories = new LinkedHashSet<>();

  CopyTarget(Path directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /**
   * Makes a file, and the directories that it lies in; their names are not on the disk before
   * {@link #forceNames}.
   *
   * @param path as seen from the directory
   */
  FileChannel create(String path) throws IOException {
    Path file = directory.resolve(path);
    createDirectories(file.getParent());
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Has the bytes of a file on the disk. */
  void force(String path, FileChannel channel) throws IOException {
    forcer.force(directory.resolve(path).toString(), () -> channel.force(true));
  }

  /** Every directory from the target down, for their names are to be forced. */
  private void createDirectories(Path inside) throws IOException {
    if (!directories.contains(inside)) {
      if (!inside.equals(directory)) {
        createDirectories(inside.getParent());
      }
      Files.createDirectories(inside);
      directories.add(inside);
    }
  }

  /** Has the names of all that was made on the disk. */
  void forceNames() throws IOException {
    for (Path each : directories) {
      forcer.force(each.toString(), () -> LogDirectory.force(each));
    }
  }
}
