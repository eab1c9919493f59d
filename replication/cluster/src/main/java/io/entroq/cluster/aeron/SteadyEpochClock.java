package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.EpochClock;

/**
 * Milliseconds since the epoch that pass with the monotonic clock: what the wall clock said when
 * this was made, and what has passed since. Any thread.
 *
 * <p>Aeron's driver writes its keepalive by an epoch clock, and its clients compare it with theirs.
 * By the wall clock a step forward looks like a driver that has died, and a step back like one that
 * lives whatever happens. So all parts of a member share one of these.
 */
public final class SteadyEpochClock implements EpochClock {
  private final LongSupplier nanoTime;
  private final long beganMs;
  private final long beganNs;

  /**
   * Looks at the wall clock once.
   *
   * @param wallMs milliseconds since the epoch
   * @param nanoTime as {@link System#nanoTime} tells time; any thread
   */
  public SteadyEpochClock(LongSupplier wallMs, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    beganMs = wallMs.getAsLong();
    beganNs = nanoTime.getAsLong();
  }

  @Override
  public long time() {
    return beganMs + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - beganNs);
  }
}
