package io.entroq.simulator.hunt;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.model.StepAnswers;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One log, one state: whatever the capacities, every copy is the same at every record. */
class StateMachineDeterminismTest {
  private static final int ACTIONS = 4_000;

  @ParameterizedTest
  @ValueSource(longs = {101, 102, 103, 104})
  @Timeout(60)
  void shouldHaveEqualDigestsAndAnswersAtEveryRecordWhenCapacitiesDiffer(long seed) {
    List<LoggedRecord> log = log(Long.getLong("test.seed", seed));
    List<EngineUnderTest> copies = new ArrayList<>();
    for (int shape = 0; shape < Shapes.COUNT; shape++) {
      copies.add(new EngineUnderTest(Shapes.of(shape)));
    }
    for (LoggedRecord entry : log) {
      StepAnswers first = copies.get(0).apply(entry);
      for (EngineUnderTest copy : copies.subList(1, copies.size())) {
        StepAnswers answers = copy.apply(entry);
        assertThat(answers.answers()).as("record %s", entry).isEqualTo(first.answers());
        assertThat(state(copy)).as("record %s", entry).isEqualTo(state(copies.get(0)));
      }
    }
  }

  private static List<LoggedRecord> log(long seed) {
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(seed, model.view());
    Beginning beginning = Beginning.of(seed, generator.startMs());
    World world = new World(model, beginning, Feeding.PREPARED, Distortion.NONE);
    for (int i = 0; i < ACTIONS; i++) {
      world.perform(generator.next());
    }
    return world.log();
  }

  private static List<Long> state(EngineUnderTest engine) {
    return List.of(
        engine.machine().historyDigest(),
        engine.machine().contentDigest(),
        engine.machine().nextDeadlineMs(),
        engine.machine().taskCount());
  }
}
