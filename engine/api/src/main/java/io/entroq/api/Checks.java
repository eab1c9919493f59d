package io.entroq.api;

import io.entroq.codec.wire.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Checks of arguments; they throw {@link EntroQException.InvalidArgument}. */
final class Checks {
  private static final int TRACE_BYTES_MAX = 64;

  private Checks() {}

  /** 1 to 1,024 bytes of UTF-8. */
  static String queue(String queue) {
    return name("queue", queue);
  }

  /** Up to 1,024 bytes of UTF-8. */
  static String claimant(String claimant) {
    return claimant.isEmpty() ? claimant : name("claimant", claimant);
  }

  /** 1 to 1,024 bytes of UTF-8. */
  static String namespace(String namespace) {
    return name("namespace", namespace);
  }

  /** 1 to 1,024 bytes of UTF-8. */
  static String docId(String id) {
    return name("doc id", id);
  }

  /** Up to 1,024 bytes of UTF-8. */
  static String docKey(String what, String key) {
    return key.isEmpty() ? key : name(what, key);
  }

  /** 1 to 1,024 bytes of UTF-8. */
  static String setKey(String key) {
    return name("key of a doc set", key);
  }

  /** 1 to 1,024 bytes of UTF-8. */
  static String name(String what, String text) {
    if (text.isEmpty()) {
      throw new EntroQException.InvalidArgument(what + " must not be empty");
    }
    long bytes = utf8Length(what, text);
    if (bytes > Limits.TEXT_BYTES_MAX) {
      throw new EntroQException.InvalidArgument(
          what + " must have at most " + Limits.TEXT_BYTES_MAX + " bytes, has " + bytes);
    }
    return text;
  }

  /** Any text that UTF-8 can encode. */
  static String err(String err) {
    long unused = utf8Length("err", err);
    return err;
  }

  /** Up to 64 bytes of UTF-8. */
  static String trace(String trace) {
    inRange("bytes of the trace", utf8Length("trace", trace), 0, TRACE_BYTES_MAX);
    return trace;
  }

  /** More than zero, if there is one. */
  static void timeToLive(Optional<Duration> time) {
    time.ifPresent(
        value -> {
          if (value.compareTo(Duration.ofMillis(1)) < 0) {
            throw new EntroQException.InvalidArgument(
                "timeToLive must be at least 1 ms, is " + value);
          }
        });
  }

  private static long utf8Length(String what, String text) {
    long bytes = 0;
    int i = 0;
    while (i < text.length()) {
      int codePoint = text.codePointAt(i);
      if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
        throw new EntroQException.InvalidArgument(
            what + " has an unpaired surrogate at character " + i);
      }
      bytes += codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      i += Character.charCount(codePoint);
    }
    return bytes;
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

  static long inRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new EntroQException.InvalidArgument(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
    return value;
  }

  static double decimal(String name, double value, int min, int max) {
    if (!(value >= min && value <= max)) {
      throw new EntroQException.InvalidArgument(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
    return value;
  }

  static Duration inRange(String name, Duration value, Duration min, Duration max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new EntroQException.InvalidArgument(
          name + " must be from " + min + " to " + max + ", is " + value);
    }
    return value;
  }

  /** Zero to {@link QueuePolicy#DURATION_MAX}. */
  static Duration duration(String name, Duration value) {
    return inRange(name, value, Duration.ZERO, QueuePolicy.DURATION_MAX);
  }

  /** An expected version, if there is one: zero or more. */
  static void version(Optional<Integer> expected) {
    expected.ifPresent(version -> inRange("expected version", version, 0, Integer.MAX_VALUE));
  }

  /** 1 to 1,000 queue names. */
  static void queues(List<String> queues) {
    inRange("number of queues", queues.size(), 1, Limits.QUEUES_PER_CLAIM_MAX);
    queues.forEach(Checks::queue);
  }
}
