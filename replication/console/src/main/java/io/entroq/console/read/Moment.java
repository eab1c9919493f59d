package io.entroq.console.read;

import io.entroq.console.web.PageException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalAccessor;

/**
 * A moment of the past: after a step of the log, or a time.
 *
 * @param sequence of the step; negative if it is a time
 * @param timeMs in milliseconds since 1970
 */
public record Moment(long sequence, long timeMs) {
  /**
   * Reads one: the number of a step, or a time, also as pages show it; in UTC unless it has an
   * offset.
   *
   * @param what it is: the begin of what is said if it is neither
   * @throws PageException if it is neither
   */
  public static Moment of(String text, String what) {
    try {
      return text.matches("\\d{1,18}")
          ? new Moment(Long.parseLong(text), 0)
          : new Moment(-1, timeMs(text));
    } catch (DateTimeException | ArithmeticException e) {
      throw PageException.invalid(
          what + ": expected the number of a record, or a time such as 2026-01-01T08:00.");
    }
  }

  private static long timeMs(String text) {
    String iso = text.replaceFirst(" UTC$", "Z").replace(' ', 'T');
    TemporalAccessor time =
        DateTimeFormatter.ISO_DATE_TIME.parseBest(
            iso.indexOf('T') < 0 ? iso + "T00:00" : iso, OffsetDateTime::from, LocalDateTime::from);
    return time instanceof OffsetDateTime exact
        ? exact.toInstant().toEpochMilli()
        : ((LocalDateTime) time).toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  public boolean isTime() {
    return sequence < 0;
  }

  /** As requests and URLs name it. */
  public String text() {
    return isTime() ? Instant.ofEpochMilli(timeMs).toString() : Long.toString(sequence);
  }
}
