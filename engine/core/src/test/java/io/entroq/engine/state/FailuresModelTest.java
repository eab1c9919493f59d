package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.task.Holds;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands on queues with policies for failures, expiry and size: a machine that is loaded
 * again and again stays equal to one that goes on.
 */
class FailuresModelTest extends PolicyTestBase {
  private static final int STEPS = 1_500;
  private static final int IDS = 60;
  private static final String[] QUEUES = {"a/1", "a/2", "strict", "drop", "plain", "plain/err"};

  private Random random = new Random();
  private long lastTask;
  private RandomClients clients = new RandomClients(random);

  private List<Shot> tasks() {
    ListTasks.Builder query = ListTasks.newBuilder();
    for (long id = 1; id <= IDS; id++) {
      query.addIds(task(id));
    }
    return list(query.build());
  }

  private String anyQueue() {
    return QUEUES[random.nextInt(QUEUES.length)];
  }

  private Id anybody() {
    return random.nextBoolean() ? ANN : BOB;
  }

  private Policy.Builder anyPolicy() {
    Policy.Builder policy = Policy.newBuilder();
    switch (random.nextInt(4)) {
      case 0 -> policy.setName("a/").setKind(PolicyKind.POLICY_PREFIX);
      case 1 -> policy.setName("strict").setOrder(Order.ORDER_STRICT).setInFlightMax(1);
      case 2 ->
          policy
              .setName("drop")
              .setTasksMax(random.nextInt(8))
              .setBytesMax(random.nextInt(60))
              .setOverflow(
                  random.nextInt(3) > 0 ? Overflow.OVERFLOW_DROP_OLDEST : Overflow.OVERFLOW_REFUSE);
      default -> policy.setName("plain");
    }
    if (random.nextBoolean()) {
      policy
          .setRetryBaseMs(random.nextInt(60))
          .setRetryJitterMilli(random.nextInt(1_001))
          .setAttemptsMax(random.nextInt(4));
    }
    if (random.nextBoolean()) {
      policy.setLapsesMax(random.nextInt(3));
    }
    if (random.nextInt(3) == 0) {
      policy.setDeadQueue("dead");
    }
    if (random.nextInt(3) == 0) {
      policy.setTtlMs(random.nextInt(300));
    }
    if (random.nextInt(3) == 0) {
      policy.setExpiredQueue("late");
    }
    if (random.nextInt(3) == 0) {
      policy.setRememberIdsMs(random.nextInt(300));
    }
    if (random.nextInt(3) == 0) {
      policy.setBreakerFailures(1 + random.nextInt(3)).setBreakerPauseMs(1 + random.nextInt(200));
    }
    return policy;
  }

  private TaskData.Builder anyData(String queue) {
    TaskData.Builder data = TaskData.newBuilder().setQueue(queue);
    if (random.nextInt(3) == 0) {
      data.setByMs(random.nextInt(100) - 10);
    }
    if (random.nextInt(4) == 0) {
      data.setTtlMs(random.nextInt(400) - 1);
    }
    if (random.nextInt(4) == 0) {
      data.setTrace(ByteString.copyFrom(new byte[random.nextInt(65)]));
    }
    if (random.nextBoolean()) {
      data.setValueKind(ValueKind.VALUE_BYTES)
          .setValue(ByteString.copyFrom(new byte[random.nextInt(20)]));
    }
    return data.setAttempt(random.nextInt(3));
  }

  private Message anyCommand() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> inserts();
      case 3, 4 ->
          claim(anybody(), anyQueue(), anyQueue())
              .setLimit(1 + random.nextInt(3))
              .setLeaseMs(random.nextInt(100))
              .build();
      case 5 -> parked();
      case 6 -> identified(modify(anybody()).addPolicyPuts(anyPolicy()));
      case 7 -> Tick.getDefaultInstance();
      case 8 ->
          random.nextInt(5) == 0
              ? CallersGone.newBuilder().setAll(true).build()
              : Tick.getDefaultInstance();
      default -> written();
    };
  }

  private Message inserts() {
    Modify.Builder modify = modify(anybody());
    for (int i = random.nextInt(4); i >= 0; i--) {
      long id = random.nextInt(5) == 0 ? 1 + random.nextInt(IDS) : ++lastTask % IDS + 1;
      modify.addInserts(
          io.entroq.codec.wire.log.Insert.newBuilder()
              .setId(task(id))
              .setData(anyData(anyQueue())));
    }
    if (random.nextInt(4) == 0) {
      modify.setThenClaim(Claim.newBuilder().addQueues(anyQueue()).setLeaseMs(50));
    }
    return identified(modify);
  }

  private Message parked() {
    return wait(clients.request(), nowMs + random.nextInt(300), anyQueue())
        .setLeaseMs(1 + random.nextInt(100))
        .build();
  }

  private Message identified(Modify.Builder modify) {
    if (random.nextBoolean()) {
      modify.setIdentity(clients.request());
    }
    return modify.build();
  }

  private Message written() {
    List<Shot> all = tasks();
    Modify.Builder modify = modify(anybody());
    for (int i = 0; i < 2 && !all.isEmpty(); i++) {
      Shot shot = all.get(random.nextInt(all.size()));
      int version = random.nextInt(8) == 0 ? shot.version() + 1 : shot.version();
      switch (random.nextInt(5)) {
        case 0 -> modify.addDeletes(ref(shot.id(), version).toBuilder().setQueue(shot.queue()));
        case 1 ->
            modify.addChanges(
                random.nextInt(3) == 0
                    ? takeBack(shot.queue(), shot.id(), version)
                    : lease(shot, version));
        case 2 -> modify.addChanges(changed(shot, version));
        default ->
            modify.addFails(
                Fail.newBuilder()
                    .setId(task(shot.id()))
                    .setVersion(version)
                    .setErr("e".repeat(random.nextInt(9)))
                    .setHasDelay(random.nextInt(4) == 0)
                    .setDelayMs(random.nextInt(50)));
      }
    }
    return identified(modify);
  }

  private Change.Builder lease(Shot shot, int version) {
    return Change.newBuilder()
        .setId(task(shot.id()))
        .setVersion(version)
        .setMode(ChangeMode.CHANGE_LEASE)
        .setFromQueue(shot.queue())
        .setData(TaskData.newBuilder().setQueue(shot.queue()).setByMs(random.nextInt(200) - 20));
  }

  private Change.Builder changed(Shot shot, int version) {
    return Change.newBuilder()
        .setId(task(shot.id()))
        .setVersion(version)
        .setFromQueue(shot.queue())
        .setMode(
            random.nextInt(4) == 0 ? ChangeMode.CHANGE_RESET_CLAIMS : ChangeMode.CHANGE_DEFAULT)
        .setData(anyData(random.nextBoolean() ? shot.queue() : anyQueue()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void shouldStayEqualWhenItIsLoadedAgain(long seed) {
    random = new Random(seed);
    clients = new RandomClients(random);
    raiseLevel(Levels.MAX);
    EffectDigest effects = new EffectDigest();
    machine.tellEffects(effects);
    StateMachine copy = reloaded();
    EffectDigest effectsOfCopy = new EffectDigest();
    copy.tellEffects(effectsOfCopy);
    try {
      for (int i = 0; i < STEPS; i++) {
        nowMs += random.nextInt(4) == 0 ? random.nextInt(120) : random.nextInt(3);
        while (random.nextInt(10) > 0 && machine.nextDeadlineMs() <= nowMs) {
          applyToBoth(copy, Tick.getDefaultInstance());
        }
        Message command = anyCommand();
        applyToBoth(copy, command);
        if (random.nextInt(10) == 0) {
          applyToBoth(copy, lastCommand);
        }
        assertThat(effectsOfCopy.value()).as("effects of step %d", i).isEqualTo(effects.value());
        assertCounts();
        if (random.nextInt(20) == 0) {
          copy.close();
          copy = reloaded();
          machine.tellEffects(effects = new EffectDigest());
          copy.tellEffects(effectsOfCopy = new EffectDigest());
        }
      }
    } finally {
      copy.close();
    }
  }

  /** The numbers of queues are those of their tasks. */
  private void assertCounts() {
    int[] inFlight = new int[machine.stores.queues.highWater()];
    long[] bytes = new long[inFlight.length];
    for (Shot shot : tasks()) {
      int task = machine.stores.tasks.find(0, shot.id());
      int queue = machine.stores.tasks.queue(task);
      inFlight[queue] += Holds.isInFlight(machine.stores.tasks.hold(task)) ? 1 : 0;
      bytes[queue] += machine.stores.tasks.contentLength(task);
    }
    for (int queue = 0; queue < inFlight.length; queue++) {
      if (machine.stores.queues.isAlive(queue)) {
        assertThat(machine.stores.queues.inFlight(queue)).isEqualTo(inFlight[queue]);
        assertThat(machine.stores.queues.bytes(queue)).isEqualTo(bytes[queue]);
      }
    }
  }
}
