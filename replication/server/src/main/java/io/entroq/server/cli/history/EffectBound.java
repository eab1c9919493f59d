package io.entroq.server.cli.history;

import io.entroq.codec.effect.EffectReader;
import io.entroq.engine.history.HistoryPoint;
import io.entroq.server.cli.queue.options.PointText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;

/**
 * Where a listing of effects begins or ends: a point, or an effect within a step.
 *
 * @param point for an effect: after its step
 * @param index of the effect in the step; {@link #WHOLE_STEP} for a point
 */
record EffectBound(HistoryPoint point, int index) {
  private static final int WHOLE_STEP = Integer.MAX_VALUE;
  private static final Pattern POSITION = Pattern.compile("(\\d{1,18})-(\\d{1,9})");

  static EffectBound of(HistoryPoint point) {
    return new EffectBound(point, WHOLE_STEP);
  }

  private static EffectBound of(String text) {
    Matcher position = POSITION.matcher(text);
    return position.matches()
        ? new EffectBound(
            HistoryPoint.at(Long.parseLong(position.group(1))), Integer.parseInt(position.group(2)))
        : of(PointText.of(text).point());
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

  private boolean isTime() {
    return point.timeMs() != Long.MAX_VALUE;
  }

  /** Reads it from the command line. */
  static final class Converter implements ITypeConverter<EffectBound> {
    @Override
    public EffectBound convert(String text) {
      return of(text);
    }
  }
}
