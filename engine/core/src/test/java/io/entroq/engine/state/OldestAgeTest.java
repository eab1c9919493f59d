package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.wire.log.Insert;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The oldest available task by arrival time, however tasks became ready. */
class OldestAgeTest extends StateTestBase {
  private static final int STEPS = 3_000;
  private static final int IDS = 200;
  private static final String[] QUEUES = {"a", "b"};

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  OldestAgeTest() {
    super(new StateMachineConfig(2, 1, 1));
    System.out.println("OldestAgeTest: -Dtest.seed=" + seed);
  }

  @Test
  void shouldTellTheAgeOfTheFirstArrivedEvenIfItBecameReadyLast() {
    insertAt("a", 1, nowMs);
    insertAt("a", 2, nowMs - 500);
    insertAt("a", 3, nowMs - 100);

    assertThat(oldestAges(machine, nowMs)).isEqualTo(Map.of("a", 500L));
    delete(2);
    assertThat(oldestAges(machine, nowMs)).isEqualTo(Map.of("a", 100L));
    delete(1);
    assertThat(oldestAges(machine, nowMs + 7)).isEqualTo(Map.of("a", 107L));
  }

  @Test
  void shouldCountFromTheMillisecondATaskIsDueThoughNoCommandHasComeBy() {
    insertAt("a", 1, nowMs + 10);

    assertThat(oldestAges(machine, nowMs + 9)).isEmpty();
    assertThat(oldestAges(machine, nowMs + 10)).isEqualTo(Map.of("a", 0L));
    assertThat(oldestAges(machine, nowMs + 30)).isEqualTo(Map.of("a", 20L));
  }

  @Test
  void shouldTakeUpTheAgeOfATaskThatIsGivenBack() {
    insertAt("a", 1, nowMs - 5_000);
    apply(claim(ANN, "a").setIdentity(request(1, 1)));
    insertAt("a", 2, nowMs);
    assertThat(oldestAges(machine, nowMs)).isEqualTo(Map.of("a", 0L));

    cancel(1, 1);

    assertThat(oldestAges(machine, nowMs)).isEqualTo(Map.of("a", 5_000L));
  }

  @Test
  void shouldTellTheGreatestAgeWhenADurationLeadsToTheBeginningOfTime() {
    Insert.Builder insert = insert("a", 1, 0).toBuilder();
    insert.getDataBuilder().setByMs(Long.MIN_VALUE);
    apply(modify(ANN).addInserts(insert));

    assertThat(oldestAges(machine, nowMs)).isEqualTo(Map.of("a", Long.MAX_VALUE));
  }

  /** With arrival times between the last minute and the next, and with all of them going back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldTellTheAgeThatLookingAtEveryTaskGives(boolean goesBack) {
    for (int i = 0; i < STEPS; i++) {
      long arrivalMs = goesBack ? nowMs - i : nowMs + random.nextInt(120_000) - 60_000;
      write(1 + random.nextInt(IDS), QUEUES[random.nextInt(QUEUES.length)], arrivalMs);
      if (i % 7 == 0) {
        apply(claim(ANN, QUEUES[random.nextInt(QUEUES.length)]).setLeaseMs(random.nextInt(5_000)));
      }
      if (i % 5 == 0) {
        later(random.nextInt(200));
      }
      long atMs = nowMs + random.nextInt(300);
      assertThat(oldestAges(machine, atMs)).as("seed %d, step %d", seed, i).isEqualTo(looked(atMs));
      if (i % 500 == 499) {
        assertLoadedAlike(atMs);
      }
    }
  }

  /** Inserts a task, or changes or deletes the one that has the id. */
  private void write(long id, String queue, long arrivalMs) {
    Shot task = find(id);
    if (task == null) {
      insertAt(queue, id, arrivalMs);
    } else if (random.nextInt(3) > 0) {
      apply(modify(ANN).addChanges(change(queue, id, task.version(), arrivalMs)));
    } else {
      delete(id);
    }
  }

  private void insertAt(String queue, long id, long arrivalMs) {
    apply(modify(ANN).addInserts(insert(queue, id, arrivalMs)));
  }

  private void delete(long id) {
    apply(modify(ANN).addDeletes(ref(id, find(id).version())));
  }

  private Map<String, Long> looked(long atMs) {
    return ages(tasks(), atMs);
  }

  private List<Shot> tasks() {
    return LongStream.rangeClosed(1, IDS).mapToObj(this::find).filter(Objects::nonNull).toList();
  }

  private static Map<String, Long> ages(List<Shot> tasks, long atMs) {
    Map<String, Long> ages = new HashMap<>();
    for (Shot task : tasks) {
      if (task.arrivalMs() <= atMs) {
        ages.merge(task.queue(), atMs - task.arrivalMs(), Math::max);
      }
    }
    return ages;
  }

  /** What is loaded from an image knows the ages too, down to the last task. */
  private void assertLoadedAlike(long atMs) {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    machine.freeze().writeTo(loader);
    machine.thaw();
    List<Shot> left = new ArrayList<>(tasks());
    Collections.shuffle(left, random);
    try (StateMachine loaded = loader.finish()) {
      while (!left.isEmpty()) {
        assertThat(oldestAges(loaded, atMs)).as("seed %d", seed).isEqualTo(ages(left, atMs));
        Shot task = left.remove(0);
        applyTo(loaded, modify(ANN).addDeletes(ref(task.id(), task.version())).build());
      }
      assertThat(loaded.taskCount()).isZero();
    }
  }
}
