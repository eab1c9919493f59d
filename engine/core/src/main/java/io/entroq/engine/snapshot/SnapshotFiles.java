package io.entroq.engine.snapshot;

import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.FreeSpace;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Every disk operation of this package, so that tests can make one fail. */
class SnapshotFiles {
  private final Forcer forcer;

  SnapshotFiles(Forcer forcer) {
    this.forcer = forcer;
  }

  void createDirectory(Path directory) throws IOException {
    Files.createDirectory(directory);
  }

  FileChannel create(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  void force(Path file, FileChannel channel) throws IOException {
    forcer.force(file.toString(), () -> channel.force(true));
  }

  /** Forces a file written earlier, perhaps by another process. */
  void force(Path file) throws IOException {
    try (FileChannel channel = DataFile.open(file, StandardOpenOption.WRITE)) {
      force(file, channel);
    }
  }

  void forceDirectory(Path directory) throws IOException {
    forcer.force(directory.toString(), () -> LogDirectory.force(directory));
  }

  void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Links a file, or copies and forces it where that is not possible. */
  void share(Path file, Path to) throws IOException {
    try {
      Files.createLink(to, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(file, to);
      force(to);
    }
  }

  void delete(Path file) throws IOException {
    Files.delete(file);
  }

  long usableBytes(Path directory) {
    return FreeSpace.usableBytes(directory);
  }
}
