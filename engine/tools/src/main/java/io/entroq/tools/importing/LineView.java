package io.entroq.tools.importing;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Prints a line after two seconds and then every ten, for a file or a pipe. */
final class LineView implements ImportView {
  private static final long FIRST_NS = Duration.ofSeconds(2).toNanos();
  private static final long LATER_NS = Duration.ofSeconds(10).toNanos();

  /** Reading the clock more often is too expensive. */
  private static final int ITEMS_BETWEEN_CHECKS = 100;

  private final PrintWriter err;
  private final LongSupplier nanoTime;
  private String doing = "";
  private long beginNs;
  private long nextNs;
  private long nextCheck;

  LineView(PrintWriter err, LongSupplier nanoTime) {
    this.err = err;
    this.nanoTime = nanoTime;
  }

  @Override
  public void at(String what, long done, long total) {
    boolean isNew = !what.equals(doing);
    if (!isNew && done < nextCheck && done != total) {
      return;
    }
    long nowNs = nanoTime.getAsLong();
    if (isNew) {
      doing = what;
      beginNs = nowNs;
      nextNs = nowNs + FIRST_NS;
    }
    nextCheck = done + ITEMS_BETWEEN_CHECKS;
    if (nowNs - nextNs >= 0) {
      nextNs = nowNs + LATER_NS;
      double seconds = (nowNs - beginNs) / 1e9;
      err.printf("%s: %,d of %,d, %,.0f/s%n", what, done, total, done / seconds);
      err.flush();
    }
  }
}
