package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Tick;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who waits, who is served, and in which order. */
class ServeTest extends StateTestBase {
  private static final int STEP_MAX = 1_000;

  @Test
  void shouldServeTheOldestWaiterFirst() {
    long first = parked(1, 1, "q");
    long second = parked(2, 1, "q");
    insert("q", 1);
    assertThat(answered()).containsExactly(machine.sequence(), first);
    insert("q", 2);
    assertThat(answered()).containsExactly(machine.sequence(), second);
  }

  @Test
  void shouldServeQueuesInTheOrderOfTheRequestWhenAModifyFillsSeveral() {
    long first = parked(1, 1, "a");
    long second = parked(2, 1, "b");
    long third = parked(3, 1, "a");
    apply(
        modify(ANN)
            .addInserts(insert("b", 1, nowMs))
            .addInserts(insert("a", 2, nowMs))
            .addInserts(insert("a", 3, nowMs)));
    assertThat(answered()).containsExactly(machine.sequence(), second, first, third);
  }

  @Test
  void shouldServeQueuesInTheOrderOfTheirArrivalTimesWhenTimePasses() {
    long first = parked(1, 1, "a");
    long second = parked(2, 1, "b");
    apply(modify(ANN).addInserts(insert("a", 1, nowMs + 20)));
    apply(modify(ANN).addInserts(insert("b", 2, nowMs + 10)));
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 10);
    later(30);
    assertThat(answered()).containsExactly(second, first);
  }

  @Test
  void shouldServeAWaiterOnceWhenSeveralOfItsQueuesFill() {
    long parked = parked(1, 1, "a", "b");
    apply(modify(ANN).addInserts(insert("a", 1, nowMs)).addInserts(insert("b", 2, nowMs)));
    assertThat(said.of(parked).claimed).hasSize(1);
    assertThat(queues(nowMs).values()).extracting(Figures::available).containsOnlyOnce(0, 1);
  }

  @Test
  void shouldParkAClaimOnceOnAQueueThatItNamesTwice() {
    long parked = parked(1, 1, "q", "r", "q", "q");
    assertThat(machine.stores.waiters.membershipCount()).isEqualTo(2);
    insert("q", 1);
    assertThat(answered()).containsExactly(machine.sequence(), parked);
    assertThat(machine.stores.waiters.membershipCount()).isZero();
  }

  @Test
  void shouldHaveNothingToDoAtATimeForWhichNobodyWaitsAnyMore() {
    parked(1, 1, "q");
    parked(2, 1, "q", "r");
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 10)));
    apply(modify(ANN).addInserts(insert("r", 2, nowMs + 20)));
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 10);
    cancel(1, 1);
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 10);
    cancel(2, 1);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldServeBeforeItTimesOutWhenBothAreDue() {
    apply(wait(request(1, 1), nowMs + 10, "q"));
    long parked = machine.sequence();
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 10)));
    later(10);
    assertThat(said.of(parked).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldTimeOutByDeadlineThenByAgeWhenSeveralAreDue() {
    apply(wait(request(1, 1), nowMs + 20, "q"));
    apply(wait(request(2, 1), nowMs + 10, "q"));
    apply(wait(request(3, 1), nowMs + 10, "q"));
    long last = machine.sequence();
    later(30);
    assertThat(answered()).containsExactly(last - 1, last, last - 2);
    assertThat(said.answers).extracting(answer -> answer.code).containsOnly(ResultCodes.TIMED_OUT);
  }

  @Test
  void shouldTimeOutAtOnceWhenTheDeadlineHasPassed() {
    assertThat(apply(wait(request(1, 1), nowMs, "q")).code).isEqualTo(ResultCodes.TIMED_OUT);
  }

  @Test
  void shouldAssignAThousandTasksInOneStepAndTheRestInTheNext() {
    long first = parked(1, STEP_MAX - 100, "q");
    long second = parked(2, 300, "q");
    long third = parked(3, 1, "q");
    Modify.Builder many = modify(ANN);
    for (int i = 1; i <= STEP_MAX + 50; i++) {
      many.addInserts(insert("q", i, nowMs));
    }
    apply(many);
    assertThat(answered()).containsExactly(machine.sequence(), first, second);
    assertThat(said.of(first).claimed).hasSize(STEP_MAX - 100);
    assertThat(said.of(second).claimed).as("what the step has left").hasSize(100);
    assertThat(machine.nextDeadlineMs()).as("more to do at once").isLessThanOrEqualTo(nowMs);

    apply(Tick.getDefaultInstance());
    assertThat(answered()).containsExactly(third);
    assertThat(queues(nowMs).get("q").available()).isEqualTo(49);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldGoOnServingBeforeTheNextCommandWhenNoTickCame() {
    long first = parked(1, STEP_MAX, "q");
    long second = parked(2, 1, "q");
    Modify.Builder many = modify(ANN);
    for (int i = 1; i <= STEP_MAX + 1; i++) {
      many.addInserts(insert("q", i, nowMs));
    }
    apply(many);
    assertThat(answered()).containsExactly(machine.sequence(), first);
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(answered()).containsExactly(second, machine.sequence());
  }

  /** A waiting claim of a client; its sequence. */
  private long parked(long client, int limit, String... queues) {
    assertThat(apply(wait(request(client, 1), NEVER, queues).setLimit(limit))).isNull();
    return machine.sequence();
  }

  /** The requests that the last step answered, in order. */
  private List<Long> answered() {
    return said.answers.stream().map(answer -> answer.requestSequence).toList();
  }
}
