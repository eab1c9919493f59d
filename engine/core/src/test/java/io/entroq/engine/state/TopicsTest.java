package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyRef;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.effect.EffectSink;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** An insert into a topic makes one task in the queue of each group. */
class TopicsTest extends TopicTestBase {
  private static final String[] GROUPS = {"b", "a", "c"};
  private static final int KIB = 1_024;

  private void assertOk(Answer answer) {
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
  }

  private void put(Policy.Builder... policies) {
    Modify.Builder modify = modify(ANN);
    for (Policy.Builder policy : policies) {
      modify.addPolicyPuts(policy);
    }
    assertOk(apply(modify));
  }

  private static Policy.Builder policy(String name) {
    return Policy.newBuilder().setName(name);
  }

  private Answer insert(String queue, long id, int valueBytes) {
    return apply(modify(ANN).addInserts(insert(queue, id, value(valueBytes))));
  }

  private static List<String> queues(List<Shot> tasks) {
    return tasks.stream().map(Shot::queue).toList();
  }

  private static List<Long> ids(List<Shot> tasks) {
    return tasks.stream().map(Shot::id).toList();
  }

  // What an insert makes.

  @Test
  void shouldMakeOneTaskForEachGroupInTheOrderOfThePolicy() {
    put(topic("T", GROUPS));
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(
                    insert("T", 1, value(40).setArrivalMs(nowMs + 5).setAttempt(3).setErr("e")))
                .addInserts(insert("plain", 2, value(3)))
                .addInserts(insert("T", 3, value(50))));
    assertOk(answer);
    assertThat(queues(answer.inserted))
        .containsExactly("T/b", "T/a", "T/c", "plain", "T/b", "T/a", "T/c");
    assertThat(ids(answer.inserted))
        .containsExactly(
            copy(1, "b").getLow(),
            copy(1, "a").getLow(),
            copy(1, "c").getLow(),
            2L,
            copy(3, "b").getLow(),
            copy(3, "a").getLow(),
            copy(3, "c").getLow());
    assertThat(answer.inserted.subList(0, 3)).allMatch(task -> task.arrivalMs() == nowMs + 5);
    for (String group : GROUPS) {
      Id id = copy(1, group);
      assertThat(valueOf(id)).hasSize(40);
      assertThat(machine.stores.tasks.attempt(slot(id))).isEqualTo(3);
      assertThat(machine.stores.tasks.version(slot(id))).isZero();
      assertThat(machine.stores.tasks.valueKind(slot(id))).isEqualTo(1);
      assertThat(bytesIn("T/" + group)).isEqualTo(40 + 1 + 50);
    }
    assertThat(queue(machine, "T")).as("nothing stays in the topic").isNegative();
    assertThat(tasksIn("plain")).isEqualTo(1);
  }

  @Test
  void shouldTellOfEachCopy() {
    put(topic("T", GROUPS));
    List<Shot> told = new ArrayList<>();
    machine.tellEffects(
        new EffectSink() {
          @Override
          public void onTask(
              long sequence,
              int index,
              int kind,
              int flags,
              TaskViewer viewer,
              int slot,
              Bytes formerQueue) {
            assertThat(kind).isEqualTo(EffectKinds.INSERTED);
            assertThat(index).isEqualTo(told.size());
            told.add(Shot.of(viewer.view(slot)));
          }

          @Override
          public void onDoc(long sequence, int index, int kind, int flags, DocView doc) {
            throw new AssertionError("there are no docs");
          }
        });
    insert("T", 1, 9);
    machine.tellEffects(null);
    assertThat(queues(told)).containsExactly("T/b", "T/a", "T/c");
  }

  @Test
  void shouldLeaveTasksThatWereThereBeforeClaimable() {
    insert("T", 1, 9);
    put(topic("T", GROUPS));
    insert("T", 1, 9);
    assertThat(apply(claim(BOB, "T")).claimed).extracting(Shot::id).containsExactly(1L);
    assertThat(apply(claim(BOB, "T")).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(apply(claim(BOB, "T/a")).claimed).hasSize(1);
  }

  @Test
  void shouldNotFanOutWhatMovesIntoATopic() {
    put(topic("T", GROUPS));
    insert("q", 1, 9);
    assertOk(apply(modify(ANN).addChanges(change("T", 1, 0, nowMs))));
    assertThat(tasksIn("T")).isEqualTo(1);
    assertThat(apply(claim(BOB, "T")).claimed).extracting(Shot::id).containsExactly(1L);
  }

  @Test
  void shouldNotFanOutWhatDiesIntoATopic() {
    put(topic("T", GROUPS), policy("q").setAttemptsMax(1).setDeadQueue("T"));
    insert("q", 1, 9);
    assertOk(apply(modify(ANN).addFails(Fail.newBuilder().setId(task(1)))));
    assertThat(tasksIn("T")).isEqualTo(1);
  }

  @Test
  void shouldNotFanOutCopiesAgain() {
    put(topic("T", "a", "b"), topic("T/a", "x"));
    insert("T", 1, 9);
    assertThat(tasksIn("T/a")).isEqualTo(1);
    assertThat(tasksIn("T/a/x")).isZero();
    insert("T/a", 2, 9);
    assertThat(tasksIn("T/a/x")).isEqualTo(1);
  }

  @Test
  void shouldGiveAnAddedGroupWhatComesFromThenOn() {
    put(topic("T", "a"));
    insert("T", 1, 9);
    put(topic("T", "a", "b"));
    insert("T", 2, 9);
    assertThat(tasksIn("T/a")).isEqualTo(2);
    assertThat(tasksIn("T/b")).isEqualTo(1);
  }

  @Test
  void shouldKeepTheQueueOfARemovedGroupUntilItIsEmpty() {
    put(topic("T", "a", "b"));
    insert("T", 1, 40);
    put(topic("T", "a"));
    insert("T", 2, 40);
    assertThat(tasksIn("T/b")).isEqualTo(1);
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "b"), 0, "T/b"))));
    assertThat(queue(machine, "T/b")).isNegative();
  }

  @Test
  void shouldCountGroupsAsTheModifyLeavesThem() {
    Modify.Builder both = modify(ANN).addPolicyPuts(topic("T", "a", "b"));
    assertThat(queues(apply(both.addInserts(insert("T", 1, value(9)))).inserted))
        .containsExactly("T/a", "T/b");
    Modify.Builder other = modify(ANN).addPolicyPuts(topic("T", "c"));
    assertThat(queues(apply(other.addInserts(insert("T", 2, value(9)))).inserted))
        .containsExactly("T/c");
    Modify.Builder gone =
        modify(ANN)
            .addPolicyDeletes(PolicyRef.newBuilder().setName("T"))
            .addInserts(insert("T", 3, value(9)));
    assertThat(queues(apply(gone).inserted)).containsExactly("T");
    assertThat(tasksIn("T")).isEqualTo(1);
    insert("T", 4, 9);
    assertThat(tasksIn("T")).isEqualTo(2);
    put(topic("T", "c"));
    Modify.Builder without = modify(ANN).addPolicyPuts(policy("T").setInFlightMax(3));
    assertThat(queues(apply(without.addInserts(insert("T", 5, value(9)))).inserted))
        .containsExactly("T");
  }

  @Test
  void shouldTakeOnlyTheExactNameForATopic() {
    put(topic("T", "a"));
    insert("T/x", 1, 9);
    insert("T2", 2, 9);
    assertThat(tasksIn("T/x")).isEqualTo(1);
    assertThat(tasksIn("T2")).isEqualTo(1);
    assertThat(tasksIn("T/a")).isZero();
  }

  // Ids.

  @Test
  void shouldReportCopiesThatExistAsExistingTasks() {
    put(topic("T", GROUPS));
    insert("T", 1, 9);
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "b"), 0, "T/b"))));
    Answer claimed = apply(claim(BOB, "T/a"));
    assertThat(claimed.claimed).hasSize(1);
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("plain", 9, value(9)))
                .addInserts(insert("T", 1, value(9))));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(new Answer.Failure(ItemKinds.INSERT, 1, false, 1));
    assertThat(answer.existing).containsExactly(new Answer.Existing("T/a", copy(1, "a").getLow()));
    assertThat(tasksIn("T/b")).as("copies are made all or none").isZero();
  }

  @Test
  void shouldInsertAgainWhatIsGone() {
    put(topic("T", "a", "b"));
    insert("T", 1, 40);
    Modify.Builder deletes = modify(ANN);
    for (String group : List.of("a", "b")) {
      deletes.addDeletes(ref(copy(1, group), 0, "T/" + group));
    }
    assertOk(apply(deletes));
    assertThat(machine.stores.tasks.shared().size()).isZero();
    assertOk(insert("T", 1, 40));
  }

  @Test
  void shouldTakeARememberedIdForTaken() {
    put(topic("T", "a", "b"), policy("T/b").setRememberIdsMs(1_000));
    insert("T", 1, 9);
    assertOk(
        apply(
            modify(ANN)
                .addDeletes(ref(copy(1, "a"), 0, "T/a"))
                .addDeletes(ref(copy(1, "b"), 0, "T/b"))));
    Answer answer = insert("T", 1, 9);
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(new Answer.Failure(ItemKinds.INSERT, 0, false, -1));
    later(1_000);
    assertOk(insert("T", 1, 9));
  }

  @Test
  void shouldRefuseTheSameIdTwice() {
    put(topic("T", "a", "b"));
    Answer twice =
        apply(
            modify(ANN).addInserts(insert("T", 1, value(9))).addInserts(insert("T", 1, value(9))));
    assertThat(twice.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(twice.item).isEqualTo(new Answer.Item(ItemKinds.INSERT, 1));
    Insert asCopy =
        Insert.newBuilder().setId(copy(1, "b")).setData(value(9).setQueue("plain")).build();
    Answer taken = apply(modify(ANN).addInserts(asCopy).addInserts(insert("T", 1, value(9))));
    assertThat(taken.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(machine.taskCount()).isZero();
  }

  @Test
  void shouldRefuseTheKeyOfAText() {
    put(topic("T", "a", "b"));
    Id text = copy(1, "b").toBuilder().setText("text with this key").build();
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(text).setData(data("q", nowMs))));
    assertThat(insert("T", 1, 9).code).isEqualTo(ResultCodes.KEY_COLLISION);
  }

  @Test
  void shouldDropTheTextOfTheId() {
    put(topic("T", "a", "b"));
    Id text = task(1).toBuilder().setText("order 1").build();
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(text).setData(value(9).setQueue("T"))));
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "a"), 0, "T/a"))));
  }

  // Limits.

  @Test
  void shouldRefuseAllIfOneGroupHasNoRoom() {
    put(topic("T", "a", "b"), policy("T/b").setTasksMax(2));
    insert("T", 1, 9);
    insert("T", 2, 9);
    Answer full =
        apply(
            modify(ANN).addInserts(insert("q", 8, value(9))).addInserts(insert("T", 3, value(9))));
    assertThat(full.code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(full.item).isEqualTo(new Answer.Item(ItemKinds.INSERT, 1));
    assertThat(full.full).isEqualTo(new Answer.Full(2, 2));
    assertThat(tasksIn("T/a")).isEqualTo(2);
    Modify.Builder three = modify(ANN);
    for (int id = 10; id < 13; id++) {
      three.addInserts(insert("T", id, value(9)));
    }
    assertThat(apply(three).code).isEqualTo(ResultCodes.NEVER_FITS);
    assertOk(
        apply(
            modify(ANN)
                .addDeletes(ref(copy(1, "b"), 0, "T/b"))
                .addInserts(insert("T", 3, value(9)))));
  }

  @Test
  void shouldCountTheFullBytesOfEachCopy() {
    put(topic("T", "a", "b"), policy("T/b").setBytesMax(100));
    assertOk(insert("T", 1, 60));
    Answer full = insert("T", 2, 60);
    assertThat(full.code).isEqualTo(ResultCodes.QUEUE_BYTES_FULL);
    assertThat(full.full).isEqualTo(new Answer.Full(60, 100));
    assertThat(insert("T", 2, 101).code).isEqualTo(ResultCodes.NEVER_FITS);
    assertThat(bytesIn("T/a")).isEqualTo(60);
  }

  @Test
  void shouldHoldTheLimitOfTheRequest() {
    put(topic("T", "a", "b"));
    for (int id = 1; id <= 3; id++) {
      assertOk(apply(limited(id, 3)));
    }
    Answer full = apply(limited(4, 3));
    assertThat(full.code).isEqualTo(ResultCodes.QUEUE_FULL);
    assertThat(full.full).isEqualTo(new Answer.Full(3, 3));
  }

  private static Modify limited(int id, long tasksMax) {
    return modify(ANN).addInserts(insert("T", id, value(9))).setQueueTasksMax(tasksMax).build();
  }

  @Test
  void shouldDropTheOldestOfAFullGroup() {
    put(
        topic("T", "a", "b"),
        policy("T/b").setTasksMax(2).setOverflow(Overflow.OVERFLOW_DROP_OLDEST));
    for (int id = 1; id <= 3; id++) {
      assertOk(insert("T", id, 40));
      nowMs++;
    }
    assertThat(tasksIn("T/a")).isEqualTo(3);
    assertThat(tasksIn("T/b")).isEqualTo(2);
    assertThat(slot(copy(1, "b"))).isEqualTo(Slab.NONE);
    assertSharing(machine);
  }

  @Test
  void shouldRefuseMoreCopiesThanAStepMakes() {
    String[] groups = IntStream.range(0, 100).mapToObj(i -> "g" + i).toArray(String[]::new);
    put(topic("T", groups));
    Modify.Builder modify = modify(ANN).addInserts(insert("q", 1, value(1)));
    for (int id = 2; id <= 101; id++) {
      modify.addInserts(insert("T", id, value(1)));
    }
    assertOk(apply(modify.build()));
    modify.addInserts(insert("T", 500, value(1)));
    Answer answer = apply(modify);
    assertThat(answer.code).isEqualTo(ResultCodes.NEVER_FITS);
    assertThat(answer.item).isEqualTo(new Answer.Item(ItemKinds.INSERT, 1));
    assertThat(answer.full).isEqualTo(new Answer.Full(10_100, 10_000));
    assertThat(machine.taskCount()).isEqualTo(10_001);
  }

  @Test
  void shouldSayHowLongAReplyWithCopiesGets() {
    put(topic("T", GROUPS));
    Modify modify =
        modify(ANN)
            .setIdentity(request(1, 1))
            .addInserts(insert("T", 1, value(KIB)))
            .addInserts(insert("plain", 2, value(KIB)))
            .build();
    UnsafeBuffer command = new UnsafeBuffer(modify.toByteArray());
    machine.prepare(RecordType.MODIFY, command, 0, command.capacity(), nowMs);
    assertThat(machine.preparedCopyBytes()).isBetween(3L * 50, 3L * 150);
    apply(modify);
    machine.prepare(RecordType.MODIFY, command, 0, command.capacity(), nowMs);
    assertThat(machine.preparedCopyBytes()).as("of a retry").isZero();
  }

  @Test
  void shouldLetAGroupBeAPool() {
    put(topic("T", "a", "b"), policy("T/a").setFair(Fair.FAIR_LEAST_IN_FLIGHT));
    apply(wait(request(1, 1), NEVER, "T/a"));
    long parked = machine.sequence();
    insert("T/a/tenant", 9, KIB);
    assertThat(said.of(parked).claimed).extracting(Shot::id).containsExactly(9L);
    apply(wait(request(2, 1), NEVER, "T/a"));
    parked = machine.sequence();
    insert("T", 1, KIB);
    assertThat(said.of(parked).claimed).extracting(Shot::queue).containsExactly("T/a");
    assertThat(tasksIn("T/b")).isEqualTo(1);
  }

  // Copies have lives of their own.

  @Test
  void shouldKeepTheOtherCopiesWhenOneChanges() {
    put(topic("T", "a", "b", "c"));
    insert("T", 1, KIB);
    Change change =
        Change.newBuilder()
            .setId(copy(1, "b"))
            .setFromQueue("T/b")
            .setData(TaskData.newBuilder(value(5).build()).setQueue("T/b"))
            .build();
    assertOk(apply(modify(ANN).addChanges(change)));
    assertThat(valueOf(copy(1, "b"))).hasSize(5);
    assertThat(valueOf(copy(1, "a"))).hasSize(KIB);
    assertThat(bytesIn("T/b")).isEqualTo(5);
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(2);
  }

  @Test
  void shouldShareTheValueOfCopiesThatDifferOtherwise() {
    put(topic("T", "a", "b", "c"), policy("T/a").setRetryBaseMs(10));
    long before = machine.stores.arena.usedBytes();
    apply(
        modify(ANN)
            .addInserts(insert("T", 1, value(KIB).setTrace(ByteString.copyFromUtf8("00-trace")))));
    long whole = machine.stores.arena.usedBytes();
    assertOk(apply(modify(ANN).addFails(Fail.newBuilder().setId(copy(1, "a")).setErr("429"))));
    Answer claimed = apply(claim(BOB, "T/b").setLeaseMs(10));
    assertThat(claimed.claimed).hasSize(1);
    later(10);
    assertThat(apply(claim(BOB, "T/b")).claimed).as("after a lapse").hasSize(1);
    assertThat(machine.stores.arena.usedBytes() - whole).as("of errors").isLessThan(400);
    assertThat(whole - before).isBetween((long) KIB, 3L * KIB);
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(3);
    StateMachine copy = reloaded();
    assertSharing(copy);
    assertThat(copy.stores.tasks.shared().references(0)).isEqualTo(3);
    copy.close();
  }

  @Test
  void shouldKeepAValueSharedThatAChangeRepeats() {
    put(topic("T", "a", "b"));
    insert("T", 1, KIB);
    Change change =
        Change.newBuilder()
            .setId(copy(1, "b"))
            .setFromQueue("T/b")
            .setData(value(KIB).setQueue("T/b").setErr("later").setAttempt(1).setByMs(50))
            .build();
    assertOk(apply(modify(ANN).addChanges(change)));
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(2);
    assertThat(bytesIn("T/b")).isEqualTo(KIB + 5);
    Change lease =
        Change.newBuilder()
            .setId(copy(1, "a"))
            .setFromQueue("T/a")
            .setMode(ChangeMode.CHANGE_LEASE)
            .setData(TaskData.newBuilder().setQueue("T/a").setByMs(500))
            .build();
    assertOk(apply(modify(ANN).addChanges(lease)));
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(2);
  }

  @Test
  void shouldFreeAValueExactlyWithItsLastCopy() {
    put(topic("T", "a", "b", "c"));
    insert("T", 1, KIB);
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "a"), 0, "T/a"))));
    assertOk(apply(modify(ANN).addFails(Fail.newBuilder().setId(copy(1, "b")).setErr("x"))));
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "c"), 0, "T/c"))));
    assertThat(valueOf(copy(1, "b"))).hasSize(KIB);
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(1);
    long before = machine.stores.arena.usedBytes();
    assertOk(apply(modify(ANN).addDeletes(ref(copy(1, "b"), 1, "T/b"))));
    assertThat(machine.stores.tasks.shared().size()).isZero();
    assertThat(before - machine.stores.arena.usedBytes()).isGreaterThan(KIB);
  }

  @Test
  void shouldStoreTheValueOfTenGroupsOnce() {
    insert("q", 1, KIB);
    insert("other", 100_000, 1);
    put(topic("T", IntStream.range(0, 10).mapToObj(i -> "g" + i).toArray(String[]::new)));
    insert("T", 2, KIB);
    // Queues, their arrays and the first block of a kind are there now.
    long before = machine.stores.arena.usedBytes();
    insert("q", 3, KIB);
    long one = machine.stores.arena.usedBytes() - before;
    long arrays = 0;
    for (int i = 0; i < 1_000; i++) {
      before = machine.stores.arena.usedBytes();
      insert("T", 1_000 + i, KIB);
      long ten = machine.stores.arena.usedBytes() - before;
      assertThat(ten).isGreaterThanOrEqualTo(one);
      arrays += ten - one;
    }
    assertThat(arrays).as("bytes of ready lists alone").isLessThan(10 * 1_000 * 12);
    long records = (long) machine.stores.tasks.shared().size() * 16;
    assertThat(1_000 * one + records).isLessThan((long) (1_000 * one * 1.1));
    assertThat(machine.stores.tasks.shared().size()).isEqualTo(1_001);
  }

  @Test
  void shouldExpireCopiesByTheirOwnPolicies() {
    put(topic("T", "a", "b", "c").setTtlMs(1), policy("T/a").setTtlMs(100));
    insert("T", 1, 40);
    apply(modify(ANN).addInserts(insert("T", 2, value(40).setTtlMs(50))));
    later(50);
    assertThat(slot(copy(2, "a"))).isEqualTo(Slab.NONE);
    assertThat(slot(copy(2, "c"))).isEqualTo(Slab.NONE);
    StateMachine copy = reloaded();
    assertSharing(copy);
    copy.close();
    later(50);
    assertThat(slot(copy(1, "a"))).isEqualTo(Slab.NONE);
    assertThat(tasksIn("T/b")).isEqualTo(1);
  }

  @Test
  void shouldLetACopyDieByThePolicyOfItsGroup() {
    put(topic("T", "a", "b"), policy("T/a").setAttemptsMax(1));
    insert("T", 1, KIB);
    assertOk(apply(modify(ANN).addFails(Fail.newBuilder().setId(copy(1, "a")).setErr("no"))));
    assertThat(queueOf(copy(1, "a"))).isEqualTo("T/a/err");
    assertThat(queueOf(copy(1, "b"))).isEqualTo("T/b");
    assertThat(machine.stores.tasks.shared().references(0)).isEqualTo(2);
  }

  // Claims.

  @Test
  void shouldWakeAClaimParkedOnAGroup() {
    put(topic("T", GROUPS));
    apply(wait(request(1, 1), NEVER, "T/a"));
    apply(wait(request(2, 1), NEVER, "T/c", "x"));
    long first = machine.sequence() - 1;
    insert("T", 1, 40);
    assertThat(said.of(first).claimed).extracting(Shot::id).containsExactly(copy(1, "a").getLow());
    assertThat(said.of(first + 1).claimed)
        .extracting(Shot::id)
        .containsExactly(copy(1, "c").getLow());
    assertThat(apply(claim(BOB, "T/b")).claimed).hasSize(1);
  }

  @Test
  void shouldLetTheSameModifyClaimACopy() {
    put(topic("T", GROUPS));
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("T", 1, value(40)))
                .setThenClaim(Claim.newBuilder().addQueues("T/c").setLeaseMs(LEASE_MS)));
    assertThat(answer.inserted).hasSize(3);
    assertThat(answer.claimed).extracting(Shot::queue).containsExactly("T/c");
    assertThat(machine.stores.tasks.version(slot(copy(1, "c")))).isEqualTo(1);
  }

  @Test
  void shouldHoldCopiesThatAreInsertedForLater() {
    put(topic("T", GROUPS));
    Modify.Builder modify = modify(ANN).addInserts(insert("T", 1, value(40).setByMs(100)));
    assertThat(apply(modify).inserted).allMatch(task -> task.claimant() == ANN.getLow());
    assertThat(apply(claim(BOB, "T/a")).code).isEqualTo(ResultCodes.EMPTY);
    later(100);
    assertThat(apply(claim(BOB, "T/a")).claimed).hasSize(1);
  }

  // Retries.

  @Test
  void shouldAnswerARetryAsBefore() {
    put(topic("T", GROUPS));
    Modify modify =
        modify(ANN)
            .setIdentity(request(1, 1))
            .addInserts(insert("plain", 7, value(3)))
            .addInserts(insert("T", 1, value(40).setByMs(500).setErr("e")))
            .addInserts(insert("plain", 8, value(3)))
            .addInserts(insert("T", 2, value(40)))
            .setThenClaim(Claim.newBuilder().addQueues("T/c").setLeaseMs(LEASE_MS))
            .build();
    Answer first = apply(modify);
    assertThat(first.inserted).hasSize(8);
    assertSameTasks(apply(modify), first);
    StateMachine copy = reloaded();
    copy.close();
    put(topic("T", "other"));
    assertOk(
        apply(
            modify(ANN)
                .addDeletes(ref(copy(1, "b"), 0, "T/b"))
                .addDeletes(ref(copy(2, "a"), 0, "T/a"))
                .addDeletes(ref(8, 0))));
    nowMs += 5;
    Answer again = apply(modify);
    assertThat(again.code).isEqualTo(ResultCodes.OK);
    for (int i = 0; i < 8; i++) {
      Shot then = first.inserted.get(i);
      Shot now = again.inserted.get(i);
      boolean isGone = i == 1 || i == 5 || i == 4;
      assertThat(now).isEqualTo(isGone && i == 4 ? then.unsent() : then);
    }
    assertThat(again.claimed).isEqualTo(first.claimed);
  }

  private static void assertSameTasks(Answer answer, Answer other) {
    assertThat(answer.inserted).isEqualTo(other.inserted);
    assertThat(answer.claimed).isEqualTo(other.claimed);
  }

  @Test
  void shouldInsertByTheRulesOfTheFirstApi() {
    put(topic("T", GROUPS));
    Modify.Builder modify = modify(ANN).setFacade(Facade.FACADE_V0);
    assertThat(apply(modify.addInserts(insert("T", 1, value(40)))).inserted).hasSize(3);
    Answer again = apply(modify);
    assertThat(again.code).isEqualTo(ResultCodes.DEPENDENCY);
  }

  // Levels and images.

  @Test
  void shouldRefuseGroupsBelowTheirLevel() {
    StateMachine older = new StateMachine(StateMachineConfig.DEFAULT);
    applyTo(older, genesis());
    RecordingSink refused = applyTo(older, modify(ANN).addPolicyPuts(topic("T", GROUPS)).build());
    assertThat(refused.answers.get(0).code).isEqualTo(ResultCodes.LEVEL_TOO_LOW);
    applyTo(older, RaiseLevel.newBuilder().setLevel(Levels.POOLS).build());
    RecordingSink done = applyTo(older, modify(ANN).addPolicyPuts(topic("T", GROUPS)).build());
    assertThat(done.answers.get(0).code).isEqualTo(ResultCodes.OK);
    older.close();
  }

  @Test
  void shouldWriteASharedValueOnce() {
    put(topic("T", IntStream.range(0, 50).mapToObj(i -> "g" + i).toArray(String[]::new)));
    insert("T", 1, 10 * KIB);
    long[] bytes = new long[ChunkKinds.MAX + 1];
    int[] items = new int[ChunkKinds.MAX + 1];
    machine
        .freeze()
        .writeTo(
            (kind, count, buffer, offset, length) -> {
              bytes[kind] += length;
              items[kind] += count;
            });
    machine.thaw();
    assertThat(items[ChunkKinds.TASKS]).isEqualTo(50);
    assertThat(items[ChunkKinds.SHARED_CONTENTS]).isEqualTo(1);
    assertThat(Arrays.stream(bytes).sum()).isLessThan(30 * KIB);
    assertThat(machine.liveBytes()).isGreaterThan(10 * KIB).isLessThan(40 * KIB);
  }

  @Test
  void shouldGoOnEqualAfterAnImageAndAReplay() {
    put(topic("T", GROUPS), policy("T/a").setTtlMs(50), policy("T/b").setRetryBaseMs(5));
    List<Message> commands = new ArrayList<>();
    commands.add(modify(ANN).addInserts(insert("T", 1, value(KIB))).build());
    commands.add(modify(ANN).addInserts(insert("T", 2, value(KIB).setTtlMs(20))).build());
    commands.add(modify(ANN).addFails(Fail.newBuilder().setId(copy(1, "b")).setErr("x")).build());
    commands.add(modify(ANN).addDeletes(ref(copy(2, "c"), 0, "T/c")).build());
    StateMachine copy = reloaded();
    for (Message command : commands) {
      applyToBoth(copy, command);
      copy.close();
      copy = reloaded();
      assertSharing(copy);
    }
    nowMs += 60;
    applyToBoth(copy, io.entroq.codec.wire.log.Tick.getDefaultInstance());
    assertSharing(copy);
    assertThat(copy.stores.tasks.shared().size()).isEqualTo(1);
    copy.close();
  }

  @Test
  void shouldRefuseAnImageWithAContentThatNothingRefersTo() {
    put(topic("T", "a", "b"));
    insert("T", 1, KIB);
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    assertThatThrownBy(
            () -> {
              machine
                  .freeze()
                  .writeTo(
                      (kind, count, buffer, offset, length) -> {
                        if (kind != ChunkKinds.SHARED_CONTENTS) {
                          loader.onChunk(kind, count, buffer, offset, length);
                        }
                      });
            })
        .isInstanceOf(ImageException.class)
        .hasMessageContaining("SHARED_CONTENTS");
    machine.thaw();
    loader.close();
  }

  @Test
  void shouldNameTheKindOfAPolicyThatCannotBeATopic() {
    assertThatThrownBy(() -> put(topic("T/", "a").setKind(PolicyKind.POLICY_PREFIX)))
        .hasMessageContaining("groups");
  }
}
