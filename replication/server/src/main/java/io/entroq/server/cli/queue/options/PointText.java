package io.entroq.server.cli.queue.options;

import io.entroq.engine.gateway.HistoryPoint;
import java.time.Duration;
import java.time.Instant;
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

  /**
   * Parses a point.
   *
   * @throws TypeConversionException if it is neither, or a time in the future
   */
  public static PointText of(String text) {
    HistoryPoint point;
    try {
      point = HistoryPoint.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
    if (!point.isStep() && point.timeMs() > Instant.now().plus(AHEAD_MAX).toEpochMilli()) {
      throw new TypeConversionException(
          "%s is in the future".formatted(Instant.ofEpochMilli(point.timeMs())));
    }
    return new PointText(text, point);
  }

  /** Reads it from the command line. */
  public static final class Converter implements ITypeConverter<PointText> {
    @Override
    public PointText convert(String text) {
      return of(text);
    }
  }
}
