package io.entroq.api;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What arguments have to be, said in one way. */
final class Checks {
  private static final int QUEUE_BYTES_MAX = 1024;
  private static final int CLAIMANT_BYTES_MAX = 1024;

  private Checks() {}

  static String text(String name, String text, int bytesMax) {
    if (text.isEmpty()) {
      throw new EntroQException.InvalidArgument(name + " must not be empty");
    }
    if (text.length() > bytesMax || utf8(text) > bytesMax) {
      throw new EntroQException.InvalidArgument(
          name + " must have at most " + bytesMax + " bytes, has " + utf8(text));
    }
    return text;
  }

  static String queue(String queue) {
    return text("queue", queue, QUEUE_BYTES_MAX);
  }

  static String claimant(String claimant) {
    return claimant.isEmpty() ? claimant : text("claimant", claimant, CLAIMANT_BYTES_MAX);
  }

  static Duration notNegative(String name, Duration duration) {
    if (duration.isNegative()) {
      throw new EntroQException.InvalidArgument(name + " must not be negative, is " + duration);
    }
    return duration;
  }

  static int inRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new EntroQException.InvalidArgument(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
    return value;
  }

  static <T> List<T> notEmpty(String name, List<T> items) {
    if (items.isEmpty()) {
      throw new EntroQException.InvalidArgument(name + " must not be empty");
    }
    return items;
  }

  private static int utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
