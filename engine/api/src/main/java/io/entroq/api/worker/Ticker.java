package io.entroq.api.worker;

import io.entroq.codec.wire.Times;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A worker's time source; tests replace it by one they advance themselves. */
@FunctionalInterface
public interface Ticker {
  /** Nanoseconds since an arbitrary moment; never goes back. Thread-safe. */
  long nanoTime();

  /** The ticker of the JVM. */
  static Ticker system() {
    return new Ticker() {
      @Override
      public long nanoTime() {
        return System.nanoTime();
      }

      @Override
      public long pauseNanos(long nanos) {
        return nanos;
      }
    };
  }

  /**
   * Follows a clock, such as that of an in-memory queue that a test advances: leases are renewed
   * and pauses end as that clock advances.
   *
   * @param clock never goes back; read often and from any thread
   */
  static Ticker following(Supplier<Instant> clock) {
    return () -> TimeUnit.MILLISECONDS.toNanos(Times.toMs(clock.get()));
  }

  /**
   * How long to really wait before reading this ticker again, to see it advance by {@code nanos}.
   *
   * @param nanos positive
   */
  default long pauseNanos(long nanos) {
    return Math.min(nanos, 1_000_000);
  }
}
