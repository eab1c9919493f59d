package io.entroq.simulator.virtual;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventQueueTest {
  private static final int EVENTS = 3_000;

  private record Planned(long timeNs, int number) {}

  /** The expected events, in the order in which they were scheduled. */
  private final List<Planned> planned = new ArrayList<>();

  private final List<Planned> happened = new ArrayList<>();
  private final EventQueue events = new EventQueue();
  private int asked;

  private void plan(SeededRandom random) {
    // Few different times, so that many events share one; some times have passed.
    long timeNs = events.nowNs() + random.between(-5, 40);
    Planned plan = new Planned(Math.max(timeNs, events.nowNs()), asked);
    asked++;
    planned.add(plan);
    events.at(timeNs, () -> happen(plan, random));
  }

  private void happen(Planned plan, SeededRandom random) {
    happened.add(plan);
    assertThat(events.nowNs()).isEqualTo(plan.timeNs());
    Planned next = planned.stream().min(Comparator.comparingLong(Planned::timeNs)).orElseThrow();
    assertThat(plan).isEqualTo(next);
    planned.remove(plan);
    for (int i = random.below(3); i > 0 && asked < EVENTS; i--) {
      plan(random);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldHaveEverythingHappenInTheOrderOfTimeAndOfAsking(long seed) {
    SeededRandom random = new SeededRandom(seed);
    for (int i = 0; i < EVENTS / 4; i++) {
      plan(random);
    }
    while (events.step()) {
      // Each event checks the order itself.
    }

    assertThat(planned).isEmpty();
    assertThat(happened).hasSize(asked);
    assertThat(events.nextNs()).isEqualTo(Long.MAX_VALUE);
  }
}
