package io.entroq.perf.callers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The ceiling of one caller at {@code disk}: a record appended to a file and forced. */
final class ForcedWrites implements AutoCloseable {
  private static final int RECORD_BYTES = 200;

  private final FileChannel file;
  private final ByteBuffer record = ByteBuffer.allocateDirect(RECORD_BYTES);

  ForcedWrites(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Appends and forces records for a while. */
  double perSecond(double seconds) throws IOException {
    long startNs = System.nanoTime();
    long endNs = startNs + (long) (seconds * 1e9);
    long forces = 0;
    while (System.nanoTime() - endNs < 0) {
      record.clear();
      file.write(record);
      file.force(false);
      forces++;
    }
    return forces * 1e9 / (System.nanoTime() - startNs);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
