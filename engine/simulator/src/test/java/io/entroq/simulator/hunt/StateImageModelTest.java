package io.entroq.simulator.hunt;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Task;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.model.ReferenceModel;
import io.entroq.simulator.model.StepAnswers;
import io.entroq.simulator.workload.CommandGenerator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A state that was frozen, written down on another thread while commands went on, and loaded again,
 * is the same for ever: digests, answers and listings at every record of the rest of the log.
 */
class StateImageModelTest {
  private static final int ACTIONS = 2_500;
  private static final int FIRST_SEED = 201;
  private static final int SEEDS = 4;
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
  @Timeout(120)
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

  @ParameterizedTest
  @ValueSource(longs = {301, 302})
  @Timeout(120)
  void shouldLoadWhatWasFrozenAtEveryRecord(long given) {
    long seed = Long.getLong("test.seed", given);
    EngineUnderTest original = new EngineUnderTest(Shapes.of((int) seed));
    for (LoggedRecord entry : log(seed, 700)) {
      original.apply(entry);
      FrozenState frozen = original.machine().freeze();
      Chunks chunks = new Chunks();
      frozen.writeTo(chunks);
      original.machine().thaw();
      StateMachine loaded = chunks.load(Shapes.of((int) entry.sequence()));
      String at = "seed " + seed + ", " + entry;
      assertThat(digests(loaded)).as(at).isEqualTo(digests(original.machine()));
      if (entry.sequence() % 50 == 0) {
        assertSame(original, new EngineUnderTest(loaded), entry.logTimeMs(), at);
      }
      loaded.close();
    }
    original.machine().close();
  }

  private static void freezeAtRandom(long seed, int actions, int freezes) throws Exception {
    System.out.println("seed " + seed);
    List<LoggedRecord> log = log(seed, actions);
    SplittableRandom dice = new SplittableRandom(~seed);
    EngineUnderTest original = new EngineUnderTest(Shapes.of(dice.nextInt(Shapes.COUNT)));
    List<Copy> copies = new ArrayList<>();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    try {
      Freezing freezing = null;
      for (LoggedRecord entry : log) {
        if (freezing == null && dice.nextInt(log.size()) < freezes) {
          freezing = new Freezing(original.machine(), writer, dice, entry.sequence() - 1);
        } else if (freezing != null && freezing.isDone()) {
          copies.add(freezing.thaw(original.machine(), Shapes.of(dice.nextInt(Shapes.COUNT))));
          freezing = null;
        }
        StepAnswers answers = original.apply(entry);
        List<Long> digests = digests(original.machine());
        for (Copy copy : copies) {
          copy.follow(log, entry.sequence(), answers, digests);
        }
        if (copies.size() > COPIES_MAX) {
          copies.remove(0).end(original, entry.logTimeMs(), seed);
        }
      }
      if (freezing != null) {
        copies.add(freezing.thaw(original.machine(), Shapes.of(1)));
      }
    } finally {
      writer.shutdown();
    }
    long nowMs = log.get(log.size() - 1).logTimeMs();
    for (Copy copy : copies) {
      copy.catchUp(log, log.size());
      copy.end(original, nowMs, seed);
    }
    original.machine().close();
  }

  private static List<LoggedRecord> log(long seed, int actions) {
    ReferenceModel model = new ReferenceModel();
    CommandGenerator generator = new CommandGenerator(seed, model.view());
    Beginning beginning = Beginning.of(seed, generator.startMs());
    World world = new World(model, beginning, Feeding.PREPARED, Distortion.NONE);
    for (int i = 0; i < actions; i++) {
      world.perform(generator.next());
    }
    return world.log();
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
      EngineUnderTest expected, EngineUnderTest actual, long nowMs, String at) {
    assertThat(digests(actual.machine())).as(at).isEqualTo(digests(expected.machine()));
    assertThat(actual.machine().recomputeContentDigest())
        .as(at)
        .isEqualTo(expected.machine().contentDigest());
    List<QueueStats> queues = queues(expected, nowMs);
    assertThat(queues(actual, nowMs)).as(at).isEqualTo(queues);
    assertThat(queues(actual, nowMs + 1_000)).as(at).isEqualTo(queues(expected, nowMs + 1_000));
    for (QueueStats queue : queues) {
      ListTasks query = ListTasks.newBuilder().setQueue(queue.getName()).build();
      List<Task> tasks = tasks(expected, query, nowMs);
      assertThat(tasks(actual, query, nowMs)).as(at).isEqualTo(tasks);
    }
  }

  private static List<Task> tasks(EngineUnderTest engine, ListTasks query, long nowMs) {
    List<Task> tasks = new ArrayList<>(engine.list(query, nowMs));
    tasks.sort(
        Comparator.comparingLong((Task task) -> task.getId().getHigh())
            .thenComparingLong(task -> task.getId().getLow()));
    return tasks;
  }

  private static List<QueueStats> queues(EngineUnderTest engine, long nowMs) {
    List<QueueStats> queues = new ArrayList<>(engine.list(ListQueues.getDefaultInstance(), nowMs));
    queues.sort(Comparator.comparing(QueueStats::getName));
    return queues;
  }

  /** A frozen state that another thread writes, now and then with a pause or giving up half way. */
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
      // A first freeze that comes to nothing, so that this one begins with blocks held back.
      if (dice.nextInt(3) == 0) {
        machine.freeze().release();
        machine.thaw();
      } else if (dice.nextInt(3) == 0) {
        giveUp(machine);
      }
      // With room for one copy the engine has to wait for the writer all the time.
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
      return new Copy(new EngineUnderTest(loaded), sequence);
    }
  }

  /** A loaded state that is to follow the original. */
  private static final class Copy {
    private final EngineUnderTest engine;
    private final long loadedAt;

    Copy(EngineUnderTest engine, long loadedAt) {
      this.engine = engine;
      this.loadedAt = loadedAt;
    }

    void follow(List<LoggedRecord> log, long sequence, StepAnswers answers, List<Long> digests) {
      catchUp(log, sequence - 1);
      StepAnswers mine = engine.apply(log.get((int) sequence - 1));
      assertThat(mine.answers()).as("%s at %d", this, sequence).isEqualTo(answers.answers());
      assertThat(digests(engine.machine())).as("%s at %d", this, sequence).isEqualTo(digests);
    }

    /** Applies the records that came while the image was written. */
    void catchUp(List<LoggedRecord> log, long sequence) {
      while (engine.machine().sequence() < sequence) {
        engine.apply(log.get((int) engine.machine().sequence()));
      }
    }

    void end(EngineUnderTest original, long nowMs, long seed) {
      assertSame(original, engine, nowMs, "seed " + seed + ", " + this);
      engine.machine().close();
    }

    @Override
    public String toString() {
      return "copy of record " + loadedAt;
    }
  }
}
