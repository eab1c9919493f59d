package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.AnswerRecorder.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One log, one state: with any capacities, every copy is equal at every record. */
class StateMachineDeterminismTest {
  private static final int ACTIONS = 4_000;

  @ParameterizedTest
  @ValueSource(longs = {101, 102, 103, 104})
  @Timeout(60)
  void shouldHaveEqualDigestsAndAnswersAtEveryRecordWhenCapacitiesDiffer(long given) {
    long seed = Long.getLong("test.seed", given);
    List<StateMachine> copies = new ArrayList<>();
    for (int shape = 0; shape < Shapes.COUNT; shape++) {
      copies.add(new StateMachine(Shapes.of(shape)));
    }
    AnswerRecorder recorder = new AnswerRecorder();
    for (LoggedRecord entry : WatchedMachine.log(seed, Levels.MAX, ACTIONS)) {
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
