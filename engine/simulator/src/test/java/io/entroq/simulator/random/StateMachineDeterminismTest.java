package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.AnswerRecorder.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One log, one state: with any capacities, every copy is equal at every record. */
class StateMachineDeterminismTest {
  private static final int ACTIONS = 2_000;
  private static final int LONG_ACTIONS = 4_000;

  @ParameterizedTest
  @ValueSource(longs = {101, 103})
  void shouldHaveEqualDigestsAndAnswersAtEveryRecordWhenCapacitiesDiffer(long given) {
    compare(Long.getLong("test.seed", given), ACTIONS);
  }

  @ParameterizedTest
  @ValueSource(longs = {101, 102, 103, 104})
  @Tag("long")
  void shouldHaveEqualDigestsAndAnswersAtManyRecordsWhenCapacitiesDiffer(long given) {
    compare(Long.getLong("test.seed", given), LONG_ACTIONS);
  }

  private static void compare(long seed, int actions) {
    List<StateMachine> copies = new ArrayList<>();
    for (int shape = 0; shape < Shapes.COUNT; shape++) {
      copies.add(new StateMachine(Shapes.of(shape)));
    }
    AnswerRecorder recorder = new AnswerRecorder();
    for (LoggedRecord entry : WatchedMachine.log(seed, Levels.MAX, actions)) {
      StateMachine first = copies.get(0);
      entry.applyTo(first, recorder);
      List<Answer> answers = recorder.take();
      for (StateMachine copy : copies.subList(1, copies.size())) {
        entry.applyTo(copy, recorder);
        assertThat(recorder.take()).as("record %s", entry).isEqualTo(answers);
        assertThat(state(copy)).as("record %s", entry).isEqualTo(state(first));
      }
    }
    copies.forEach(StateMachine::close);
  }

  private static List<Long> state(StateMachine machine) {
    return List.of(
        machine.historyDigest(),
        machine.contentDigest(),
        machine.nextDeadlineMs(),
        machine.taskCount());
  }
}
