package io.entroq.cluster.aeron;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.concurrent.EpochClock;

/**
 * A clock that starts at the wall time and then follows the monotonic clock. Any thread.
 *
 * <p>Aeron's driver writes keepalives with an epoch clock, and its clients compare them with their
 * own. On the wall clock, a step forward looks like a dead driver, and a step back like one that
 * never dies. So all components of a member share one of these clocks.
 */
public final class SteadyEpochClock implements EpochClock {
  private final LongSupplier nanoTime;
  private final long startMs;
  private final long startNs;

  /**
   * @param wallMs the wall clock, in milliseconds since the epoch; read once
   * @param nanoTime the time source, like {@link System#nanoTime}; called on any thread
   */
  public SteadyEpochClock(LongSupplier wallMs, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    startMs = wallMs.getAsLong();
    startNs = nanoTime.getAsLong();
  }

  @Override
  public long time() {
    return startMs + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNs);
  }
}
