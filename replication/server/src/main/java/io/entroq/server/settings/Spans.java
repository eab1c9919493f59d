package io.entroq.server.settings;

import io.entroq.server.cli.queue.options.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.TypeConversionException;

/** Time spans as commands read them, and the shortest text that they read as the same. */
final class Spans {
  private static final long[] UNIT_NANOS = {
    3_600_000_000_000L, 60_000_000_000L, 1_000_000_000L, 1_000_000L, 1_000L, 1L
  };
  private static final String[] UNITS = {"h", "m", "s", "ms", "us", "ns"};

  private Spans() {}

  static Duration read(String text) {
    try {
      return new DurationConverter().convert(text);
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static String print(Duration span) {
    long nanos = span.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < UNITS.length; i++) {
      long number = nanos / UNIT_NANOS[i];
      if (number > 0) {
        text.append(number).append(UNITS[i]);
      }
      nanos %= UNIT_NANOS[i];
    }
    return text.toString();
  }
}
