package io.entroq.client;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What time it is at the server, as far as can be told here: by the last look at its clock, of
 * which half the way there and back is taken to be the way back, and the time that has passed
 * since. Any thread.
 */
final class ServerClock {
  private static final long STALE_NS = TimeUnit.SECONDS.toNanos(60);

  private final LongSupplier nanoClock;
  private volatile ClockSample last;

  ServerClock(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Where a look begins. */
  long beginSample() {
    return nanoClock.getAsLong();
  }

  /** A look has ended. */
  void sample(long beginNs, long serverMs) {
    long nowNs = nanoClock.getAsLong();
    last = new ClockSample(beginNs + (nowNs - beginNs) / 2, serverMs);
  }

  /** Now, in milliseconds since the epoch. */
  long nowMs() {
    ClockSample sample = last;
    return sample.serverMs + TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - sample.atNs);
  }

  /** Whether it is time for another look. */
  boolean isStale() {
    return nanoClock.getAsLong() - last.atNs > STALE_NS;
  }

  private record ClockSample(long atNs, long serverMs) {}
}
