package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for conditions that other threads fulfill. */
final class Await {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Await() {}

  static void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("waited too long until %s", what).isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }
}
