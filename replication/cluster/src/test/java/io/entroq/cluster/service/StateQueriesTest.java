package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.EntroQException;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Everybody who asks is told something. */
class StateQueriesTest {
  private final StateQueries queries = new StateQueries();
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  @Test
  void shouldAnswerAll() {
    CompletableFuture<Integer> first = queries.ask(StateMachine::parkedCount);
    CompletableFuture<Long> second = queries.ask(StateMachine::sequence);

    assertThat(queries.answer(machine)).isEqualTo(2);

    assertThat(first).isCompletedWithValue(0);
    assertThat(second).isCompletedWithValue(0L);
    assertThat(queries.answer(machine)).isZero();
  }

  @Test
  void shouldTellWhatWentWrong() {
    CompletableFuture<Integer> asked =
        queries.ask(
            state -> {
              throw new AssertionError("of the question");
            });
    queries.answer(machine);
    assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("of the question");
  }

  @Test
  void shouldRefuseMoreThanThereIsRoomFor() {
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 1_025; i++) {
      asked.add(queries.ask(StateMachine::parkedCount));
    }
    assertThatThrownBy(() -> asked.get(1_024).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
    queries.answer(machine);
    assertThat(asked.subList(0, 1_024))
        .allSatisfy(each -> assertThat(each).isCompletedWithValue(0));
  }

  @Test
  void shouldTellThatNobodyAnswersAnyMore() {
    CompletableFuture<Integer> before = queries.ask(StateMachine::parkedCount);
    queries.end();
    CompletableFuture<Integer> lagging = queries.ask(StateMachine::parkedCount);
    for (CompletableFuture<Integer> each : List.of(before, lagging)) {
      assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("the member has ended");
    }
  }
}
