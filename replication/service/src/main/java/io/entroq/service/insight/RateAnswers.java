package io.entroq.service.insight;

import io.entroq.codec.wire.edge.EventCounts;
import io.entroq.codec.wire.edge.QueueRates;
import io.entroq.codec.wire.edge.RateGap;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.RatesResponse;
import io.entroq.service.translation.Refusal;
import io.entroq.service.translation.RefusedException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/** Answers questions about events over time. Any thread. */
final class RateAnswers {
  private static final int QUEUES_MAX = 100;

  private final EffectTally tally;

  RateAnswers(EffectTally tally) {
    this.tally = tally;
  }

  /** The wall clock, in seconds since the epoch: log time does not go on while nothing happens. */
  static long nowS() {
    return TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
  }

  static EventCounts counts(ToLongFunction<Event> count) {
    return EventCounts.newBuilder()
        .setInserted(count.applyAsLong(Event.INSERTED))
        .setClaimed(count.applyAsLong(Event.CLAIMED))
        .setDone(count.applyAsLong(Event.DONE))
        .setFailed(count.applyAsLong(Event.FAILED))
        .setLapsed(count.applyAsLong(Event.LAPSED))
        .setDead(count.applyAsLong(Event.DEAD))
        .build();
  }

  RatesResponse rates(RatesRequest request, Moment moment, long sinceMs) {
    if (request.getQueueCount() > QUEUES_MAX) {
      throw new RefusedException(
          Refusal.invalid(
              "queue: %,d are given, at most %,d are accepted"
                  .formatted(request.getQueueCount(), QUEUES_MAX)));
    }
    RateStep step = step(request.getStepS());
    int points = Paging.limit(request.getPoints(), step.points(), step.points());
    return tally.rates(
        rates -> {
          long last = last(request, rates, step, moment);
          int kept = kept(rates, step, last, points, moment);
          return rates(request, rates, step, last, kept, moment.isNow())
              .setSinceMs(sinceMs)
              .build();
        });
  }

  private static RateStep step(int seconds) {
    return Arrays.stream(RateStep.values())
        .filter(step -> step.seconds() == (seconds == 0 ? RateStep.TEN_SECONDS.seconds() : seconds))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedException(Refusal.invalid("step_s must be 1, 10 or 60, is " + seconds)));
  }

  /** The last point to tell. */
  private static long last(RatesRequest request, RateBook rates, RateStep step, Moment moment) {
    long last = moment.lastPoint(rates, step);
    if (request.getUntilMs() <= 0) {
      return last;
    }
    long asked = TimeUnit.MILLISECONDS.toSeconds(request.getUntilMs() - 1) / step.seconds();
    return moment.isNow() ? asked : Math.min(asked, last);
  }

  /** How many points there are: of then, only those that are still in memory. */
  private static int kept(RateBook rates, RateStep step, long last, int points, Moment moment) {
    return moment.isNow()
        ? points
        : (int) Math.max(0, Math.min(points, last - moment.firstPoint(rates, step) + 1));
  }

  private static RatesResponse.Builder rates(
      RatesRequest request, RateBook rates, RateStep step, long last, int points, boolean isNow) {
    long fromMs = TimeUnit.SECONDS.toMillis((last - points + 1) * step.seconds());
    long untilMs = TimeUnit.SECONDS.toMillis((last + 1) * step.seconds());
    RatesResponse.Builder response =
        RatesResponse.newBuilder().setFromMs(fromMs).setStepS(step.seconds());
    if (request.getQueueCount() == 0) {
      response.addRates(rates("", rates.all(), step, last, points, isNow));
    }
    request
        .getQueueList()
        .forEach(
            name -> response.addRates(rates(name, rates.find(name), step, last, points, isNow)));
    rates.gaps().stream()
        .filter(gap -> gap.untilMs() >= fromMs && gap.fromMs() < untilMs)
        .forEach(
            gap ->
                response.addGaps(
                    RateGap.newBuilder().setFromMs(gap.fromMs()).setUntilMs(gap.untilMs())));
    return response;
  }

  private static QueueRates rates(
      String name, RateEntry entry, RateStep step, long last, int points, boolean isNow) {
    QueueRates.Builder rates = QueueRates.newBuilder().setQueue(name);
    if (entry != null) {
      if (isNow) {
        rates.setTotal(counts(entry::total));
      }
      if (entry.series != null && points > 0) {
        rates
            .setKept(true)
            .addAllInserted(points(entry, step, last, points, Event.INSERTED))
            .addAllClaimed(points(entry, step, last, points, Event.CLAIMED))
            .addAllDone(points(entry, step, last, points, Event.DONE))
            .addAllFailed(points(entry, step, last, points, Event.FAILED))
            .addAllLapsed(points(entry, step, last, points, Event.LAPSED))
            .addAllDead(points(entry, step, last, points, Event.DEAD));
      }
    }
    return rates.build();
  }

  private static Iterable<Integer> points(
      RateEntry entry, RateStep step, long last, int points, Event event) {
    return IntStream.range(0, points)
        .mapToObj(i -> entry.series.count(step, last - points + 1 + i, event))
        .toList();
  }
}
