package io.entroq.server.log;

import java.time.Duration;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on the error output for what takes longer than a second, if somebody sees it. */
final class ReadingProgress implements AutoCloseable {
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long MIB = 1 << 20;

  /** Looking at the clock more often costs more than it tells. */
  private static final long STEP_BYTES = 1 << 18;

  private final String what;
  private final long totalBytes;
  private final long startNanos = System.nanoTime();
  private final boolean isWatched;
  private ProgressBar bar;
  private long nextBytes;

  /**
   * @param totalBytes less than 0 if that is not known: then the bar is there at once and says for
   *     how long
   */
  ReadingProgress(String what, long totalBytes, boolean isWatched) {
    this.what = what;
    this.totalBytes = totalBytes;
    this.isWatched = isWatched;
  }

  /** So many bytes are done. */
  void at(long bytes) {
    if (!isWatched || bytes < nextBytes) {
      return;
    }
    nextBytes = bytes + STEP_BYTES;
    boolean isLate = totalBytes < 0 || System.nanoTime() - startNanos > QUIET_NANOS;
    if (bar == null && isLate) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(what)
              .setInitialMax(totalBytes)
              .setUnit(" MiB", MIB)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(System.err))
              .build();
    }
    if (bar != null) {
      bar.stepTo(bytes);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
