package io.entroq.simulator.hunt;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The state machine does what the model says, for many seeds. {@code -Dtest.seed=N} runs one seed
 * only, {@code -Dtest.seeds=N} with {@code -Plong} sets how many the long hunt takes.
 */
class StateMachineModelTest {
  private static final int SEEDS = 6;
  private static final int ACTIONS = 5_000;

  private static final int LONG_SEEDS = Integer.getInteger("test.seeds", 400);
  private static final int LONG_ACTIONS = 25_000;

  static LongStream seeds() {
    return chosen(LongStream.range(1, 1 + SEEDS));
  }

  static LongStream manySeeds() {
    return chosen(LongStream.range(1 + SEEDS, 1 + SEEDS + LONG_SEEDS));
  }

  private static LongStream chosen(LongStream seeds) {
    Long seed = Long.getLong("test.seed");
    return seed == null ? seeds : LongStream.of(seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  @Timeout(120)
  void shouldAnswerAsTheModelWhenFedRandomCommands(long seed) {
    new Hunt(seed, Distortion.NONE).run(ACTIONS);
  }

  @ParameterizedTest
  @MethodSource("manySeeds")
  @Tag("long")
  @Timeout(300)
  void shouldAnswerAsTheModelWhenFedManyMoreCommands(long seed) {
    new Hunt(seed, Distortion.NONE).run(LONG_ACTIONS);
  }
}
