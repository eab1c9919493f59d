package io.entroq.engine.gateway;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A point in the history of a log: right after the last step that is within both bounds.
 *
 * @param sequence the last step may have this sequence; 0: before the first
 * @param timeMs the last step may have this log time, in milliseconds since the epoch
 */
public record HistoryPoint(long sequence, long timeMs) {
  /** After all that there is. */
  public static final HistoryPoint END = new HistoryPoint(Long.MAX_VALUE, Long.MAX_VALUE);

  private static final int CHARS_QUOTED = 40;
  private static final Pattern SEQUENCE = Pattern.compile("[0-9]{1,18}");
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  public HistoryPoint {
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence must not be negative, is " + sequence);
    }
  }

  /** Right after a step, which must exist; 0: before the first. */
  public static HistoryPoint at(long sequence) {
    return new HistoryPoint(sequence, Long.MAX_VALUE);
  }

  /** After the last step at or before a time, in milliseconds since the epoch. */
  public static HistoryPoint atTime(long timeMs) {
    return new HistoryPoint(Long.MAX_VALUE, timeMs);
  }

  /**
   * Reads a point as people and headers write it: the sequence of a step, or a time in ISO 8601, in
   * UTC unless it has an offset.
   *
   * @throws IllegalArgumentException if it is neither
   */
  public static HistoryPoint parse(String text) {
    if (SEQUENCE.matcher(text).matches()) {
      return at(Long.parseLong(text));
    }
    try {
      return atTime(
          instant(TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from))
              .toEpochMilli());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'%s' is neither the sequence of a record nor a time such as 2026-11-23T08:00Z"
              .formatted(text.substring(0, Math.min(text.length(), CHARS_QUOTED))),
          e);
    }
  }

  private static Instant instant(TemporalAccessor time) {
    if (time instanceof OffsetDateTime exact) {
      return exact.toInstant();
    }
    LocalDateTime local = time instanceof LocalDate day ? day.atStartOfDay() : (LocalDateTime) time;
    return local.toInstant(ZoneOffset.UTC);
  }

  /** Whether a step has happened at this point. */
  public boolean includes(long step, long logTimeMs) {
    return step <= sequence && logTimeMs <= timeMs;
  }

  /** Whether it names a step. */
  public boolean isStep() {
    return sequence != Long.MAX_VALUE;
  }

  /** For messages: {@code record 1,234}, or a time. */
  @Override
  public String toString() {
    return isStep() ? "record %,d".formatted(sequence) : Instant.ofEpochMilli(timeMs).toString();
  }
}
