package io.entroq.service.insight;

import io.entroq.codec.wire.edge.EventCounts;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * As of when what was counted is told: now, or then. Of then it is told as far as it is still in
 * memory, and nothing that happened later.
 */
final class Moment {
  /** The present, wherever that is. */
  static final Moment NOW = at(Long.MAX_VALUE);

  private final long timeMs;
  private final LongSupplier wallS;

  /**
   * @param timeMs {@link Long#MAX_VALUE}: the present
   * @param wallS the wall clock, in seconds since the epoch
   */
  Moment(long timeMs, LongSupplier wallS) {
    this.timeMs = timeMs;
    this.wallS = wallS;
  }

  /** Then, in milliseconds since the epoch. */
  static Moment at(long timeMs) {
    return new Moment(timeMs, RateAnswers::nowS);
  }

  boolean isNow() {
    return timeMs == Long.MAX_VALUE;
  }

  /** Its time, in milliseconds since the epoch. */
  long timeMs() {
    return isNow() ? System.currentTimeMillis() : timeMs;
  }

  /** Whether something had happened. */
  boolean includes(long whenMs) {
    return whenMs <= timeMs;
  }

  /** The last point to tell: the one in progress, or the last one that had ended. */
  long lastPoint(RateBook rates, RateStep step) {
    return isNow()
        ? presentPoint(rates, step)
        : Math.floorDiv(timeMs, TimeUnit.SECONDS.toMillis(step.seconds())) - 1;
  }

  /** The point in progress: log time does not go on while nothing happens. */
  private long presentPoint(RateBook rates, RateStep step) {
    return Math.max(rates.second(), wallS.getAsLong()) / step.seconds();
  }

  /** The first point that is still in memory. */
  long firstPoint(RateBook rates, RateStep step) {
    return presentPoint(rates, step) - step.points() + 1;
  }

  /** What happened in the last minute; nothing if that is not known. */
  EventCounts lastMinute(RateBook rates, RateEntry entry) {
    if (entry != null && entry.series != null) {
      for (RateStep step : RateStep.values()) {
        int points = RateStep.MINUTE.seconds() / step.seconds();
        long last = lastPoint(rates, step);
        if (last - points + 1 >= firstPoint(rates, step)) {
          return RateAnswers.counts(event -> entry.series.sum(step, last, points, event));
        }
      }
    }
    return EventCounts.getDefaultInstance();
  }

  /** By how many tasks a dead queue had grown in some minutes; 0 if that is not known. */
  long growth(RateBook rates, RateEntry entry, int minutes) {
    long last = lastPoint(rates, RateStep.MINUTE);
    boolean isKept =
        isNow() || last - minutes >= presentPoint(rates, RateStep.MINUTE) - DeadTrend.MINUTES - 1;
    return entry.trend == null || !isKept ? 0 : entry.trend.growth(last, minutes);
  }

  /** How much happens in a queue, for comparisons. */
  double activity(RateBook rates, RateEntry entry) {
    if (entry == null) {
      return 0;
    }
    if (isNow()) {
      return entry.activity(rates.second());
    }
    EventCounts counts = lastMinute(rates, entry);
    return counts.getInserted()
        + counts.getClaimed()
        + counts.getDone()
        + counts.getFailed()
        + counts.getLapsed()
        + counts.getDead();
  }
}
