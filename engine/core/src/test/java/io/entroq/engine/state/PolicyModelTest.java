package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import io.entroq.codec.wire.log.Tick;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands on queues with policies: no queue starts more than it may, and a machine that was
 * loaded from an image goes on like the one that was not.
 */
class PolicyModelTest extends PolicyTestBase {
  private static final int STEPS = 1_500;
  private static final int CLIENTS = 12;
  private static final String[] QUEUES = {"a/1", "a/2", "a/b/1", "a/b/2", "b", "c", "a/1/err"};
  private static final String[] PREFIXES = {"a/", "a/b/", "b"};
  private static final String[] LIMITERS = {"x", "y", "z"};

  private Random random = new Random();
  private final long[] numbers = new long[CLIENTS + 1];
  private int lastTask;

  private StateMachine copy;

  /** Executes live what the other machine replays. */
  private final StateMachine live = new StateMachine(StateMachineConfig.DEFAULT);

  @BeforeEach
  void beginLive() {
    commit(genesis());
  }

  @AfterEach
  void closeLive() {
    live.close();
  }

  private void prepare(Message command) {
    UnsafeBuffer payload = new UnsafeBuffer(command.toByteArray());
    live.prepare(recordType(command), payload, 0, payload.capacity(), nowMs);
  }

  private List<String> commit(Message command) {
    prepare(command);
    RecordingSink sink = new RecordingSink();
    int crc =
        new Crc32c().of(new UnsafeBuffer(command.toByteArray()), 0, command.getSerializedSize());
    live.commit(live.sequence() + 1, crc, sink);
    return told(sink);
  }

  private <T> T any(T[] of) {
    return of[random.nextInt(of.length)];
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldGoOnAlikeAfterAnImage(long seed) {
    random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      if (random.nextInt(60) == 0) {
        closeCopy();
        copy = reloaded();
      }
      nowMs += random.nextInt(3) == 0 ? random.nextInt(120) : 0;
      tickUntilDone();
      step(command());
    }
    closeCopy();
  }

  private void closeCopy() {
    if (copy != null) {
      copy.close();
      copy = null;
    }
  }

  /** As the runtime does before any command. */
  private void tickUntilDone() {
    for (int i = 0; machine.nextDeadlineMs() <= nowMs; i++) {
      assertThat(i).as("ticks at one time").isLessThan(100);
      step(Tick.getDefaultInstance());
    }
  }

  private void step(Message command) {
    if (command instanceof Claim) {
      // To check a command changes nothing.
      prepare(claimed());
    }
    apply(command);
    List<String> told = told(said);
    assertThat(commit(lastCommand)).isEqualTo(told);
    assertSame(live);
    if (copy != null) {
      Message same = lastCommand;
      RecordingSink other = applyTo(copy, same);
      assertThat(told(other)).isEqualTo(told);
      assertSame(copy);
    } else {
      assertThat(machine.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    }
  }

  private static List<String> told(RecordingSink sink) {
    List<String> told = new ArrayList<>();
    for (Answer answer : sink.answers) {
      told.add(
          answer.requestSequence
              + " "
              + answer.code
              + " "
              + answer.claimed
              + answer.inserted
              + answer.changed
              + answer.failures);
    }
    return told;
  }

  private Message command() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> inserts();
      case 4, 5 -> parked();
      case 6, 7 -> claimed();
      case 8, 9 -> finished();
      case 10 -> random.nextInt(3) == 0 ? policies().build() : inserts();
      default -> random.nextInt(3) == 0 ? pauses().build() : finished();
    };
  }

  private Message inserts() {
    Modify.Builder modify = modify(ANN);
    for (int i = random.nextInt(4); i >= 0; i--) {
      long laterMs = random.nextInt(4) == 0 ? random.nextInt(300) : 0;
      long id = random.nextInt(10) == 0 ? 1 + random.nextInt(lastTask + 1) : ++lastTask;
      if (modify.getInsertsList().stream().anyMatch(insert -> insert.getId().getLow() == id)) {
        continue;
      }
      Insert insert = insert(any(QUEUES), id, nowMs + laterMs);
      if (random.nextInt(6) == 0) {
        Insert.Builder expiring = insert.toBuilder();
        expiring.getDataBuilder().setTtlMs(random.nextInt(500) - 1);
        insert = expiring.build();
      }
      modify.addInserts(insert);
    }
    return modify.build();
  }

  private Message parked() {
    int client = 1 + random.nextInt(CLIENTS);
    long deadlineMs = random.nextBoolean() ? 0 : nowMs + 1 + random.nextInt(2_000);
    Claim.Builder claim = wait(request(client, ++numbers[client]), deadlineMs, any(QUEUES));
    if (random.nextBoolean()) {
      claim.addQueues(any(QUEUES));
    }
    claim.getIdentityBuilder().setAckedBelow(Math.max(1, numbers[client] - 3));
    return claim.setLimit(1 + random.nextInt(3)).setLeaseMs(leaseMs()).build();
  }

  private long leaseMs() {
    return random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(400);
  }

  private Message claimed() {
    return claim(BOB, any(QUEUES), any(QUEUES))
        .setLimit(1 + random.nextInt(3))
        .setLeaseMs(leaseMs())
        .build();
  }

  /** Deletes a task, moves it or gives it back. */
  private Message finished() {
    return finished(true);
  }

  /** Without changes, which may renew a lease that has ended, whatever the policy says. */
  private Message finished(boolean mayChange) {
    Modify.Builder modify = modify(random.nextBoolean() ? ANN : BOB);
    for (int i = random.nextInt(3); i >= 0; i--) {
      Shot task = lastTask == 0 ? null : find(1 + random.nextInt(lastTask));
      if (task == null || modify.toString().contains("low: " + task.id() + "\n")) {
        continue;
      }
      if (!mayChange || random.nextInt(3) > 0) {
        modify.addDeletes(
            TaskRef.newBuilder()
                .setId(task(task.id()))
                .setVersion(task.version())
                .setQueue(task.queue()));
      } else if (random.nextBoolean()) {
        Fail.Builder fail =
            Fail.newBuilder()
                .setId(task(task.id()))
                .setVersion(task.version())
                .setQueue(task.queue())
                .setErr("failed");
        if (random.nextInt(3) == 0) {
          fail.setHasDelay(true).setDelayMs(random.nextInt(200));
        }
        modify.addFails(fail);
      } else {
        String to = random.nextBoolean() ? task.queue() : any(QUEUES);
        modify.addChanges(
            Change.newBuilder()
                .setId(task(task.id()))
                .setVersion(task.version())
                .setFromQueue(task.queue())
                .setData(
                    TaskData.newBuilder()
                        .setQueue(to)
                        .setArrivalMs(nowMs + random.nextInt(3) * 100)));
      }
    }
    return modify.build();
  }

  private Modify.Builder policies() {
    Modify.Builder modify = modify(ANN);
    int kind = random.nextInt(3);
    String name = kind == 0 ? any(QUEUES) : kind == 1 ? any(PREFIXES) : any(LIMITERS);
    if (random.nextInt(4) == 0) {
      return modify.addPolicyDeletes(PolicyRef.newBuilder().setKindValue(kind).setName(name));
    }
    Policy.Builder policy = Policy.newBuilder().setKindValue(kind).setName(name);
    if (random.nextBoolean()) {
      policy
          .setRateLimit(1 + random.nextInt(20))
          .setRatePeriodMs(100 + random.nextInt(2_000))
          .setRateBurst(random.nextInt(4));
    }
    if (random.nextBoolean()) {
      policy.setInFlightMax(1 + random.nextInt(4));
    }
    if (kind != PolicyKind.POLICY_LIMITER_VALUE) {
      for (String limiter : LIMITERS) {
        if (random.nextInt(3) == 0) {
          policy.addLimiters(limiter);
        }
      }
      policy.setOrder(random.nextBoolean() ? Order.ORDER_COIN : Order.ORDER_OLDEST);
      if (random.nextInt(4) == 0) {
        policy.setOrder(Order.ORDER_STRICT).setInFlightMax(1);
      }
      addFailures(policy);
    }
    return modify.addPolicyPuts(policy);
  }

  /** What becomes of tasks that fail, lapse, expire or do not fit. */
  private void addFailures(Policy.Builder policy) {
    if (random.nextBoolean()) {
      policy
          .setRetryBaseMs(random.nextInt(200))
          .setRetryMaxMs(500)
          .setRetryJitterMilli(random.nextInt(1_000))
          .setAttemptsMax(random.nextInt(4))
          .setLapsesMax(random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      policy.setBreakerFailures(1 + random.nextInt(3)).setBreakerPauseMs(1 + random.nextInt(300));
    }
    if (random.nextInt(3) == 0) {
      policy.setTtlMs(1 + random.nextInt(1_000));
    }
    if (random.nextInt(4) == 0 && !policy.getName().equals("c")) {
      policy.setExpiredQueue("c");
    }
    if (random.nextInt(4) == 0) {
      policy.setTasksMax(5 + random.nextInt(20)).setOverflowValue(random.nextInt(2));
    }
    if (random.nextInt(4) == 0) {
      policy.setRememberIdsMs(random.nextInt(500));
    }
  }

  private Modify.Builder pauses() {
    int kind = random.nextInt(3);
    String name = kind == 0 ? any(QUEUES) : kind == 1 ? any(PREFIXES) : any(LIMITERS);
    long ms = random.nextInt(3) == 0 ? 0 : random.nextInt(6) == 0 ? -1 : random.nextInt(500);
    return modify(ANN)
        .addPauses(Pause.newBuilder().setKindValue(kind).setName(name).setPauseMs(ms));
  }

  /** Every window of length w has at most burst + w / T starts. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldKeepTheRateInEveryWindow(long seed) {
    random = new Random(seed);
    long limit = 1 + random.nextInt(30);
    long periodMs = 50 + random.nextInt(1_000);
    int burst = 1 + random.nextInt(5);
    boolean isShared = random.nextBoolean();
    Policy.Builder rate =
        Policy.newBuilder().setRateLimit(limit).setRatePeriodMs(periodMs).setRateBurst(burst);
    Modify.Builder modify = modify(ANN);
    if (isShared) {
      modify.addPolicyPuts(rate.setKind(PolicyKind.POLICY_LIMITER).setName("x"));
      modify.addPolicyPuts(
          Policy.newBuilder().setKind(PolicyKind.POLICY_PREFIX).setName("a/").addLimiters("x"));
    } else {
      modify.addPolicyPuts(rate.setName("a/1"));
    }
    step(modify.build());
    List<Long> times = new ArrayList<>();
    String[] queues = isShared ? new String[] {"a/1", "a/2", "a/b/1"} : new String[] {"a/1"};
    for (int i = 0; i < 600; i++) {
      nowMs += random.nextInt(40);
      if (random.nextInt(50) == 0) {
        nowMs += 2_000;
      }
      tickUntilDone(times);
      String queue = any(queues);
      switch (random.nextInt(3)) {
        case 0 -> apply(modify(ANN).addInserts(insert(queue, ++lastTask, nowMs)));
        case 1 -> apply(claim(BOB, queue).setLimit(1 + random.nextInt(4)).setLeaseMs(leaseMs()));
        default -> {
          int client = 1 + random.nextInt(CLIENTS);
          Claim.Builder claim = wait(request(client, ++numbers[client]), 0, queue);
          claim.getIdentityBuilder().setAckedBelow(numbers[client]);
          apply(claim);
        }
      }
      note(times);
    }
    assertThat(times).hasSizeGreaterThan(20);
    double interval = (double) periodMs / limit;
    for (int from = 0; from < times.size(); from++) {
      for (int to = from; to < times.size(); to++) {
        double windowMs = times.get(to) - times.get(from);
        assertThat((double) (to - from + 1)).isLessThanOrEqualTo(burst + windowMs / interval);
      }
    }
  }

  private void tickUntilDone(List<Long> times) {
    while (machine.nextDeadlineMs() <= nowMs) {
      apply(Tick.getDefaultInstance());
      note(times);
    }
  }

  private void note(List<Long> times) {
    for (Answer answer : said.answers) {
      if (answer.code == ResultCodes.OK) {
        for (int i = 0; i < answer.claimed.size(); i++) {
          times.add(nowMs);
        }
      }
    }
  }

  /** The numbers in flight stay below what policies allow, whatever else happens. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void shouldKeepTheNumbersInFlight(long seed) {
    random = new Random(seed);
    step(
        modify(ANN)
            .addPolicyPuts(
                Policy.newBuilder()
                    .setKind(PolicyKind.POLICY_LIMITER)
                    .setName("x")
                    .setInFlightMax(3))
            .addPolicyPuts(
                Policy.newBuilder()
                    .setKind(PolicyKind.POLICY_PREFIX)
                    .setName("a/")
                    .setInFlightMax(2)
                    .addLimiters("x"))
            .build());
    int full = 0;
    for (int i = 0; i < STEPS; i++) {
      nowMs += random.nextInt(60);
      tickUntilDone();
      step(
          switch (random.nextInt(4)) {
            case 0 -> inserts();
            case 1 -> parked();
            case 2 -> claimed();
            default -> finished(false);
          });
      int sum = 0;
      for (String queue : new String[] {"a/1", "a/2", "a/b/1", "a/b/2"}) {
        assertThat(inFlight(queue)).isLessThanOrEqualTo(2);
        sum += inFlight(queue);
      }
      assertThat(sum).isLessThanOrEqualTo(3);
      full += sum == 3 ? 1 : 0;
    }
    assertThat(full).isGreaterThan(20);
  }
}
