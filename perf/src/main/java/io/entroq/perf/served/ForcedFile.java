package io.entroq.perf.served;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The least work that level {@code disk} requires: a thread appends bytes to a file and forces
 * them, and each force covers all that has arrived by its start.
 */
final class ForcedFile {
  private static final int WRITE_BYTES_MAX = 1 << 20;

  private final FileChannel file;
  private final ByteBuffer zeros = ByteBuffer.allocateDirect(WRITE_BYTES_MAX);
  private List<Runnable> waiting = new ArrayList<>();
  private long bytes;

  private ForcedFile(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Creates the file, and the thread that forces it until this process ends. */
  static ForcedFile create(Path path) throws IOException {
    ForcedFile created = new ForcedFile(path);
    Thread thread = new Thread(created::run, "force");
    thread.setDaemon(true);
    thread.start();
    return created;
  }

  /**
   * Appends bytes. Any thread.
   *
   * @param whenForced called on the forcing thread
   */
  synchronized void append(int bytes, Runnable whenForced) {
    this.bytes += bytes;
    waiting.add(whenForced);
    notifyAll();
  }

  private void run() {
    while (true) {
      long length;
      List<Runnable> covered;
      synchronized (this) {
        awaitSome();
        covered = waiting;
        length = bytes;
        waiting = new ArrayList<>();
        bytes = 0;
      }
      force(length);
      covered.forEach(Runnable::run);
    }
  }

  private synchronized void awaitSome() {
    try {
      while (waiting.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException("nothing interrupts this thread", e);
    }
  }

  private void force(long length) {
    try {
      for (long left = length; left > 0; left -= zeros.limit()) {
        zeros.clear().limit((int) Math.min(left, WRITE_BYTES_MAX));
        while (zeros.hasRemaining()) {
          file.write(zeros);
        }
      }
      file.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
