package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.runtime.ResultWriter;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskView;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Changes that touch nothing but when a task becomes available, and those that reset its claims.
 */
class LeaseChangeTest extends StateTestBase {
  private static final long CLIENT = 5;
  private static final ByteString VALUE = ByteString.copyFromUtf8("to be kept");

  private final ResultWriter writer = new ResultWriter();

  // What a lease change does.

  @Test
  void shouldChangeTheLeaseAndNothingElse() {
    insertWhole(1);
    long insertedMs = nowMs;
    apply(claim(BOB, "q"));
    later(10);

    Task leased = lease(BOB, lease(1, 1, 500)).getChanged(0);

    assertThat(leased)
        .isEqualTo(
            Task.newBuilder()
                .setId(task(1))
                .setVersion(2)
                .setQueue("q")
                .setArrivalMs(nowMs + 500)
                .setClaimant(BOB)
                .setValueKind(ValueKind.VALUE_BYTES)
                .setValue(VALUE)
                .setCreatedMs(insertedMs)
                .setModifiedMs(nowMs)
                .setClaims(1)
                .setAttempt(3)
                .setErr("it failed")
                .setInFlight(true)
                .build());
    assertThat(find(1))
        .isEqualTo(new Shot(1, 2, "q", nowMs + 500, BOB.getLow(), "", 1, nowMs, insertedMs));
    assertThat(valueOf(1)).isEqualTo(VALUE);
  }

  @Test
  void shouldKeepOthersAwayUntilTheChangedLeaseIsOver() {
    insertWhole(1);
    apply(claim(BOB, "q").setLeaseMs(10));
    lease(BOB, lease(1, 1, 500));
    later(499);
    assertThat(apply(claim(ANN, "q")).code).isEqualTo(ResultCodes.EMPTY);
    later(1);
    assertThat(apply(claim(ANN, "q")).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldReleaseTheTaskWhenTheLeaseChangesToNowOrThePast() {
    insertWhole(1);
    insertWhole(2);
    apply(claim(BOB, "q").setLimit(2));
    Result released = lease(BOB, lease(1, 1, 0), lease(2, 1, -500));
    assertThat(released.getChangedList()).extracting(Task::hasClaimant).containsOnly(false);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
    assertThat(find(2).arrivalMs()).isEqualTo(nowMs - 500);
    assertThat(apply(claim(ANN, "q").setLimit(2)).claimed).hasSize(2);
  }

  @Test
  void shouldServeAWaitingClaimWhenALeaseChangeReleasesTheTask() {
    insertWhole(1);
    apply(claim(BOB, "q"));
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    long waiting = machine.sequence();
    apply(modify(BOB).addChanges(lease(1, 1, -1)));
    assertThat(said.of(waiting).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldHoldATaskThatNobodyHeldWhenItsLeaseChanges() {
    insertWhole(1);
    lease(BOB, lease(1, 0, 500));
    assertThat(find(1).claimant()).isEqualTo(BOB.getLow());
    assertThat(find(1).claims()).isZero();
  }

  @Test
  void shouldStayInItsQueueEvenIfALeaseChangeNamesAnother() {
    insertWhole(1);
    lease(BOB, lease(1, 0, 500).toBuilder().setData(data("p", 0)).build());
    assertThat(queues(nowMs)).containsOnlyKeys("q");
  }

  // When it fails.

  @Test
  void shouldFailAsAChangeWhenTaskVersionOrQueueOfALeaseChangeIsWrong() {
    insertWhole(1);
    Shot before = find(1);
    assertFails(lease(9, 0, 500), false);
    assertFails(lease(1, 1, 500), false);
    assertFails(lease(1, 0, 500).toBuilder().setFromQueue("p").build(), false);
    assertThat(find(1)).isEqualTo(before);
  }

  @Test
  void shouldFailAsClaimedWhenSomebodyElseHoldsTheTaskOfALeaseChange() {
    insertWhole(1);
    apply(claim(BOB, "q"));
    assertFails(lease(1, 1, 500), true);
    later(LEASE_MS);
    assertThat(apply(modify(ANN).addChanges(lease(1, 1, 500))).code).isEqualTo(ResultCodes.OK);
  }

  private void assertFails(Change lease, boolean claimed) {
    Answer answer = apply(modify(ANN).addChanges(lease));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures)
        .containsExactly(
            new Answer.Failure(ItemKinds.CHANGE, 0, claimed, claimed ? lease.getVersion() : -1));
  }

  @Test
  void shouldNotCountALeaseChangeAsAMoveIntoAFullQueue() {
    insertWhole(1);
    insertWhole(2);
    assertThat(apply(modify(BOB).addChanges(lease(1, 0, 500)).setQueueTasksMax(1)).code)
        .isEqualTo(ResultCodes.OK);
  }

  // Retries.

  @Test
  void shouldTellAllOfTheTaskAgainWhileItHasNotChanged() {
    insertWhole(1);
    Modify modify =
        modify(BOB).setIdentity(request(CLIENT, 1)).addChanges(lease(1, 0, 500)).build();
    Result first = result(modify);
    later(1_000);
    assertThat(result(modify).getChangedList()).isEqualTo(first.getChangedList());
    assertThat(find(1).version()).isEqualTo(1);
  }

  @Test
  void shouldTellTheLeaseOfThatTimeWithoutValueAttemptAndErrorWhenTheTaskHasChangedSince() {
    insertWhole(1);
    Modify modify =
        modify(BOB).setIdentity(request(CLIENT, 1)).addChanges(lease(1, 0, 500)).build();
    Task first = result(modify).getChanged(0);
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(result(modify).getChanged(0))
        .isEqualTo(
            first.toBuilder().clearValueKind().clearValue().clearAttempt().clearErr().build());
  }

  @Test
  void shouldKeepTheOrderOfTheRequestAmongOrdinaryAndLeaseChanges() {
    for (int i = 1; i <= 3; i++) {
      insertWhole(i);
    }
    Modify modify =
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addChanges(lease(3, 0, 500))
            .addChanges(change("q", 1, 0, nowMs))
            .addChanges(lease(2, 0, 500))
            .build();
    Result first = result(modify);
    assertThat(first.getChangedList())
        .extracting(changed -> changed.getId().getLow())
        .containsExactly(3L, 1L, 2L);
    assertThat(first.getChangedList())
        .extracting(Task::getQueue)
        .as("only lease changes tell what the caller has not sent")
        .containsExactly("q", "", "q");
    assertThat(result(modify).getChanged(0)).isEqualTo(first.getChanged(0));
  }

  @Test
  void shouldLastInAnImage() {
    insertWhole(1);
    lease(BOB, lease(1, 0, 500));
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    try (StateMachine loaded = loader.finish()) {
      assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
      assertThat(loaded.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    }
  }

  // The bytes of an answer.

  @Test
  void shouldTellHowMuchTheAnswerRepeats() {
    insertWhole(1);
    insertWhole(2);
    Modify modify =
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addChanges(lease(1, 0, 500))
            .addChanges(change("q", 2, 0, nowMs))
            .build();
    Modify named = withQueues(machine, modify);
    prepare(named);
    assertThat(machine.preparedLeaseBytes()).isEqualTo(VALUE.size() + "it failed".length());
    apply(named);
    prepare(named);
    assertThat(machine.preparedLeaseBytes()).as("of a retry").isZero();
    prepare(withQueues(machine, modify(ANN).addChanges(lease(1, 1, 500)).build()));
    assertThat(machine.preparedLeaseBytes()).as("of a refused one").isZero();
  }

  private void prepare(Modify modify) {
    UnsafeBuffer payload = new UnsafeBuffer(modify.toByteArray());
    machine.prepare(RecordType.MODIFY, payload, 0, payload.capacity(), nowMs);
  }

  // Reset of claims.

  @Test
  void shouldCountClaimsFromZeroAgainWhenAChangeResetsThem() {
    insertWhole(1);
    insertWhole(2);
    for (int i = 0; i < 3; i++) {
      apply(claim(BOB, "q").setLimit(2).setLeaseMs(0));
    }
    assertThat(queues(nowMs).get("q").claimsMax()).isEqualTo(3);
    apply(modify(BOB).addChanges(reset(1, 3)));
    assertThat(find(1).claims()).isZero();
    assertThat(queues(nowMs).get("q").claimsMax()).isEqualTo(3);
    Answer second = apply(modify(BOB).addChanges(reset(2, 3)));
    assertThat(second.changed).extracting(Shot::claims).containsExactly(0);
    assertThat(queues(nowMs).get("q").claimsMax()).isZero();
    apply(claim(BOB, "q").setLimit(2));
    assertThat(find(1).claims()).isEqualTo(1);
  }

  @Test
  void shouldKeepClaimsAndTimeOfCreationInEveryOtherChange() {
    insertWhole(1);
    long insertedMs = nowMs;
    apply(claim(BOB, "q"));
    later(10);
    apply(modify(BOB).addChanges(change("p", 1, 1, nowMs)));
    assertThat(find(1).claims()).isEqualTo(1);
    assertThat(find(1).createdMs()).isEqualTo(insertedMs);
  }

  // Commands and results.

  private void insertWhole(long id) {
    TaskData data =
        data("q", nowMs).toBuilder()
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(VALUE)
            .setAttempt(3)
            .setErr("it failed")
            .build();
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(task(id)).setData(data)));
  }

  private static Change lease(long id, int version, long byMs) {
    return Change.newBuilder()
        .setId(task(id))
        .setVersion(version)
        .setMode(ChangeMode.CHANGE_LEASE)
        .setFromQueue("q")
        .setData(TaskData.newBuilder().setQueue("q").setByMs(byMs))
        .build();
  }

  private Change reset(long id, int version) {
    return change("q", id, version, nowMs).toBuilder()
        .setMode(ChangeMode.CHANGE_RESET_CLAIMS)
        .build();
  }

  private Result lease(Id claimant, Change... leases) {
    return result(modify(claimant).addAllChanges(List.of(leases)).build());
  }

  /** What the caller gets. */
  private Result result(Modify modify) {
    ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    UnsafeBuffer payload = new UnsafeBuffer(withQueues(machine, modify).toByteArray());
    machine.apply(
        RecordType.MODIFY,
        payload,
        0,
        payload.capacity(),
        0,
        nowMs,
        machine.sequence() + 1,
        new ResultSink.Discarding() {
          @Override
          public void onResult(long request, int code, long sequence, long logTimeMs) {
            assertThat(code).isEqualTo(ResultCodes.OK);
            writer.begin(buffer, code, sequence, logTimeMs);
          }

          @Override
          public void onTask(int role, TaskView task) {
            writer.task(role, task);
          }
        });
    byte[] bytes = new byte[writer.end()];
    buffer.getBytes(0, bytes);
    try {
      return Result.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  private ByteString valueOf(long id) {
    Bytes value = new Bytes();
    machine.stores.tasks.value(machine.stores.tasks.find(0, id), value);
    byte[] bytes = new byte[value.length()];
    value.buffer().getBytes(value.offset(), bytes);
    return ByteString.copyFrom(bytes);
  }
}
