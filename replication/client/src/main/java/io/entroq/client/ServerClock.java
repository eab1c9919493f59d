package io.entroq.client;

import io.entroq.codec.wire.edge.TimeResponse;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Estimates the server's time from the last sample of its clock, which is assumed to be taken
 * halfway between request and response. Any thread.
 */
final class ServerClock {
  private static final long STALE_NS = TimeUnit.SECONDS.toNanos(60);

  private final LongSupplier nanoClock;
  private volatile ClockSample last;

  ServerClock(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Starts a sample, which the answer of a server completes. */
  FutureCompletion<TimeResponse, TimeResponse> startSample() {
    long startNs = nanoClock.getAsLong();
    return FutureCompletion.read(
        time -> {
          long nowNs = nanoClock.getAsLong();
          last = new ClockSample(startNs + (nowNs - startNs) / 2, time.getTimeMs());
          return time;
        });
  }

  /** The server's time, in milliseconds since the epoch. */
  long nowMs() {
    ClockSample sample = last;
    return sample.serverMs + TimeUnit.NANOSECONDS.toMillis(nanoClock.getAsLong() - sample.atNs);
  }

  /** Whether a new sample is due. */
  boolean isStale() {
    return nanoClock.getAsLong() - last.atNs > STALE_NS;
  }

  private record ClockSample(long atNs, long serverMs) {}
}
