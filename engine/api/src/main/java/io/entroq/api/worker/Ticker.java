package io.entroq.api.worker;

/** Measures how time passes for a worker; replaced in tests by one that is moved by hand. */
@FunctionalInterface
public interface Ticker {
  /** Nanoseconds since an arbitrary moment; never goes back. Any thread. */
  long nanoTime();

  /** The ticker of the JVM. */
  static Ticker system() {
    return SystemTicker.SYSTEM;
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
