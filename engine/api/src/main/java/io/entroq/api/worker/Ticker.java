package io.entroq.api.worker;

import io.entroq.codec.wire.Times;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Measures how time passes for a worker; replaced in tests by one that is moved by hand. */
@FunctionalInterface
public interface Ticker {
  /** Nanoseconds since an arbitrary moment; never goes back. Any thread. */
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
   * Follows a clock, such as that of a queue in memory that a test moves by hand: leases are then
   * renewed, and pauses end, as that clock goes on.
   *
   * @param clock never goes back; asked often and from any thread
   */
  static Ticker following(Supplier<Instant> clock) {
    return () -> TimeUnit.MILLISECONDS.toNanos(Times.toMs(clock.get()));
  }

  /**
   * How long to wait in earnest before looking at this ticker again, when it is to pass so much.
   *
   * @param nanos above zero
   */
  default long pauseNanos(long nanos) {
    return Math.min(nanos, 1_000_000);
  }
}
