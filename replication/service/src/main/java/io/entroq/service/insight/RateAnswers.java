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

  RatesResponse rates(RatesRequest request, long sinceMs) {
    if (request.getQueueCount() > QUEUES_MAX) {
      throw new RefusedException(
          Refusal.invalid(
              "queue: %,d are given, at most %,d are accepted"
                  .formatted(request.getQueueCount(), QUEUES_MAX)));
    }
    RateStep step = step(request.getStepS());
    int points = Paging.limit(request.getPoints(), step.points(), step.points());
    return tally.rates(rates -> rates(request, rates, step, points, sinceMs));
  }

  private static RateStep step(int seconds) {
    return Arrays.stream(RateStep.values())
        .filter(step -> step.seconds() == (seconds == 0 ? RateStep.TEN_SECONDS.seconds() : seconds))
        .findFirst()
        .orElseThrow(
            () ->
                new RefusedException(Refusal.invalid("step_s must be 1, 10 or 60, is " + seconds)));
  }

  private static RatesResponse rates(
      RatesRequest request, RateBook rates, RateStep step, int points, long sinceMs) {
    long untilS =
        request.getUntilMs() > 0
            ? TimeUnit.MILLISECONDS.toSeconds(request.getUntilMs() - 1)
            : Math.max(nowS(), rates.second());
    long last = untilS / step.seconds();
    long fromMs = TimeUnit.SECONDS.toMillis((last - points + 1) * step.seconds());
    long untilMs = TimeUnit.SECONDS.toMillis((last + 1) * step.seconds());
    RatesResponse.Builder response =
        RatesResponse.newBuilder().setFromMs(fromMs).setStepS(step.seconds()).setSinceMs(sinceMs);
    if (request.getQueueCount() == 0) {
      response.addRates(rates("", rates.all(), step, last, points));
    }
    request
        .getQueueList()
        .forEach(name -> response.addRates(rates(name, rates.find(name), step, last, points)));
    rates.gaps().stream()
        .filter(gap -> gap.untilMs() >= fromMs && gap.fromMs() < untilMs)
        .forEach(
            gap ->
                response.addGaps(
                    RateGap.newBuilder().setFromMs(gap.fromMs()).setUntilMs(gap.untilMs())));
    return response.build();
  }

  private static QueueRates rates(
      String name, RateEntry entry, RateStep step, long last, int points) {
    QueueRates.Builder rates = QueueRates.newBuilder().setQueue(name);
    if (entry != null) {
      rates.setTotal(counts(entry::total));
      if (entry.series != null) {
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
