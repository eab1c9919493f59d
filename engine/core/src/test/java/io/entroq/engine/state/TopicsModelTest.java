package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.effect.EffectDigest;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random commands on topics and the queues of their groups: a machine that is loaded again and
 * again stays equal to one that goes on, an insert makes all its copies or none, and the references
 * to shared contents are those that a walk over all tasks counts.
 */
class TopicsModelTest extends TopicTestBase {
  private static final int STEPS = 1_200;
  private static final int IDS = 80;
  private static final int TASKS_MAX = 150;
  private static final String[] TOPICS = {"T", "U"};
  private static final String[] GROUPS = {"a", "b", "c", "d"};

  private Random random = new Random();
  private long lastTask;
  private RandomClients clients = new RandomClients(random);

  private <T> T any(T[] of) {
    return of[random.nextInt(of.length)];
  }

  private String anyQueue() {
    return switch (random.nextInt(6)) {
      case 0 -> "plain";
      case 1 -> any(TOPICS);
      default -> any(TOPICS) + "/" + any(GROUPS);
    };
  }

  private Id anybody() {
    return random.nextBoolean() ? ANN : BOB;
  }

  private Policy.Builder anyPolicy() {
    if (random.nextInt(3) == 0) {
      Policy.Builder topic = Policy.newBuilder().setName(any(TOPICS));
      for (String group : GROUPS) {
        if (random.nextInt(4) > 0) {
          topic.addGroups(group);
        }
      }
      return topic;
    }
    Policy.Builder policy = Policy.newBuilder().setName(anyQueue());
    if (random.nextBoolean()) {
      policy.setRetryBaseMs(random.nextInt(60)).setAttemptsMax(random.nextInt(4));
    }
    if (random.nextInt(3) == 0) {
      policy.setTtlMs(random.nextInt(300));
    }
    if (random.nextInt(4) == 0) {
      policy
          .setTasksMax(random.nextInt(12))
          .setBytesMax(random.nextInt(900))
          .setOverflow(
              random.nextBoolean() ? Overflow.OVERFLOW_DROP_OLDEST : Overflow.OVERFLOW_REFUSE);
    }
    if (random.nextInt(4) == 0) {
      policy.setRememberIdsMs(random.nextInt(200));
    }
    if (random.nextInt(4) == 0) {
      policy.setInFlightMax(2).setLapsesMax(random.nextInt(3));
    }
    return policy;
  }

  private TaskData.Builder anyData(String queue) {
    TaskData.Builder data = TaskData.newBuilder().setQueue(queue);
    if (random.nextInt(3) == 0) {
      data.setByMs(random.nextInt(100) - 10);
    }
    if (random.nextInt(5) == 0) {
      data.setTtlMs(random.nextInt(400) - 1);
    }
    if (random.nextInt(5) == 0) {
      data.setTrace(ByteString.copyFrom(new byte[random.nextInt(65)]));
    }
    if (random.nextInt(5) == 0) {
      data.setErr("e".repeat(random.nextInt(30)));
    }
    if (random.nextInt(5) > 0) {
      byte[] value = new byte[random.nextBoolean() ? random.nextInt(40) : 100];
      data.setValueKind(ValueKind.VALUE_BYTES).setValue(ByteString.copyFrom(value));
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
      case 7 ->
          random.nextInt(5) == 0
              ? CallersGone.newBuilder().setAll(true).build()
              : modify(ANN).addPolicyDeletes(PolicyRef.newBuilder().setName(anyQueue())).build();
      default -> written();
    };
  }

  private Message inserts() {
    Modify.Builder modify = modify(anybody());
    for (int i = random.nextInt(4); i >= 0; i--) {
      long id = random.nextInt(5) == 0 ? 1 + random.nextInt(IDS) : ++lastTask % IDS + 1;
      String queue = random.nextInt(4) == 0 ? anyQueue() : any(TOPICS);
      modify.addInserts(Insert.newBuilder().setId(task(id)).setData(anyData(queue)));
    }
    if (random.nextInt(4) == 0) {
      modify.setThenClaim(Claim.newBuilder().addQueues(anyQueue()).setLeaseMs(50));
    }
    if (random.nextInt(8) == 0) {
      modify.addPolicyPuts(anyPolicy());
    }
    if (random.nextInt(8) == 0) {
      modify.setQueueTasksMax(20);
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
    List<Integer> all = slots(machine);
    Modify.Builder modify = modify(anybody());
    for (int i = 0; i < 3 && !all.isEmpty(); i++) {
      int slot = all.remove(random.nextInt(all.size()));
      TaskStore tasks = machine.stores.tasks;
      Id id = Id.newBuilder().setHigh(tasks.idHigh(slot)).setLow(tasks.idLow(slot)).build();
      int version = random.nextInt(8) == 0 ? tasks.version(slot) + 1 : tasks.version(slot);
      String queue = queueOf(id);
      switch (all.size() > TASKS_MAX ? 0 : random.nextInt(5)) {
        case 0, 1 -> modify.addDeletes(ref(id, version, queue));
        case 2 ->
            modify.addChanges(
                Change.newBuilder()
                    .setId(id)
                    .setVersion(version)
                    .setMode(ChangeMode.CHANGE_LEASE)
                    .setFromQueue(queue)
                    .setData(
                        TaskData.newBuilder().setQueue(queue).setByMs(random.nextInt(200) - 20)));
        case 3 -> modify.addChanges(changed(slot, id, version, queue));
        default ->
            modify.addFails(
                Fail.newBuilder()
                    .setId(id)
                    .setVersion(version)
                    .setErr("e".repeat(random.nextInt(9))));
      }
    }
    return identified(modify);
  }

  private Change.Builder changed(int slot, Id id, int version, String queue) {
    TaskData.Builder data = anyData(random.nextBoolean() ? queue : anyQueue());
    if (random.nextBoolean()) {
      Bytes value = new Bytes();
      machine.stores.tasks.value(slot, value);
      byte[] bytes = new byte[value.length()];
      value.buffer().getBytes(value.offset(), bytes);
      data.setValueKindValue(machine.stores.tasks.valueKind(slot))
          .setValue(ByteString.copyFrom(bytes));
    }
    return Change.newBuilder().setId(id).setVersion(version).setFromQueue(queue).setData(data);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void shouldStayEqualAndCountReferencesWhenItIsLoadedAgain(long seed) {
    random = new Random(seed);
    clients = new RandomClients(random);
    apply(modify(ANN).addPolicyPuts(topic("T", "a", "b", "c")).addPolicyPuts(topic("U", "b", "d")));
    StateMachine copy = reloaded();
    EffectDigest effects = new EffectDigest();
    EffectDigest effectsOfCopy = new EffectDigest();
    machine.tellEffects(effects);
    copy.tellEffects(effectsOfCopy);
    int shared = 0;
    try {
      for (int i = 0; i < STEPS; i++) {
        nowMs += random.nextInt(4) == 0 ? random.nextInt(120) : random.nextInt(3);
        while (random.nextInt(10) > 0 && machine.nextDeadlineMs() <= nowMs) {
          applyToBoth(copy, Tick.getDefaultInstance());
        }
        Message command = anyCommand();
        long before = machine.taskCount();
        applyToBoth(copy, command);
        assertAllOrNone(command, before);
        if (random.nextInt(10) == 0) {
          applyToBoth(copy, lastCommand);
        }
        assertThat(effectsOfCopy.value()).as("effects of step %d", i).isEqualTo(effects.value());
        shared = Math.max(shared, machine.stores.tasks.shared().size());
        if (random.nextInt(5) == 0) {
          assertSharing(machine);
          assertBytes();
        }
        if (random.nextInt(20) == 0) {
          copy.close();
          copy = reloaded();
          assertSharing(copy);
          machine.tellEffects(effects = new EffectDigest());
          copy.tellEffects(effectsOfCopy = new EffectDigest());
        }
      }
      assertThat(shared).as("contents shared at once").isGreaterThan(10);
    } finally {
      copy.close();
    }
    deleteAll();
    assertThat(machine.stores.tasks.shared().size()).as("after the last task").isZero();
  }

  /** An insert that was refused made no copy. */
  private void assertAllOrNone(Message command, long before) {
    Answer answer = said.of(machine.sequence());
    if (command instanceof Modify && answer != null && answer.code != ResultCodes.OK) {
      // Time alone may have ended some.
      assertThat(machine.taskCount()).isLessThanOrEqualTo(before);
    }
  }

  /** The bytes of queues are those of their tasks, each counted in full. */
  private void assertBytes() {
    long[] bytes = new long[machine.stores.queues.highWater()];
    for (int slot : slots(machine)) {
      bytes[machine.stores.tasks.queue(slot)] += machine.stores.tasks.contentLength(slot);
    }
    for (int queue = 0; queue < bytes.length; queue++) {
      if (machine.stores.queues.isAlive(queue)) {
        assertThat(machine.stores.queues.bytes(queue)).isEqualTo(bytes[queue]);
      }
    }
  }

  private void deleteAll() {
    nowMs += 10_000;
    while (machine.nextDeadlineMs() <= nowMs) {
      apply(Tick.getDefaultInstance());
    }
    List<Integer> left = new ArrayList<>(slots(machine));
    while (!left.isEmpty()) {
      TaskStore tasks = machine.stores.tasks;
      int slot = left.remove(left.size() - 1);
      Id id = Id.newBuilder().setHigh(tasks.idHigh(slot)).setLow(tasks.idLow(slot)).build();
      Id holder =
          Id.newBuilder().setHigh(tasks.claimantHigh(slot)).setLow(tasks.claimantLow(slot)).build();
      apply(modify(holder).addDeletes(ref(id, tasks.version(slot), queueOf(id))));
      assertThat(slot(id)).isEqualTo(Slab.NONE);
      if (left.size() % 20 == 0) {
        assertSharing(machine);
      }
    }
  }
}
