package io.entroq.cluster.aeron;

import io.aeron.driver.DutyCycleTracker;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Reports stalls of one of a member's threads. After a report it counts further stalls for ten
 * seconds and adds them to the next report. Called by that thread after each duty cycle.
 */
public class StallMonitor extends DutyCycleTracker {
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(10);

  private final String thread;
  private final long thresholdNs;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;
  private boolean hasStarted;
  private boolean hasReported;
  private volatile long lastNs;
  private long reportedNs;
  private long suppressed;
  private long suppressedMaxNs;
  private long stallNs;
  private long stallEndNs;

  /**
   * @param thread the thread's name in messages
   * @param thresholdNs the shortest stall: a duty cycle together with the pause before it
   * @param nanoTime the time source, like {@link System#nanoTime}
   * @param log receives the messages
   */
  public StallMonitor(
      String thread, long thresholdNs, LongSupplier nanoTime, Consumer<String> log) {
    this.thread = thread;
    this.thresholdNs = thresholdNs;
    this.nanoTime = nanoTime;
    this.log = log;
    lastNs = nanoTime.getAsLong();
  }

  /** Uses its own time source, because the thread's clock may be a slewed one. */
  @Override
  public void reportMeasurement(long durationNs) {
    long nowNs = nanoTime.getAsLong();
    long cycleNs = nowNs - lastNs;
    if (hasStarted && cycleNs >= thresholdNs) {
      onStall(cycleNs, nowNs);
    }
    hasStarted = true;
    lastNs = nowNs;
  }

  private void onStall(long cycleNs, long nowNs) {
    stallNs = cycleNs;
    stallEndNs = nowNs;
    if (hasReported && nowNs - reportedNs < QUIET_NS) {
      suppressed++;
      suppressedMaxNs = Math.max(suppressedMaxNs, stallNs);
      return;
    }
    String others =
        suppressed == 0
            ? ""
            : ", and %,d more times since the last report, for up to %,d ms"
                .formatted(suppressed, TimeUnit.NANOSECONDS.toMillis(suppressedMaxNs));
    hasReported = true;
    reportedNs = nowNs;
    suppressed = 0;
    suppressedMaxNs = 0;
    report(
        "stalled in its %s for %,d ms%s"
            .formatted(thread, TimeUnit.NANOSECONDS.toMillis(stallNs), others));
  }

  /** When the thread last began a duty cycle, by the time source. Any thread. */
  public final long lastNs() {
    return lastNs;
  }

  /** The length of the last stall if it ended within the given time before now; otherwise 0. */
  final long stallWithin(long beforeNs, long nowNs) {
    return stallNs > 0 && nowNs - stallEndNs <= beforeNs ? stallNs : 0;
  }

  final long nanoTime() {
    return nanoTime.getAsLong();
  }

  final void report(String text) {
    log.accept(text);
  }
}
