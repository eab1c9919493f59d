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

/** Every query gets an answer or a failure. */
class StateQueriesTest {
  private final StateQueries queries = new StateQueries();
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  @Test
  void shouldRunAllQueries() {
    CompletableFuture<Integer> first = queries.submit(StateMachine::parkedCount);
    CompletableFuture<Long> second = queries.submit(StateMachine::sequence);

    assertThat(queries.run(machine)).isEqualTo(2);

    assertThat(first).isCompletedWithValue(0);
    assertThat(second).isCompletedWithValue(0L);
    assertThat(queries.run(machine)).isZero();
  }

  @Test
  void shouldReportFailures() {
    CompletableFuture<Integer> asked =
        queries.submit(
            state -> {
              throw new AssertionError("of the question");
            });
    queries.run(machine);
    assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("of the question");
  }

  @Test
  void shouldRefuseTooManyQueries() {
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 1_025; i++) {
      asked.add(queries.submit(StateMachine::parkedCount));
    }
    assertThatThrownBy(() -> asked.get(1_024).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
    queries.run(machine);
    assertThat(asked.subList(0, 1_024))
        .allSatisfy(each -> assertThat(each).isCompletedWithValue(0));
  }

  @Test
  void shouldFailQueriesAfterTheEnd() {
    CompletableFuture<Integer> before = queries.submit(StateMachine::parkedCount);
    queries.end();
    CompletableFuture<Integer> lagging = queries.submit(StateMachine::parkedCount);
    for (CompletableFuture<Integer> each : List.of(before, lagging)) {
      assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("the member has ended");
    }
  }
}
