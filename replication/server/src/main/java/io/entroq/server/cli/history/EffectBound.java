package io.entroq.server.cli.history;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.gateway.HistoryPoint;
import io.entroq.server.cli.queue.options.PointText;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * Where a listing of effects begins or ends: a point, or an effect within a step.
 *
 * @param point for an effect: after its step
 * @param index of the effect in the step; {@link #WHOLE_STEP} for a point
 * @param log names the log that it must be of; empty for any
 * @param timeMs the time of its step, in milliseconds since the epoch; 0 if it is not known
 */
record EffectBound(HistoryPoint point, int index, String log, long timeMs) {
  /** Begins with what happens next. */
  static final EffectBound NOW = of(HistoryPoint.END);

  /** Begins with the state, and then as {@link #NOW}. */
  static final EffectBound SNAPSHOT = new EffectBound(HistoryPoint.END, -1, "", 0);

  private static final int WHOLE_STEP = FeedPosition.WHOLE_STEP;
  private static final Pattern POSITION =
      Pattern.compile("(\\d{1,18})(?:-(\\d{1,9}))?(?:@(\\p{XDigit}{32})(?:\\.(\\d{1,18}))?)?");

  static EffectBound of(HistoryPoint point) {
    return new EffectBound(point, WHOLE_STEP, "", 0);
  }

  private static EffectBound of(String text) {
    Matcher position = POSITION.matcher(text);
    return position.matches()
        ? new EffectBound(
            HistoryPoint.at(Long.parseLong(position.group(1))),
            position.group(2) == null ? WHOLE_STEP : Integer.parseInt(position.group(2)),
            position.group(3) == null ? "" : position.group(3),
            position.group(4) == null ? 0 : Long.parseLong(position.group(4)))
        : of(PointText.of(text).point());
  }

  /** As a position in a feed; must not be a time. */
  FeedPosition position() {
    return new FeedPosition(point.sequence(), index, log, timeMs);
  }

  /** A feed that begins here. */
  FeedQuery.Builder begin() {
    if (equals(NOW)) {
      return FeedQuery.fromNow();
    }
    if (equals(SNAPSHOT)) {
      return FeedQuery.fromSnapshot();
    }
    return isTime()
        ? FeedQuery.from(Instant.ofEpochMilli(point.timeMs()))
        : FeedQuery.after(position());
  }

  /** A feed that begins after this point, also if it is a time. */
  FeedQuery.Builder beginAfter() {
    return isTime()
        ? FeedQuery.from(Instant.ofEpochMilli(point.timeMs() + 1))
        : FeedQuery.after(position());
  }

  /** Makes a feed end here, unless this is the end of all. */
  void end(FeedQuery.Builder feed) {
    if (isTime()) {
      feed.until(Instant.ofEpochMilli(point.timeMs()));
    } else if (!point.equals(HistoryPoint.END)) {
      feed.until(position());
    }
  }

  /** Whether it depends on when a server is asked. */
  boolean isOfServer() {
    return equals(NOW) || equals(SNAPSHOT);
  }

  /** Whether an effect is of the step of this bound, after its effect. */
  boolean excludesOfStep(Effect effect) {
    return effect
        .position()
        .map(at -> at.sequence() == point.sequence() && at.index() > index)
        .orElse(false);
  }

  /** The point after which the listing begins that has what follows this bound. */
  HistoryPoint after() {
    if (isTime()) {
      // A listing from a time on has the steps of that time.
      return HistoryPoint.atTime(point.timeMs() - 1);
    }
    return index == WHOLE_STEP ? point : HistoryPoint.at(Math.max(0, point.sequence() - 1));
  }

  /** Whether an effect is of the step of this bound, up to its effect. */
  boolean includesOfStep(EffectReader effect) {
    return effect.step().sequence() == point.sequence() && effect.index() <= index;
  }

  /** Whether an effect is of the step of this bound, after its effect. */
  boolean excludesOfStep(EffectReader effect) {
    return effect.step().sequence() == point.sequence() && effect.index() > index;
  }

  /** Whether both are of the same form and this is the earlier one. */
  boolean isBefore(EffectBound other) {
    return isTime() == other.isTime()
        && (point.timeMs() < other.point.timeMs()
            || point.sequence() < other.point.sequence()
            || (point.sequence() == other.point.sequence() && index < other.index));
  }

  boolean isTime() {
    return point.timeMs() != Long.MAX_VALUE;
  }

  /** Reads where to begin from the command line. */
  static final class StartConverter implements ITypeConverter<EffectBound> {
    @Override
    public EffectBound convert(String text) {
      return switch (text) {
        case "now" -> NOW;
        case "snapshot" -> SNAPSHOT;
        default -> of(text);
      };
    }
  }

  /** Reads it from the command line. */
  static final class Converter implements ITypeConverter<EffectBound> {
    @Override
    public EffectBound convert(String text) {
      return of(text);
    }
  }
}
