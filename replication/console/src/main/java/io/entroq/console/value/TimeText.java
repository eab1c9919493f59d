package io.entroq.console.value;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times of the log and durations, for people. */
public final class TimeText {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS 'UTC'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final long SECOND_MS = 1_000;
  private static final long MINUTE_S = 60;
  private static final long HOUR_S = 3_600;
  private static final long DAY_S = 86_400;

  private TimeText() {}

  /** A time such as {@code 2026-01-01 00:00:00.000 UTC}; "never" for the largest number. */
  public static String at(long timeMs) {
    return timeMs == Long.MAX_VALUE ? "never" : TIME.format(Instant.ofEpochMilli(timeMs));
  }

  /** How far a time is from now: "in 5 s", "3 min 20 s ago", "now". */
  public static String relative(long timeMs, long nowMs) {
    long distance = timeMs - nowMs;
    if (distance == 0) {
      return "now";
    }
    return distance > 0 ? "in " + duration(distance) : duration(-distance) + " ago";
  }

  /**
   * As {@link #relative}, of what has happened: a page reads the time first, so what it reads then
   * may be a little younger.
   */
  public static String ago(long timeMs, long nowMs) {
    return relative(Math.min(timeMs, nowMs), nowMs);
  }

  /** A duration in its two largest units. */
  public static String duration(long ms) {
    long s = Duration.ofMillis(ms).toSeconds();
    if (s == 0) {
      return ms + " ms";
    }
    if (s < MINUTE_S) {
      return ms % SECOND_MS == 0 || s >= 10
          ? s + " s"
          : String.format(Locale.ROOT, "%.1f s", ms / (double) SECOND_MS);
    }
    if (s < HOUR_S) {
      return two(s / MINUTE_S, "min", s % MINUTE_S, "s");
    }
    return s < DAY_S
        ? two(s / HOUR_S, "h", s % HOUR_S / MINUTE_S, "min")
        : two(s / DAY_S, "d", s % DAY_S / HOUR_S, "h");
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    return small == 0
        ? large + " " + largeUnit
        : large + " " + largeUnit + " " + small + " " + smallUnit;
  }
}
