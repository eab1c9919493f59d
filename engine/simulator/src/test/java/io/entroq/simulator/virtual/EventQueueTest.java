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

  /** What is to happen, in the order in which it was asked for. */
  private final List<Planned> planned = new ArrayList<>();

  private final List<Planned> happened = new ArrayList<>();
  private final EventQueue agenda = new EventQueue();
  private int asked;

  private void plan(SeededRandom chance) {
    // Few different times, so that many events share one; some of them have passed.
    long timeNs = agenda.nowNs() + chance.between(-5, 40);
    Planned plan = new Planned(Math.max(timeNs, agenda.nowNs()), asked);
    asked++;
    planned.add(plan);
    agenda.at(timeNs, () -> happen(plan, chance));
  }

  private void happen(Planned plan, SeededRandom chance) {
    happened.add(plan);
    assertThat(agenda.nowNs()).isEqualTo(plan.timeNs());
    Planned next = planned.stream().min(Comparator.comparingLong(Planned::timeNs)).orElseThrow();
    assertThat(plan).isEqualTo(next);
    planned.remove(plan);
    for (int i = chance.below(3); i > 0 && asked < EVENTS; i--) {
      plan(chance);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldHaveEverythingHappenInTheOrderOfTimeAndOfAsking(long seed) {
    SeededRandom chance = new SeededRandom(seed);
    for (int i = 0; i < EVENTS / 4; i++) {
      plan(chance);
    }
    while (agenda.step()) {
      // Each event looks at the order itself.
    }

    assertThat(planned).isEmpty();
    assertThat(happened).hasSize(asked);
    assertThat(agenda.nextNs()).isEqualTo(Long.MAX_VALUE);
  }
}
