package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.task.TaskAttributes;
import org.junit.jupiter.api.Test;

/** What policies say about the size of queues. */
class SizesTest extends PolicyTestBase {
  private static final long CLIENT = 5;

  private void put(Policy.Builder policy) {
    assertThat(apply(modify(ANN).addPolicyPuts(policy)).code).isEqualTo(ResultCodes.OK);
  }

  private static Policy.Builder of(String queue) {
    return Policy.newBuilder().setName(queue);
  }

  private static Policy.Builder dropping(int tasksMax) {
    return of("q").setTasksMax(tasksMax).setOverflow(Overflow.OVERFLOW_DROP_OLDEST);
  }

  private Insert sized(String queue, long id, int bytes) {
    TaskData data = data(queue, nowMs).toBuilder().setErr("e".repeat(bytes)).build();
    return Insert.newBuilder().setId(task(id)).setData(data).build();
  }

  @Test
  void shouldRefuseMoreTasksThanThePolicyAllows() {
    put(of("q").setTasksMax(2));
    insert("q", 1);
    insert("q", 2);
    Answer answer = insert("q", 3);
    assertThat(answer.code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(answer.item).isEqualTo(new Answer.Item(ItemKinds.INSERT, 0));
    assertThat(answer.full).isEqualTo(new Answer.Full(2, 2));
    assertThat(apply(modify(ANN).addInserts(insert("q", 3, nowMs)).addDeletes(ref(1, 0))).code)
        .isEqualTo(ResultCodes.OK);
    apply(modify(ANN).addInserts(insert("r", 4, nowMs)));
    assertThat(apply(modify(ANN).addChanges(change("q", 4, 0, nowMs))).code)
        .isEqualTo(ResultCodes.QUEUE_FULL);
  }

  @Test
  void shouldTakeTheSmallerOfTwoLimits() {
    put(of("q").setTasksMax(2));
    insert("q", 1);
    Modify.Builder two =
        modify(ANN).addInserts(insert("q", 2, nowMs)).addInserts(insert("q", 3, nowMs));
    assertThat(apply(two.setQueueTasksMax(1_000)).code).isEqualTo(ResultCodes.QUEUE_FULL);
    put(of("q").setTasksMax(1_000));
    assertThat(apply(two.setQueueTasksMax(2)).full).isEqualTo(new Answer.Full(1, 2));
    assertThat(apply(two.setQueueTasksMax(1)).code).isEqualTo(ResultCodes.NEVER_FITS);
  }

  @Test
  void shouldRefuseMoreBytesThanThePolicyAllows() {
    put(of("q").setBytesMax(10));
    apply(modify(ANN).addInserts(sized("q", 1, 6)));
    Answer answer = apply(modify(ANN).addInserts(sized("q", 2, 5)));
    assertThat(answer.code).isEqualTo(ResultCodes.QUEUE_BYTES_FULL);
    assertThat(answer.full).isEqualTo(new Answer.Full(6, 10));
    assertThat(apply(modify(ANN).addInserts(sized("q", 2, 11))).code)
        .isEqualTo(ResultCodes.NEVER_FITS);
    assertThat(apply(modify(ANN).addInserts(sized("q", 2, 4))).code).isEqualTo(ResultCodes.OK);
    TaskData longer = data("q", nowMs).toBuilder().setErr("e".repeat(7)).build();
    assertThat(
            apply(modify(ANN).addChanges(change("q", 1, 0, nowMs).toBuilder().setData(longer)))
                .code)
        .isEqualTo(ResultCodes.QUEUE_BYTES_FULL);
    TaskData shorter = data("q", nowMs).toBuilder().setErr("e").build();
    assertThat(
            apply(modify(ANN).addChanges(change("q", 1, 0, nowMs).toBuilder().setData(shorter)))
                .code)
        .isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldTellARetryThatTheQueueWasFull() {
    put(of("q").setBytesMax(3));
    Modify modify =
        modify(ANN).setIdentity(request(CLIENT, 1)).addInserts(sized("q", 1, 4)).build();
    Answer first = apply(modify);
    try (StateMachine loaded = reloaded()) {
      assertThat(apply(modify).full).isEqualTo(first.full).isNotNull();
      applyTo(loaded, modify);
      assertSame(loaded);
    }
  }

  @Test
  void shouldDropTheOldestReadyTask() {
    put(dropping(2));
    insert("q", 1);
    apply(modify(ANN).addInserts(insert("q", 2, nowMs + 50)));
    insert("q", 3);
    assertThat(find(1)).isNull();
    assertThat(find(2)).isNotNull();
    insert("q", 4);
    assertThat(find(3)).isNull();
    apply(claim(BOB, "q"));
    // Nothing is ready any more.
    assertThat(insert("q", 5).code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(machine.stores.ruled.outcomes().dead(queue(machine, "q"))).isEqualTo(2);
  }

  @Test
  void shouldNotDropForALimitThatIsNotThatOfThePolicy() {
    put(dropping(5).setBytesMax(100));
    insert("q", 1);
    insert("q", 2);
    Modify.Builder modify = modify(ANN).addInserts(insert("q", 3, nowMs)).setQueueTasksMax(2);
    assertThat(apply(modify).code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(find(1)).isNotNull();
    put(dropping(2));
    assertThat(apply(modify).code).isEqualTo(ResultCodes.OK);
    assertThat(find(1)).isNull();
  }

  @Test
  void shouldLetTheDroppedTaskDieWhereThereIsADeadQueue() {
    put(dropping(1).setDeadQueue("dead"));
    insert("q", 1);
    insert("q", 2);
    assertThat(find(1).queue()).isEqualTo("dead");
    assertThat(
            new TaskAttributes()
                .read(machine.stores.tasks, machine.stores.tasks.find(0, 1))
                .reason())
        .isEqualTo(DeadReasons.OVERFLOW);
    put(dropping(1).setAttemptsMax(3));
    insert("q", 3);
    assertThat(find(2).queue()).isEqualTo("q/err");
  }

  @Test
  void shouldDropByBytes() {
    put(of("q").setBytesMax(10).setOverflow(Overflow.OVERFLOW_DROP_OLDEST));
    for (int id = 1; id <= 5; id++) {
      apply(modify(ANN).addInserts(sized("q", id, 2)));
    }
    assertThat(apply(modify(ANN).addInserts(sized("q", 6, 5))).code).isEqualTo(ResultCodes.OK);
    assertThat(find(3)).isNull();
    assertThat(find(4)).isNotNull();
    assertThat(machine.stores.queues.bytes(queue(machine, "q"))).isEqualTo(9);
    assertThat(apply(modify(ANN).addInserts(sized("q", 7, 11))).code)
        .isEqualTo(ResultCodes.NEVER_FITS);
  }

  @Test
  void shouldNotDropWhatTheModifyNames() {
    put(dropping(1));
    insert("q", 1);
    Modify.Builder modify = modify(ANN).addInserts(insert("q", 2, nowMs)).addDepends(ref(1, 0));
    assertThat(apply(modify).code).isEqualTo(ResultCodes.NEVER_FITS);
    modify = modify(ANN).addInserts(insert("q", 2, nowMs)).addChanges(change("q", 1, 0, nowMs));
    assertThat(apply(modify).code).isEqualTo(ResultCodes.NEVER_FITS);
    assertThat(find(1)).isNotNull();
  }

  @Test
  void shouldShrinkAQueueWhoseLimitWasLowered() {
    Modify.Builder many = modify(ANN);
    for (int id = 1; id <= 3_000; id++) {
      many.addInserts(insert("q", id, nowMs));
    }
    apply(many);
    put(dropping(10));
    for (int i = 1; i <= 3; i++) {
      assertThat(insert("q", 3_000 + i).code).isEqualTo(ResultCodes.OK);
      assertThat(queues(nowMs).get("q").tasks()).isEqualTo(Math.max(10, 3_000 - i * 1_000));
    }
  }

  @Test
  void shouldDropBeforeTheModifyClaims() {
    put(dropping(1));
    insert("q", 1);
    Answer answer =
        apply(
            modify(BOB)
                .addInserts(insert("q", 2, nowMs))
                .setThenClaim(Claim.newBuilder().addQueues("q").setLeaseMs(LEASE_MS)));
    assertThat(answer.claimed).extracting(Shot::id).containsExactly(2L);
    assertThat(find(1)).isNull();
  }

  @Test
  void shouldLimitEachQueueOfAPrefixForItself() {
    put(of("a/").setKind(PolicyKind.POLICY_PREFIX).setTasksMax(1));
    assertThat(insert("a/1", 1).code).isEqualTo(ResultCodes.OK);
    assertThat(insert("a/2", 2).code).isEqualTo(ResultCodes.OK);
    assertThat(insert("a/1", 3).code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(insert("b", 3).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldIgnoreLimitsWhenTheServerMovesTasks() {
    put(of("q/err").setTasksMax(1));
    put(of("q").setAttemptsMax(1));
    for (int id = 1; id <= 3; id++) {
      insert("q", id);
      Shot claimed = apply(claim(BOB, "q")).claimed.get(0);
      apply(
          modify(BOB)
              .addFails(
                  io.entroq.codec.wire.log.Fail.newBuilder()
                      .setId(task(id))
                      .setVersion(claimed.version())));
    }
    assertThat(queues(nowMs).get("q/err").tasks()).isEqualTo(3);
  }
}
