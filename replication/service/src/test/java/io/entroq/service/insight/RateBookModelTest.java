package io.entroq.service.insight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares counts with a list of everything that has happened. */
class RateBookModelTest {
  private static final long BEGIN_S = 1_700_000_000L;

  private record Happened(long second, String queue, Event event) {}

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private static long count(List<Happened> log, RateStep step, long point, String q, Event event) {
    return log.stream()
        .filter(one -> one.second / step.seconds() == point)
        .filter(one -> q.isEmpty() || one.queue.equals(q))
        .filter(one -> one.event == event)
        .count();
  }

  /** Mostly the same second; sometimes hours later. */
  private long next(long second, int maxGapS) {
    return second
        + switch (random.nextInt(20)) {
          case 0 -> random.nextInt(maxGapS);
          case 1 -> random.nextInt(100);
          case 2, 3 -> 1;
          default -> 0;
        };
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 5_000, 100_000})
  void shouldCountAsANaiveModelDoes(int maxGapS) {
    RateBook book = new RateBook(100, 100);
    List<Happened> log = new ArrayList<>();
    long second = BEGIN_S + random.nextInt(10_000);
    for (int i = 0; i < 3_000; i++) {
      second = next(second, maxGapS);
      book.second(second);
      String queue = "q" + random.nextInt(3);
      Event event = Event.values()[random.nextInt(Event.COUNT)];
      book.count(book.entry(queue), event);
      log.add(new Happened(second, queue, event));
      if (random.nextInt(10) == 0) {
        book.endSecond();
      }
    }
    book.endSecond();
    for (RateStep step : RateStep.values()) {
      compare(book, log, step, second / step.seconds());
    }
  }

  private void compare(RateBook book, List<Happened> log, RateStep step, long last) {
    Map<String, RateEntry> entries = new HashMap<>(Map.of("", book.all()));
    for (int i = 0; i < 3; i++) {
      entries.put("q" + i, book.find("q" + i));
    }
    List<Happened> kept =
        log.stream().filter(one -> one.second / step.seconds() > last - step.points()).toList();
    for (int i = 0; i < 200; i++) {
      long point = last - random.nextInt(Math.min(step.points(), i + 1));
      entries.forEach(
          (name, entry) -> {
            for (Event event : Event.values()) {
              assertThat((long) entry.series.count(step, point, event))
                  .as("seed %d: %s of %s at %s %d", seed, event, name, step, last - point)
                  .isEqualTo(count(kept, step, point, name, event));
            }
          });
    }
    entries.forEach(
        (name, entry) -> {
          for (Event event : Event.values()) {
            assertThat(entry.series.sum(step, last, step.points(), event))
                .as("seed %d: %s of %s in all at %s", seed, event, name, step)
                .isEqualTo(
                    kept.stream()
                        .filter(one -> name.isEmpty() || one.queue.equals(name))
                        .filter(one -> one.event == event)
                        .count());
            assertThat(entry.total(event))
                .isEqualTo(
                    log.stream()
                        .filter(one -> name.isEmpty() || one.queue.equals(name))
                        .filter(one -> one.event == event)
                        .count());
          }
          assertThat(entry.series.bytes()).isLessThanOrEqualTo(RateSeries.BYTES_MAX);
        });
  }

  @Test
  void shouldNeedNoMoreMemoryThanItSays() {
    RateSeries series = new RateSeries();
    int[] counts = {1, 2, 3, 4, 5, 6};
    for (int i = 0; i < 2 * 86_400; i += 1) {
      series.add(BEGIN_S + i, counts);
    }
    assertThat(series.bytes()).isBetween(RateSeries.BYTES_MAX / 2, RateSeries.BYTES_MAX);
    assertThat(series.sum(RateStep.MINUTE, (BEGIN_S + 2 * 86_400 - 1) / 60, 1_000, Event.DEAD))
        .isBetween(6L * 60 * 999, 6L * 60 * 1_000);
    series.add(BEGIN_S + 10 * 86_400, counts);
    assertThat(series.bytes()).as("what is too old is forgotten").isLessThan(6_000);
  }

  @Test
  void shouldCountEachTaskOfALargeStep() {
    RateBook book = new RateBook(10, 10);
    book.second(BEGIN_S);
    for (int i = 0; i < 1_000; i++) {
      book.count(book.entry("q"), Event.INSERTED);
    }
    book.endSecond();
    assertThat(book.find("q").series.count(RateStep.SECOND, BEGIN_S, Event.INSERTED))
        .isEqualTo(1_000);
  }

  @Test
  void shouldGiveThePointsOfAnIdleQueueToABusyOne() {
    RateBook book = new RateBook(1_000, 2);
    book.second(BEGIN_S);
    for (int i = 0; i < 4; i++) {
      book.count(book.entry("idle"), Event.INSERTED);
      book.count(book.entry("steady"), Event.INSERTED);
    }
    book.second(BEGIN_S + 1);
    for (int i = 0; i < 3; i++) {
      book.count(book.entry("late"), Event.INSERTED);
      book.count(book.entry("steady"), Event.INSERTED);
    }
    book.second(BEGIN_S + 10);
    assertThat(book.find("late").series).as("not twice as busy").isNull();
    for (long s = BEGIN_S + 10; s < BEGIN_S + 40; s++) {
      book.second(s);
      book.count(book.entry("late"), Event.INSERTED);
      book.count(book.entry("steady"), Event.INSERTED);
    }
    assertThat(book.find("late").series).isNotNull();
    assertThat(book.find("steady").series).isNotNull();
    assertThat(book.find("idle").series).isNull();
    assertThat(book.find("idle").total(Event.INSERTED)).as("totals stay").isEqualTo(4);
  }

  @Test
  void shouldForgetTheQueuesInWhichLeastHappensIfThereAreTooMany() {
    RateBook book = new RateBook(100, 5);
    book.second(BEGIN_S);
    book.markDead(book.entry("jobs/err"));
    for (int i = 0; i < 1_000; i++) {
      book.second(BEGIN_S + i / 10);
      book.count(book.entry("busy"), Event.CLAIMED);
      book.count(book.entry("q" + i), Event.CLAIMED);
      assertThat(book.size()).isLessThanOrEqualTo(100);
    }
    book.endSecond();
    assertThat(book.find("busy").total(Event.CLAIMED)).isEqualTo(1_000);
    assertThat(book.find("jobs/err")).isNotNull();
    assertThat(book.find("q0")).isNull();
    assertThat(book.find("q999")).isNotNull();
    assertThat(book.all().total(Event.CLAIMED)).isEqualTo(2_000);
    assertThat(book.busiest(1)).extracting(RateEntry::text).containsExactly("busy");
  }

  @Test
  void shouldKnowByItsNameThatAQueueIsDead() {
    RateBook book = new RateBook(10, 10);
    assertThat(book.entry("jobs/err").isDead).isTrue();
    assertThat(book.entry("/err").isDead).isFalse();
    assertThat(book.entry("jobs/error").isDead).isFalse();
    book.second(BEGIN_S);
    book.grow(book.entry("jobs/err"), 1);
    book.second(BEGIN_S + 1_800);
    book.grow(book.entry("jobs/err"), 1);
    book.grow(book.entry("jobs/err"), 1);
    DeadTrend trend = book.find("jobs/err").trend;
    assertThat(trend.growth(book.minute(), 30)).isEqualTo(2);
    assertThat(trend.growth(book.minute(), 60)).isEqualTo(3);
    assertThat(trend.growth(book.minute() + 60, 60)).isZero();
  }

  @Test
  void shouldRememberTheNewestGaps() {
    RateBook book = new RateBook(10, 10);
    for (int i = 0; i < 150; i++) {
      book.addGap(i, i + 1);
    }
    assertThat(book.gaps()).hasSize(100).contains(new RateBook.Gap(149, 150));
  }
}
