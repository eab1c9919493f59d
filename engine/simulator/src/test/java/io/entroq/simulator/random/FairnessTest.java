package io.entroq.simulator.random;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every queue with work is equally likely to be chosen. Within a queue, half of the claims take the
 * oldest task, and the other half take any task with equal probability.
 */
class FairnessTest {
  private static final long NOW_MS = 1_700_000_000_000L;

  /** Values that chance exceeds once in a million, by degrees of freedom. */
  private static final double CHI_SQUARE_3 = 30.7;

  private static final double CHI_SQUARE_9 = 45.1;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final AnswerRecorder recorder = new AnswerRecorder();
  private long sequence;
  private long nextId = 1;

  @BeforeEach
  void begin() {
    long seed = Long.getLong("test.seed", 7);
    apply(Genesis.newBuilder().setLogIdHigh(1).setSeed(seed).setLevel(Levels.MAX).build());
  }

  @Test
  void shouldChooseEachQueueEquallyOftenWhenLengthsDiffer() {
    int[] lengths = {300, 60, 20, 1};
    for (int i = 0; i < lengths.length; i++) {
      insert("queue-" + i, lengths[i]);
    }
    int claims = 20_000;
    double[] seen = new double[lengths.length];
    for (int i = 0; i < claims; i++) {
      Task task = claim(0, "queue-0", "queue-1", "queue-2", "queue-3");
      seen[task.getQueue().charAt("queue-".length()) - '0']++;
    }
    double[] expected = new double[lengths.length];
    Arrays.fill(expected, claims / (double) lengths.length);
    assertThat(chiSquare(seen, expected)).as(Arrays.toString(seen)).isLessThan(CHI_SQUARE_3);
  }

  @Test
  void shouldChooseOnlyAmongQueuesWithWorkWhenSomeAreEmpty() {
    insert("full", 5);
    for (int i = 0; i < 100; i++) {
      assertThat(claim(0, "empty", "full", "none").getQueue()).isEqualTo("full");
    }
  }

  @Test
  void shouldChooseTheOldestHalfOfTheTimeAndElseAnyEquallyWhenManyAreAvailable() {
    int length = 10;
    int rounds = 10_000;
    double[] seen = new double[length];
    for (int round = 0; round < rounds; round++) {
      String queue = "round-" + round;
      long firstId = nextId;
      insert(queue, length);
      seen[(int) (claim(3_600_000, queue).getId().getLow() - firstId)]++;
    }
    double[] expected = new double[length];
    Arrays.fill(expected, rounds / 2.0 / length);
    expected[0] += rounds / 2.0;
    assertThat(chiSquare(seen, expected)).as(Arrays.toString(seen)).isLessThan(CHI_SQUARE_9);
  }

  @Test
  void shouldChooseEveryTaskSoonerOrLaterWhenAQueueIsLong() {
    int length = 1_000;
    insert("long", length);
    Set<Long> seen = new HashSet<>();
    for (int i = 0; i < 30 * length; i++) {
      seen.add(claim(0, "long").getId().getLow());
    }
    assertThat(seen).hasSize(length);
  }

  @Test
  void shouldNotLetTheOldestTaskWaitWhenYoungerOnesKeepComing() {
    long oldest = nextId;
    insert("busy", 1);
    boolean isClaimed = false;
    for (int i = 0; i < 64 && !isClaimed; i++) {
      insert("busy", 2);
      isClaimed = claim(3_600_000, "busy").getId().getLow() == oldest;
    }
    assertThat(isClaimed).isTrue();
  }

  private void insert(String queue, int count) {
    Modify.Builder modify = Modify.newBuilder();
    for (int i = 0; i < count; i++) {
      TaskData data = TaskData.newBuilder().setQueue(queue).setArrivalMs(NOW_MS).build();
      Id id = Id.newBuilder().setHigh(1).setLow(nextId++).build();
      modify.addInserts(Insert.newBuilder().setId(id).setData(data));
    }
    apply(modify.build());
  }

  private Task claim(long leaseMs, String... queues) {
    return apply(Claim.newBuilder().addAllQueues(List.of(queues)).setLeaseMs(leaseMs).build())
        .getClaimed(0);
  }

  private Result apply(Message command) {
    LoggedRecord.of(command, NOW_MS, ++sequence).applyTo(machine, recorder);
    List<AnswerRecorder.Answer> answers = recorder.take();
    return answers.isEmpty() ? Result.getDefaultInstance() : answers.get(0).result();
  }

  private static double chiSquare(double[] seen, double[] expected) {
    double sum = 0;
    for (int i = 0; i < seen.length; i++) {
      sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    }
    return sum;
  }
}
