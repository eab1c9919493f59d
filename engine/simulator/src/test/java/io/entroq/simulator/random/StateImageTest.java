package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.random.AnswerRecorder.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A state that was frozen, written on another thread while commands continued, and loaded again,
 * stays equal: digests, answers and listings at every record of the rest of the log.
 */
class StateImageTest {
  private static final int ACTIONS = 2_500;
  private static final int FIRST_SEED = 201;
  private static final int SEEDS = 2;
  private static final int FREEZES = 12;
  private static final int COPIES_MAX = 10;
  private static final int LONG_ACTIONS = 20_000;
  private static final int LONG_SEEDS = Integer.getInteger("test.seeds", 60);
  private static final int LONG_FREEZES = 60;

  static LongStream seeds() {
    return chosen(LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS));
  }

  static LongStream manySeeds() {
    return chosen(LongStream.range(FIRST_SEED + SEEDS, FIRST_SEED + SEEDS + LONG_SEEDS));
  }

  private static LongStream chosen(LongStream seeds) {
    Long seed = Long.getLong("test.seed");
    return seed == null ? seeds : LongStream.of(seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void shouldGoOnAsTheOriginalWhenFrozenWrittenAndLoaded(long seed) throws Exception {
    freezeAtRandom(seed, ACTIONS, FREEZES);
  }

  @ParameterizedTest
  @MethodSource("manySeeds")
  @Tag("long")
  @Timeout(600)
  void shouldGoOnAsTheOriginalWhenFrozenManyMoreTimes(long seed) throws Exception {
    freezeAtRandom(seed, LONG_ACTIONS, LONG_FREEZES);
  }

  @Test
  void shouldLoadWhatWasFrozenAtEveryRecord() {
    freezeAtEveryRecord(Long.getLong("test.seed", 302), 250);
  }

  @ParameterizedTest
  @ValueSource(longs = {301, 302})
  @Tag("long")
  void shouldLoadWhatWasFrozenAtEveryRecordOfMany(long given) {
    freezeAtEveryRecord(Long.getLong("test.seed", given), 700);
  }

  private static void freezeAtEveryRecord(long seed, int actions) {
    StateMachine original = new StateMachine(Shapes.of((int) seed));
    for (LoggedRecord entry : log(seed, actions)) {
      apply(entry, original);
      FrozenState frozen = original.freeze();
      Chunks chunks = new Chunks();
      frozen.writeTo(chunks);
      original.thaw();
      StateMachine loaded = chunks.load(Shapes.of((int) entry.sequence()));
      String at = "seed " + seed + ", " + entry;
      assertThat(digests(loaded)).as(at).isEqualTo(digests(original));
      if (entry.sequence() % 50 == 0) {
        assertSame(original, loaded, entry.logTimeMs(), at);
      }
      loaded.close();
    }
    original.close();
  }

  private static void freezeAtRandom(long seed, int actions, int freezes) throws Exception {
    System.out.println("seed " + seed);
    List<LoggedRecord> log = log(seed, actions);
    SplittableRandom dice = new SplittableRandom(~seed);
    StateMachine original = new StateMachine(Shapes.of(dice.nextInt(Shapes.COUNT)));
    List<Copy> copies = new ArrayList<>();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Freezing freezing = null;
      for (LoggedRecord entry : log) {
        if (freezing == null && dice.nextInt(log.size()) < freezes) {
          freezing = new Freezing(original, writer, dice, entry.sequence() - 1);
        } else if (freezing != null && freezing.isDone()) {
          copies.add(freezing.thaw(original, Shapes.of(dice.nextInt(Shapes.COUNT))));
          freezing = null;
        }
        List<Answer> answers = apply(entry, original);
        List<Long> digests = digests(original);
        for (Copy copy : copies) {
          copy.follow(log, entry.sequence(), answers, digests);
        }
        if (copies.size() > COPIES_MAX) {
          copies.remove(0).end(original, entry.logTimeMs(), seed);
        }
      }
      if (freezing != null) {
        copies.add(freezing.thaw(original, Shapes.of(1)));
      }
    } finally {
      writer.shutdown();
    }
    long nowMs = log.get(log.size() - 1).logTimeMs();
    for (Copy copy : copies) {
      copy.catchUp(log, log.size());
      copy.end(original, nowMs, seed);
    }
    original.close();
  }

  private static List<LoggedRecord> log(long seed, int actions) {
    return WatchedMachine.log(seed, Levels.MAX, actions);
  }

  private static List<Answer> apply(LoggedRecord entry, StateMachine machine) {
    AnswerRecorder recorder = new AnswerRecorder();
    entry.applyTo(machine, recorder);
    return recorder.take();
  }

  private static List<Long> digests(StateMachine machine) {
    return List.of(
        machine.sequence(),
        machine.logTimeMs(),
        machine.historyDigest(),
        machine.contentDigest(),
        machine.nextDeadlineMs(),
        machine.taskCount(),
        (long) machine.parkedCount(),
        (long) machine.clientCount());
  }

  /** Every queue with its counts, every task. */
  private static void assertSame(
      StateMachine expected, StateMachine actual, long nowMs, String at) {
    assertThat(digests(actual)).as(at).isEqualTo(digests(expected));
    assertThat(actual.recomputeContentDigest()).as(at).isEqualTo(expected.contentDigest());
    MachineView before = new MachineView(expected);
    MachineView after = new MachineView(actual);
    assertThat(after.queues(nowMs)).as(at).isEqualTo(before.queues(nowMs));
    assertThat(after.queues(nowMs + 1_000)).as(at).isEqualTo(before.queues(nowMs + 1_000));
    for (String queue : before.queueNames()) {
      assertThat(after.tasks(queue)).as(at).isEqualTo(before.tasks(queue));
    }
  }

  /** A frozen state that another thread writes, sometimes with a pause or abandoned halfway. */
  private static final class Freezing {
    private final Chunks chunks = new Chunks();
    private final FrozenState frozen;
    private final Future<?> writing;
    private final long sequence;
    private final long wantedRecords;
    private long records;

    Freezing(StateMachine machine, ExecutorService writer, SplittableRandom dice, long sequence) {
      this.sequence = sequence;
      this.wantedRecords = dice.nextInt(200);
      // A first freeze that is abandoned, so that this one begins with retained blocks.
      if (dice.nextInt(3) == 0) {
        machine.freeze().release();
        machine.thaw();
      } else if (dice.nextInt(3) == 0) {
        giveUp(machine);
      }
      // With room for one copy, the engine often waits for the writer.
      frozen = dice.nextInt(3) == 0 ? machine.freeze(1) : machine.freeze();
      writing = writer.submit(() -> frozen.writeTo(chunks));
    }

    private static void giveUp(StateMachine machine) {
      FrozenState abandoned = machine.freeze();
      RuntimeException full = new IllegalStateException("disk full");
      try {
        abandoned.writeTo(
            (kind, items, buffer, offset, length) -> {
              throw full;
            });
      } catch (IllegalStateException e) {
        assertThat(e).isSameAs(full);
      }
      machine.thaw();
    }

    boolean isDone() {
      return ++records > wantedRecords && writing.isDone();
    }

    Copy thaw(StateMachine machine, StateMachineConfig config) throws Exception {
      writing.get();
      frozen.release();
      machine.thaw();
      StateMachine loaded = chunks.load(config);
      assertThat(loaded.sequence()).isEqualTo(sequence).isEqualTo(frozen.sequence());
      assertThat(loaded.contentDigest()).isEqualTo(frozen.contentDigest());
      assertThat(loaded.historyDigest()).isEqualTo(frozen.historyDigest());
      assertThat(loaded.taskCount()).isEqualTo(frozen.taskCount());
      return new Copy(loaded, sequence);
    }
  }

  /** A loaded state that follows the original. */
  private static final class Copy {
    private final StateMachine engine;
    private final long loadedAt;

    Copy(StateMachine engine, long loadedAt) {
      this.engine = engine;
      this.loadedAt = loadedAt;
    }

    void follow(List<LoggedRecord> log, long sequence, List<Answer> answers, List<Long> digests) {
      catchUp(log, sequence - 1);
      List<Answer> mine = apply(log.get((int) sequence - 1), engine);
      assertThat(mine).as("%s at %d", this, sequence).isEqualTo(answers);
      assertThat(digests(engine)).as("%s at %d", this, sequence).isEqualTo(digests);
    }

    /** Applies the records that came while the image was written. */
    void catchUp(List<LoggedRecord> log, long sequence) {
      while (engine.sequence() < sequence) {
        apply(log.get((int) engine.sequence()), engine);
      }
    }

    void end(StateMachine original, long nowMs, long seed) {
      assertSame(original, engine, nowMs, "seed " + seed + ", " + this);
      engine.close();
    }

    @Override
    public String toString() {
      return "copy of record " + loadedAt;
    }
  }
}
