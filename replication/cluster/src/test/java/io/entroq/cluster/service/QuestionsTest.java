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
class QuestionsTest {
  private final Questions questions = new Questions();
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  @Test
  void shouldAnswerAll() {
    CompletableFuture<Integer> first = questions.ask(StateMachine::parkedCount);
    CompletableFuture<Long> second = questions.ask(StateMachine::sequence);

    assertThat(questions.answer(machine)).isEqualTo(2);

    assertThat(first).isCompletedWithValue(0);
    assertThat(second).isCompletedWithValue(0L);
    assertThat(questions.answer(machine)).isZero();
  }

  @Test
  void shouldTellWhatWentWrong() {
    CompletableFuture<Integer> asked =
        questions.ask(
            state -> {
              throw new AssertionError("of the question");
            });
    questions.answer(machine);
    assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS))
        .hasRootCauseMessage("of the question");
  }

  @Test
  void shouldRefuseMoreThanThereIsRoomFor() {
    List<CompletableFuture<Integer>> asked = new ArrayList<>();
    for (int i = 0; i < 1_025; i++) {
      asked.add(questions.ask(StateMachine::parkedCount));
    }
    assertThatThrownBy(() -> asked.get(1_024).get(10, TimeUnit.SECONDS))
        .hasCauseInstanceOf(EntroQException.ResourceExhausted.class);
    questions.answer(machine);
    assertThat(asked.subList(0, 1_024))
        .allSatisfy(each -> assertThat(each).isCompletedWithValue(0));
  }

  @Test
  void shouldTellThatNobodyAnswersAnyMore() {
    CompletableFuture<Integer> before = questions.ask(StateMachine::parkedCount);
    questions.end();
    CompletableFuture<Integer> behind = questions.ask(StateMachine::parkedCount);
    for (CompletableFuture<Integer> each : List.of(before, behind)) {
      assertThatThrownBy(() -> each.get(10, TimeUnit.SECONDS))
          .hasRootCauseMessage("the member has ended");
    }
  }
}
