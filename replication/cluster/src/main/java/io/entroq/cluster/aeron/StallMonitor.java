package io.entroq.cluster.aeron;

import io.aeron.driver.DutyCycleTracker;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Tells of the stalls of one of a member's threads: of one at once, and of those that follow within
 * ten seconds together with the next one after that. Called by that thread between two steps.
 */
public class StallMonitor extends DutyCycleTracker {
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(10);

  private final String thread;
  private final long thresholdNs;
  private final LongSupplier nanoTime;
  private final Consumer<String> told;
  private boolean hasBegun;
  private boolean hasTold;
  private long lastNs;
  private long toldNs;
  private long untold;
  private long untoldMaxNs;
  private long stallNs;
  private long stalledNs;

  /**
   * A watch of one thread.
   *
   * @param thread which one, for people
   * @param thresholdNs a step that takes as long, with the pause before it, is a stall
   * @param nanoTime as {@link System#nanoTime} tells time
   * @param told hears of it
   */
  public StallMonitor(
      String thread, long thresholdNs, LongSupplier nanoTime, Consumer<String> told) {
    this.thread = thread;
    this.thresholdNs = thresholdNs;
    this.nanoTime = nanoTime;
    this.told = told;
  }

  /** A step has ended. The clock of the thread itself may be one that is drawn to another. */
  @Override
  public void reportMeasurement(long durationNs) {
    long nowNs = nanoTime.getAsLong();
    if (hasBegun && nowNs - lastNs >= thresholdNs) {
      stalled(nowNs);
    }
    hasBegun = true;
    lastNs = nowNs;
  }

  private void stalled(long nowNs) {
    stallNs = nowNs - lastNs;
    stalledNs = nowNs;
    if (hasTold && nowNs - toldNs < QUIET_NS) {
      untold++;
      untoldMaxNs = Math.max(untoldMaxNs, stallNs);
      return;
    }
    String others =
        untold == 0
            ? ""
            : "; and %,d times more since it was told last, for up to %,d ms"
                .formatted(untold, TimeUnit.NANOSECONDS.toMillis(untoldMaxNs));
    hasTold = true;
    toldNs = nowNs;
    untold = 0;
    untoldMaxNs = 0;
    tell(
        "has had its %s stand still for %,d ms%s"
            .formatted(thread, TimeUnit.NANOSECONDS.toMillis(stallNs), others));
  }

  /** How long the stall lasted that ended within the time before now; 0: there was none. */
  final long stallWithin(long beforeNs, long nowNs) {
    return stallNs > 0 && nowNs - stalledNs <= beforeNs ? stallNs : 0;
  }

  final long nanoTime() {
    return nanoTime.getAsLong();
  }

  final void tell(String text) {
    told.accept(text);
  }
}
