package io.entroq.api.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what happens on other threads. */
final class Eventually {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Eventually() {}

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("did not happen: " + what);
      }
      LockSupport.parkNanos(200_000);
    }
  }
}
