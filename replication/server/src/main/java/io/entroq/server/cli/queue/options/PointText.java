package io.entroq.server.cli.queue.options;

import io.entroq.engine.history.HistoryPoint;
import java.time.DateTimeException;
import java.time.Duration;
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
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A point of the history on the command line: the sequence of a record, or a time in ISO 8601, in
 * UTC unless it has an offset.
 *
 * @param text as given
 */
public record PointText(String text, HistoryPoint point) {
  /** By how much log time may be ahead of the wall clock when an engine opens. */
  private static final Duration AHEAD_MAX = Duration.ofMinutes(1);

  private static final Pattern SEQUENCE = Pattern.compile("\\d{1,18}");
  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  /**
   * Parses a point.
   *
   * @throws TypeConversionException if it is neither, or a time in the future
   */
  public static PointText of(String text) {
    return new PointText(
        text,
        SEQUENCE.matcher(text).matches()
            ? HistoryPoint.at(Long.parseLong(text))
            : HistoryPoint.atTime(time(text).toEpochMilli()));
  }

  private static Instant time(String text) {
    Instant time;
    try {
      time =
          instant(TIME.parseBest(text, OffsetDateTime::from, LocalDateTime::from, LocalDate::from));
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "'%s' is neither the sequence of a record nor a time such as 2026-11-23T08:00Z"
              .formatted(text));
    }
    if (time.isAfter(Instant.now().plus(AHEAD_MAX))) {
      throw new TypeConversionException("%s is in the future".formatted(time));
    }
    return time;
  }

  private static Instant instant(TemporalAccessor time) {
    if (time instanceof OffsetDateTime exact) {
      return exact.toInstant();
    }
    LocalDateTime local = time instanceof LocalDate day ? day.atStartOfDay() : (LocalDateTime) time;
    return local.toInstant(ZoneOffset.UTC);
  }

  /** Reads it from the command line. */
  public static final class Converter implements ITypeConverter<PointText> {
    @Override
    public PointText convert(String text) {
      return of(text);
    }
  }
}
