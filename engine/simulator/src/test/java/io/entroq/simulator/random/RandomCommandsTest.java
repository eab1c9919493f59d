package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.engine.state.Levels;
import io.entroq.simulator.check.LedgerConfig;
import io.entroq.simulator.check.Violation;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ledger finds no violation when the state machine executes commands that were made to be
 * difficult. {@code -Dtest.seed=N} runs one seed only, {@code -Dtest.seeds=N} with {@code -Plong}
 * sets how many there are.
 */
class RandomCommandsTest {
  private static final int SEEDS = 6;
  private static final int ACTIONS = 4_000;
  private static final int LONG_SEEDS = Integer.getInteger("test.seeds", 400);
  private static final int LONG_ACTIONS = 25_000;
  private static final int LAST_COMMANDS = 20;

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
  void shouldBreakNoInvariantWhenFedRandomCommands(long seed) {
    run(seed, ACTIONS);
  }

  @ParameterizedTest
  @MethodSource("manySeeds")
  @Tag("long")
  @Timeout(300)
  void shouldBreakNoInvariantWhenFedManyMoreCommands(long seed) {
    run(seed, LONG_ACTIONS);
  }

  @ParameterizedTest
  @EnumSource
  void shouldBreakNoInvariantInAScene(PolicyScenes.Scene scene) {
    PolicyScenes.play(scene, false);
    PolicyScenes.play(scene, true);
  }

  private static void run(long seed, int count) {
    int levels = Levels.MAX - Levels.MIN + 1;
    // The lowest bit of a seed decides whether commands are prepared: every level runs both ways.
    int level = Levels.MIN + (int) ((seed >> 1) % levels);
    try (WatchedMachine machine = WatchedMachine.of(seed)) {
      try {
        CommandGenerator generator = machine.begin(seed, level);
        for (int i = 0; i < count; i++) {
          machine.perform(generator.next());
        }
        machine.end();
      } catch (Violation violation) {
        String commands = String.join("\n", machine.ledger().lastCommands(LAST_COMMANDS));
        throw new AssertionError("seed " + seed + ", after\n" + commands, violation);
      }
    }
  }

  @Test
  void shouldGoBackWithAnEngineThatLosesItsLastRecords() {
    loseLastRecords(4, 10);
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  @Tag("long")
  void shouldGoBackWithAnEngineThatLosesItsLastRecordsManyTimes(long seed) {
    loseLastRecords(seed, 20);
  }

  private static void loseLastRecords(long seed, int lives) {
    SeededRandom chance = new SeededRandom(~seed);
    LedgerConfig config = LedgerConfig.of(Durability.DISK, true);
    try (WatchedMachine machine = new WatchedMachine(config, true, UnaryOperator.identity())) {
      CommandGenerator generator = machine.begin(seed, Levels.MAX);
      long forced = 0;
      for (int life = 0; life < lives; life++) {
        long timeMs = 0;
        for (int i = 0; i < 600; i++) {
          Action action = generator.next();
          machine.perform(action);
          timeMs = action.timeMs();
          if (chance.oneIn(30)) {
            forced = machine.machine().sequence();
            machine.ledger().onForced(forced);
            machine.ledger().onReplyLeft(forced);
          }
        }
        forced = chance.between(forced, machine.machine().sequence());
        machine.losePower(forced, timeMs);
      }
      machine.end();
      assertThat(machine.ledger().sequence()).isGreaterThan(250L * lives);
    }
  }
}
