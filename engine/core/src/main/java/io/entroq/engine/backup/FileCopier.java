package io.entroq.engine.backup;

import io.entroq.engine.log.DataFile;
import io.entroq.engine.log.Forcer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Copies files from one directory to another under the same names, and forces them. Single use; not
 * thread-safe.
 */
final class FileCopier {
  private static final int BUFFER_BYTES = 1 << 20;

  private final Path from;
  private final CopyTarget to;
  private final BackupProgress progress;
  private final long totalBytes;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private long doneBytes;

  /**
   * @param totalBytes total size of all files, for the progress
   */
  FileCopier(Path from, Path to, Forcer forcer, BackupProgress progress, long totalBytes) {
    this.from = from;
    this.to = new CopyTarget(to, forcer);
    this.progress = progress;
    this.totalBytes = totalBytes;
  }

  /**
   * Copies the first bytes of a file. Its name is on the disk after {@link #forceNames}.
   *
   * @param path relative to both directories
   * @throws EOFException if the file is shorter
   */
  CopiedFile copy(String path, long bytes) throws IOException {
    CRC32C crc = new CRC32C();
    try (FileChannel out = to.create(path);
        FileChannel in = DataFile.openToRead(from.resolve(path))) {
      for (long done = 0; done < bytes; ) {
        done += copyBuffer(in, out, crc, bytes - done);
      }
      to.force(path, out);
    }
    return new CopiedFile(path, bytes, (int) crc.getValue());
  }

  private int copyBuffer(FileChannel in, FileChannel out, CRC32C crc, long bytesMax)
      throws IOException {
    buffer.clear().limit((int) Math.min(BUFFER_BYTES, bytesMax));
    int count = in.read(buffer);
    if (count <= 0) {
      throw new EOFException("the file is shorter than it was");
    }
    crc.update(buffer.flip());
    buffer.rewind();
    while (buffer.hasRemaining()) {
      out.write(buffer);
    }
    doneBytes += count;
    progress.at("copying", doneBytes, totalBytes);
    return count;
  }

  /** Forces the names of all copied files. */
  void forceNames() throws IOException {
    to.forceNames();
  }
}
