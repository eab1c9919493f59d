package io.entroq.tools.terminal;

import java.time.Duration;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A bar on the error output for what takes longer than a second, if somebody sees it. For one
 * thread.
 */
public final class WaitBar implements AutoCloseable {
  private static final long QUIET_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long MIB = 1 << 20;

  /** Looking at the clock more often costs more than it tells. */
  private static final long STEP_BYTES = 1 << 18;

  /** What there is to count takes longer than a look at the clock. */
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
   * Of so many bytes, shown in mebibytes.
   *
   * @param what is being done, in a word or two
   * @param total less than 0 if that is not known: then the bar is there at once and says for how
   *     long
   * @param isWatched whether somebody sees it; if not, it does nothing
   */
  public static WaitBar ofBytes(String what, long total, boolean isWatched) {
    return new WaitBar(what, total, " MiB", MIB, STEP_BYTES, isWatched);
  }

  /**
   * Of so many things.
   *
   * @param what is being done, in a word or two
   * @param total less than 0 if that is not known: then the bar is there at once
   * @param unit what the things are, in the plural
   * @param isWatched whether somebody sees it; if not, it does nothing
   */
  public static WaitBar ofItems(String what, long total, String unit, boolean isWatched) {
    return new WaitBar(what, total, " " + unit, 1, STEP_ITEMS, isWatched);
  }

  /** So much is done. */
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
