package io.entroq.service.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what other threads, or other processes, bring about. */
public final class Await {
  private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private Await() {}

  /**
   * Waits until something is so.
   *
   * @param what is waited for, to be said if it does not come
   */
  public static void until(String what, BooleanSupplier condition) {
    until(what, PATIENCE, condition);
  }

  /** Waits until something is so, for some time. */
  public static void until(String what, Duration patience, BooleanSupplier condition) {
    long endNanos = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - endNanos).as("waited too long until %s", what).isNegative();
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
