package io.entroq.server.demo.report;

import java.io.PrintWriter;
import java.time.Duration;

/** A line for each 10 % of the tasks, and at least every few seconds. */
final class LineProgress implements Progress {
  private static final long INTERVAL_NANOS_MAX = Duration.ofSeconds(3).toNanos();

  private final PrintWriter err;
  private long tenths = -1;
  private long lastNanos;

  LineProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void show(long committed, long total, String phase, String stages) {
    long now = System.nanoTime();
    long tenthsNow = 10 * committed / total;
    if (tenthsNow > tenths || now - lastNanos > INTERVAL_NANOS_MAX) {
      tenths = tenthsNow;
      lastNanos = now;
      err.printf(
          "%3d %%: %,d of %,d tasks committed (%s)%n",
          100 * committed / total, committed, total, stages);
      err.flush();
    }
  }

  @Override
  public void close() {}
}
