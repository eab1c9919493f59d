package io.entroq.workers;

import io.entroq.api.EntroQException;
import java.time.Duration;

/** Checks of limits that users give. */
final class Limits {
  private Limits() {}

  /** From 1 ms. */
  static void time(String name, Duration time, Duration max) {
    if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(max) > 0) {
      throw new EntroQException.InvalidArgument(
          "%s must be from 1 ms to %d s, is %s".formatted(name, max.toSeconds(), time));
    }
  }

  static void count(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new EntroQException.InvalidArgument(
          "%s must be from %,d to %,d, is %,d".formatted(name, min, max, value));
    }
  }
}
