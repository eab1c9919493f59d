package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Modify;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** A Modify that says how many tasks a queue may have. */
class QueueLimitTest extends StateTestBase {
  private static final long CLIENT = 5;

  private Modify.Builder limited(int tasksMax) {
    return modify(ANN).setQueueTasksMax(tasksMax);
  }

  private Modify.Builder inserts(int tasksMax, String queue, int firstId, int count) {
    Modify.Builder modify = limited(tasksMax);
    for (int id = firstId; id < firstId + count; id++) {
      modify.addInserts(insert(queue, id, nowMs));
    }
    return modify;
  }

  private void assertFull(Modify.Builder modify, int itemKind, int index, Answer.Full full) {
    assertRefused(ResultCodes.QUEUE_FULL, modify, itemKind, index, full);
  }

  private void assertNeverFits(Modify.Builder modify, int itemKind, int index, Answer.Full full) {
    assertRefused(ResultCodes.NEVER_FITS, modify, itemKind, index, full);
  }

  private void assertRefused(
      int code, Modify.Builder modify, int itemKind, int index, Answer.Full full) {
    final long content = machine.contentDigest();
    Answer answer = apply(modify);
    assertThat(answer.code).isEqualTo(code);
    assertThat(answer.item).isEqualTo(new Answer.Item(itemKind, index));
    assertThat(answer.full).isEqualTo(full);
    assertThat(machine.contentDigest()).as("nothing was done").isEqualTo(content);
  }

  private void assertDone(Modify.Builder modify) {
    assertThat(apply(modify).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldFillAQueueToItsLimitAndNoFurther() {
    assertDone(inserts(3, "q", 1, 3));
    assertFull(inserts(3, "q", 4, 1), ItemKinds.INSERT, 0, new Answer.Full(3, 3));
    assertDone(inserts(4, "q", 4, 1));
    assertDone(inserts(3, "other", 5, 3));
  }

  @Test
  void shouldRefuseABatchThatAQueueHasNoRoomForAsAWhole() {
    assertDone(inserts(3, "q", 1, 2));
    assertFull(inserts(3, "q", 3, 2), ItemKinds.INSERT, 0, new Answer.Full(2, 3));
    Modify.Builder mixed = limited(3).addInserts(insert("other", 10, nowMs));
    mixed.addInserts(insert("q", 11, nowMs)).addInserts(insert("q", 12, nowMs));
    assertFull(mixed, ItemKinds.INSERT, 1, new Answer.Full(2, 3));
    assertThat(find(10)).isNull();
  }

  @Test
  void shouldCountWaitingAndClaimedTasksToo() {
    assertDone(limited(3).addInserts(insert("q", 1, nowMs + 1_000)));
    assertDone(inserts(3, "q", 2, 2));
    apply(claim(ANN, "q").setLimit(2));
    assertFull(inserts(3, "q", 4, 1), ItemKinds.INSERT, 0, new Answer.Full(3, 3));
  }

  @Test
  void shouldMakeRoomByWhatLeavesTheQueueInTheSameModify() {
    assertDone(inserts(3, "q", 1, 3));
    assertDone(inserts(3, "q", 4, 1).addDeletes(ref(1, 0)));
    assertDone(inserts(3, "q", 5, 1).addChanges(change("elsewhere", 2, 0, nowMs)));
    assertFull(
        inserts(3, "q", 6, 2).addDeletes(ref(3, 0)), ItemKinds.INSERT, 0, new Answer.Full(3, 3));
    // Two go and two come, by another way each.
    Modify.Builder swap = limited(3).addInserts(insert("q", 7, nowMs)).addDeletes(ref(3, 0));
    swap.addChanges(change("q", 2, 1, nowMs)).addChanges(change("elsewhere", 4, 0, nowMs));
    assertDone(swap);
  }

  @Test
  void shouldSayThatATooLargeBatchNeverFitsHoweverEmptyTheQueue() {
    assertNeverFits(inserts(3, "q", 1, 4), ItemKinds.INSERT, 0, new Answer.Full(4, 3));
    assertDone(inserts(3, "q", 1, 3));
    assertNeverFits(inserts(3, "q", 4, 4), ItemKinds.INSERT, 0, new Answer.Full(4, 3));
    assertFull(inserts(3, "q", 4, 3), ItemKinds.INSERT, 0, new Answer.Full(3, 3));
  }

  @Test
  void shouldCountAmongAModifysOwnWhatItMovesChangesAndDependsOn() {
    assertDone(inserts(3, "q", 1, 1));
    assertDone(inserts(3, "other", 2, 1));
    Answer.Full four = new Answer.Full(4, 3);
    assertNeverFits(
        inserts(3, "q", 10, 3).addChanges(change("q", 2, 0, nowMs)), ItemKinds.INSERT, 0, four);
    assertNeverFits(
        inserts(3, "q", 10, 3).addChanges(change("q", 1, 0, nowMs)), ItemKinds.INSERT, 0, four);
    assertNeverFits(inserts(3, "q", 10, 3).addDepends(ref(1, 0)), ItemKinds.INSERT, 0, four);
    // Elsewhere it does not count.
    assertFull(
        inserts(3, "q", 10, 3).addDepends(ref(2, 0)), ItemKinds.INSERT, 0, new Answer.Full(1, 3));
  }

  @Test
  void shouldCountAsNeverFittingWhatDeletesMakeNoRoomFor() {
    assertDone(inserts(3, "q", 1, 2));
    assertNeverFits(
        inserts(3, "q", 10, 4).addDeletes(ref(1, 0)), ItemKinds.INSERT, 0, new Answer.Full(4, 3));
    // But one that does not make the queue larger is done, be its own tasks too many or not.
    assertDone(inserts(0, "q", 3, 2));
    Modify.Builder exchange = inserts(3, "q", 10, 4);
    for (int id = 1; id <= 4; id++) {
      exchange.addDeletes(ref(id, 0));
    }
    assertDone(exchange);
  }

  @Test
  void shouldTellOfAQueueThatNeverFitsBeforeOneThatIsFull() {
    assertDone(inserts(3, "full", 1, 3));
    Modify.Builder both = inserts(3, "full", 10, 1);
    for (int id = 11; id <= 14; id++) {
      both.addInserts(insert("q", id, nowMs));
    }
    assertNeverFits(both, ItemKinds.INSERT, 1, new Answer.Full(4, 3));
  }

  @Test
  void shouldRefuseAMoveIntoAFullQueue() {
    assertDone(inserts(2, "q", 1, 2));
    assertDone(inserts(2, "other", 3, 2));
    Modify.Builder move = limited(2).addChanges(change("other", 4, 0, nowMs));
    move.addChanges(change("q", 3, 0, nowMs));
    assertFull(move, ItemKinds.CHANGE, 1, new Answer.Full(2, 2));
  }

  @Test
  void shouldNeverRefuseWhatDoesNotMakeTheQueueLarger() {
    assertDone(inserts(0, "q", 1, 5));
    assertDone(limited(2).addChanges(change("q", 1, 0, nowMs + LEASE_MS)));
    assertDone(limited(2).addDeletes(ref(2, 0)));
    assertDone(inserts(2, "q", 6, 1).addDeletes(ref(3, 0)));
    assertDone(inserts(2, "q", 7, 1).addDeletes(ref(4, 0)).addDeletes(ref(5, 0)));
    assertDone(limited(2).addDepends(ref(6, 0)).setThenClaim(Claim.newBuilder().addQueues("q")));
    assertFull(inserts(2, "q", 8, 1), ItemKinds.INSERT, 0, new Answer.Full(3, 2));
  }

  @Test
  void shouldTellWhatElseIsWrongFirst() {
    assertDone(inserts(1, "q", 1, 1));
    assertThat(apply(inserts(1, "q", 2, 1).addDepends(ref(9, 0))).code)
        .isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(apply(inserts(1, "q", 2, 1).addInserts(insert("q", 2, nowMs))).code)
        .isEqualTo(ResultCodes.DUPLICATE_ITEM);
  }

  @Test
  void shouldCountByQueueAmongMany() {
    Modify.Builder most = limited(2);
    for (int id = 1; id <= 1_000; id++) {
      most.addInserts(insert("queue-" + id % 500, id, nowMs));
    }
    assertDone(most);
    Modify.Builder shift = limited(2);
    for (int id = 1; id <= 1_000; id++) {
      shift.addChanges(change("queue-" + (id + 1) % 500, id, 0, nowMs));
    }
    assertDone(shift);
    shift = limited(2);
    for (int id = 1; id <= 1_000; id++) {
      shift.addChanges(change("queue-" + (id + (id == 777 ? 3 : 2)) % 500, id, 1, nowMs));
    }
    assertNeverFits(shift, ItemKinds.CHANGE, 277, new Answer.Full(3, 2));
    assertDone(inserts(0, "queue-280", 2_000, 1));
    shift.setQueueTasksMax(3);
    assertFull(shift, ItemKinds.CHANGE, 277, new Answer.Full(3, 3));
  }

  @Test
  void shouldAnswerWithoutARecordUnlessTheRequestHasAnIdentity() {
    assertDone(inserts(1, "q", 1, 1));
    Modify.Builder more = inserts(1, "q", 2, 1);
    assertThat(prepare(more.build())).isEqualTo(StateMachine.ANSWER);
    RecordingSink sink = new RecordingSink();
    machine.answer(sink);
    assertThat(sink.of(0).code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(sink.of(0).full).isEqualTo(new Answer.Full(1, 1));

    assertThat(prepare(more.setIdentity(request(CLIENT, 1)).build()))
        .isEqualTo(StateMachine.EXECUTE);
    apply(more);
  }

  private int prepare(Modify modify) {
    UnsafeBuffer payload = new UnsafeBuffer(modify.toByteArray());
    return machine.prepare(RecordType.MODIFY, payload, 0, payload.capacity(), nowMs);
  }

  @Test
  void shouldGiveARetryTheFirstAnswerThoughThereIsRoomByNow() {
    assertDone(inserts(1, "q", 1, 1));
    Modify.Builder more = inserts(1, "q", 2, 1).setIdentity(request(CLIENT, 1));
    Answer first = apply(more);
    assertDone(limited(1).addDeletes(ref(1, 0)));

    Answer again = apply(more);
    assertThat(again.code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(again.item).isEqualTo(first.item);
    assertThat(again.full).isEqualTo(first.full).isEqualTo(new Answer.Full(1, 1));
    assertThat(find(2)).isNull();
  }

  @Test
  void shouldGiveARetryTheFirstAnswerWhereNoRoomWouldDo() {
    Modify.Builder many = inserts(2, "q", 1, 3).setIdentity(request(CLIENT, 1));
    Answer first = apply(many);
    assertThat(first.code).isEqualTo(ResultCodes.NEVER_FITS);

    Answer again = apply(many.setQueueTasksMax(9));
    assertThat(again.code).isEqualTo(ResultCodes.NEVER_FITS);
    assertThat(again.item).isEqualTo(first.item).isEqualTo(new Answer.Item(ItemKinds.INSERT, 0));
    assertThat(again.full).isEqualTo(first.full).isEqualTo(new Answer.Full(3, 2));
    assertThat(find(1)).isNull();
  }

  /** The limit is the engine's, which may have been opened with another one meanwhile. */
  @Test
  void shouldKnowARetryThatMeetsAnotherLimit() {
    assertDone(inserts(1, "q", 1, 1));
    Modify.Builder more = inserts(1, "q", 2, 1).setIdentity(request(CLIENT, 1));
    apply(more);
    Answer again = apply(more.setQueueTasksMax(1_000));
    assertThat(again.code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(again.full).isEqualTo(new Answer.Full(1, 1));
  }

  @Test
  void shouldKeepTheAnswerInASnapshot() {
    assertDone(inserts(1, "q", 1, 1));
    Modify.Builder more = inserts(1, "q", 2, 1).setIdentity(request(CLIENT, 1));
    apply(more);
    Modify.Builder many = inserts(1, "other", 3, 2).setIdentity(request(CLIENT, 2));
    apply(many);
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    machine.freeze().writeTo(loader);
    machine.thaw();
    try (StateMachine loaded = loader.finish()) {
      assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
      RecordingSink sink = applyTo(loaded, more.build());
      assertThat(sink.answers.get(0).full).isEqualTo(new Answer.Full(1, 1));
      Answer never = applyTo(loaded, many.build()).answers.get(0);
      assertThat(never.code).isEqualTo(ResultCodes.NEVER_FITS);
      assertThat(never.full).isEqualTo(new Answer.Full(2, 1));
    }
  }
}
