package io.entroq.tools.terminal;

import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A progress bar on standard error that appears after a second, if a terminal is attached. Not
 * thread-safe.
 */
public final class WaitBar implements AutoCloseable {
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long MIB = 1 << 20;

  /** Reading the clock more often is too expensive. */
  private static final long STEP_BYTES = 1 << 18;

  /** An item takes longer than reading the clock. */
  private static final long STEP_ITEMS = 1;

  private final String what;
  private final long total;
  private final String unit;
  private final long unitSize;
  private final long step;
  private final boolean isWatched;
  private final long startNanos = System.nanoTime();
  private ProgressBar bar;
  private long next;

  private WaitBar(
      String what, long total, String unit, long unitSize, long step, boolean isWatched) {
    this.what = what;
    this.total = total;
    this.unit = unit;
    this.unitSize = unitSize;
    this.step = step;
    this.isWatched = isWatched;
  }

  /**
   * Counts bytes, shown in mebibytes.
   *
   * @param what label, a word or two
   * @param total negative if unknown: the bar then appears at once and shows the elapsed time
   * @param isWatched whether a terminal is attached; if not, this does nothing
   */
  public static WaitBar ofBytes(String what, long total, boolean isWatched) {
    return new WaitBar(what, total, " MiB", MIB, STEP_BYTES, isWatched);
  }

  /**
   * Counts items.
   *
   * @param what label, a word or two
   * @param total negative if unknown: the bar then appears at once
   * @param unit name of the items, in the plural
   * @param isWatched whether a terminal is attached; if not, this does nothing
   */
  public static WaitBar ofItems(String what, long total, String unit, boolean isWatched) {
    return new WaitBar(what, total, " " + unit, 1, STEP_ITEMS, isWatched);
  }

  public void at(long done) {
    if (!isWatched || (done < next && done != total)) {
      return;
    }
    next = done + step;
    boolean isLate = total < 0 || System.nanoTime() - startNanos > QUIET_NANOS;
    if (bar == null && isLate) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(what)
              .setInitialMax(total)
              .setUnit(unit, unitSize)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(BarOutput.open())
              .build();
    }
    if (bar != null) {
      bar.stepTo(done);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
