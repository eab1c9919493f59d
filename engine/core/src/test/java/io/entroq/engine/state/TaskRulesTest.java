package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.task.TaskStore;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Arrival times, the last version, queues that come and go, and their counts. */
class TaskRulesTest extends StateTestBase {
  private static final long YEAR_MS = 365L * 24 * 60 * 60 * 1_000;
  private static final int LAST_VERSION = Integer.MAX_VALUE;
  private static final long CLIENT = 5;

  // Arrival times.

  @Test
  void shouldTakeNowForAnArrivalTimeOlderThanAYear() {
    apply(
        modify(ANN)
            .addInserts(insert("q", 1, nowMs - YEAR_MS - 1))
            .addInserts(insert("q", 2, nowMs - YEAR_MS))
            .addInserts(insert("q", 3, Long.MIN_VALUE)));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
    assertThat(find(2).arrivalMs()).isEqualTo(nowMs - YEAR_MS);
    assertThat(find(3).arrivalMs()).isEqualTo(nowMs);
    apply(modify(ANN).addChanges(change("q", 2, 0, 0)));
    assertThat(find(2).arrivalMs()).isEqualTo(nowMs);
  }

  @Test
  void shouldCountADurationFromTheLogTimeThatIsAlsoTheTimeOfTheWrite() {
    for (long byMs : new long[] {1, 500, -1, -2 * YEAR_MS}) {
      long id = Math.abs(byMs) + 2 * (byMs > 0 ? 1 : 0) * YEAR_MS;
      apply(modify(ANN).addInserts(insertBy(id, byMs)));
      assertThat(find(id).arrivalMs() - find(id).modifiedMs()).isEqualTo(byMs);
      later(7);
      apply(modify(ANN).addChanges(changeBy(id, 0, byMs)));
      assertThat(find(id).modifiedMs()).isEqualTo(nowMs);
      assertThat(find(id).arrivalMs() - find(id).modifiedMs()).isEqualTo(byMs);
    }
  }

  @Test
  void shouldTakeADurationRatherThanATime() {
    Insert.Builder both = insertBy(1, 500).toBuilder();
    both.getDataBuilder().setArrivalMs(nowMs + 1);
    apply(modify(ANN).addInserts(both));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 500);
  }

  @Test
  void shouldTakeNowForNoArrivalTimeAtAll() {
    apply(modify(ANN).addInserts(insertBy(1, 0)).addInserts(insert("q", 2, -1)));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
    assertThat(find(2).arrivalMs()).isEqualTo(nowMs);
  }

  @Test
  void shouldKeepATaskForEverWhenTheSumWouldOverflow() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    apply(modify(ANN).addInserts(insertBy(1, Long.MAX_VALUE)));
    assertThat(find(1).arrivalMs()).isEqualTo(Long.MAX_VALUE);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
    assertThat(queues(nowMs).get("q")).isEqualTo(new Figures(1, 0, 0, 1, 1, 0));
    try (StateMachine loaded = loaded()) {
      assertThat(loaded.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
      assertThat(loaded.recomputeContentDigest()).isEqualTo(machine.contentDigest());
    }
    later(100 * YEAR_MS);
    assertThat(machine.parkedCount()).isEqualTo(1);
    apply(modify(ANN).addChanges(changeBy(1, 0, 0)));
    assertThat(machine.parkedCount()).isZero();
  }

  private StateMachine loaded() {
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    machine.freeze().writeTo(loader);
    machine.thaw();
    return loader.finish();
  }

  private static Insert insertBy(long id, long byMs) {
    return Insert.newBuilder()
        .setId(task(id))
        .setData(TaskData.newBuilder().setQueue("q").setByMs(byMs))
        .build();
  }

  private static Change changeBy(long id, int version, long byMs) {
    return Change.newBuilder()
        .setId(task(id))
        .setVersion(version)
        .setData(TaskData.newBuilder().setQueue("q").setByMs(byMs))
        .build();
  }

  // Who holds a task.

  @Test
  void shouldNameTheHolderAsClaimantAfterAnInsertAndAChange() {
    apply(modify(ANN).addInserts(insertBy(1, 0)).addInserts(insertBy(2, 10)));
    assertThat(find(1).claimant()).isZero();
    assertThat(find(2).claimant()).isEqualTo(ANN.getLow());
    apply(modify(ANN).addChanges(changeBy(1, 0, 10)).addChanges(changeBy(2, 0, 0)));
    assertThat(find(1).claimant()).isEqualTo(ANN.getLow());
    assertThat(find(2).claimant()).isZero();
  }

  @Test
  void shouldNameTheWriterAsClaimantOverTheV0Api() {
    apply(modify(ANN).setFacade(Facade.FACADE_V0).addInserts(insertBy(1, 0)));
    assertThat(find(1).claimant()).isEqualTo(ANN.getLow());
    apply(modify(BOB).setFacade(Facade.FACADE_V0).addChanges(changeBy(1, 0, 0)));
    assertThat(find(1).claimant()).isEqualTo(BOB.getLow());
  }

  @Test
  void shouldKeepTheClaimantOfAnExpiredClaimUntilTheNextWrite() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    later(LEASE_MS + 1);
    assertThat(find(1).claimant()).isEqualTo(BOB.getLow());
    apply(modify(ANN).addChanges(changeBy(1, 1, 0)));
    assertThat(find(1).claimant()).isZero();
  }

  // The queue that a request names.

  @Test
  void shouldFailWhenTheQueueOfATaskIsWrongOrMissing() {
    apply(
        modify(ANN)
            .addInserts(insert("q", 1, nowMs))
            .addInserts(insert("q", 2, nowMs))
            .addInserts(insert("q", 3, nowMs)));
    for (String queue : List.of("", "p", "q2", "Q")) {
      Modify.Builder modify = inQueue(queue);
      Answer answer = applyAsIs(modify.build());
      assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
      assertThat(answer.failures)
          .containsExactly(
              new Answer.Failure(ItemKinds.CHANGE, 0, false, -1),
              new Answer.Failure(ItemKinds.DELETE, 0, false, -1),
              new Answer.Failure(ItemKinds.DEPEND, 0, false, -1));
    }
    assertThat(applyAsIs(inQueue("q").build()).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldTakeAnEmptyQueueForAnyOverTheV0Api() {
    apply(
        modify(ANN)
            .addInserts(insert("q", 1, nowMs))
            .addInserts(insert("q", 2, nowMs))
            .addInserts(insert("q", 3, nowMs)));
    assertThat(applyAsIs(inQueue("p").setFacade(Facade.FACADE_V0).build()).failures).hasSize(3);
    assertThat(applyAsIs(inQueue("").setFacade(Facade.FACADE_V0).build()).code)
        .isEqualTo(ResultCodes.OK);
  }

  private Modify.Builder inQueue(String queue) {
    return modify(ANN)
        .addChanges(change("q", 1, 0, nowMs).toBuilder().setFromQueue(queue))
        .addDeletes(ref(2, 0).toBuilder().setQueue(queue))
        .addDepends(ref(3, 0).toBuilder().setQueue(queue));
  }

  // Failures.

  @Test
  void shouldReportAllClassesOfFailuresTogether() {
    for (int i = 1; i <= 4; i++) {
      insert("q", i);
    }
    apply(claim(BOB, "q").setLimit(2));
    List<Long> held = said.answers.get(0).claimed.stream().map(Shot::id).toList();
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("p", free(held, 0), nowMs))
                .addChanges(change("q", held.get(0), 1, nowMs))
                .addDeletes(ref(held.get(1), 1))
                .addDeletes(ref(8, 0))
                .addDepends(ref(free(held, 1), 5))
                .addDocDepends(docRef("users", 1, 0)));
    assertThat(answer.failures)
        .extracting(Answer.Failure::itemKind, Answer.Failure::claimed)
        .containsExactly(
            tuple(ItemKinds.INSERT, false),
            tuple(ItemKinds.CHANGE, true),
            tuple(ItemKinds.DELETE, true),
            tuple(ItemKinds.DELETE, false),
            tuple(ItemKinds.DEPEND, false),
            tuple(ItemKinds.DOC_DEPEND, false));
  }

  private static long free(List<Long> held, int index) {
    return LongStream.rangeClosed(1, 4)
        .filter(id -> !held.contains(id))
        .skip(index)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldRefuseATaskThatIsNamedTwice() {
    insert("q", 1);
    Insert insert = insert("q", 1, nowMs);
    Change change = change("q", 1, 0, nowMs);
    assertDuplicate(modify(ANN).addInserts(insert).addInserts(insert), ItemKinds.INSERT, 1);
    assertDuplicate(modify(ANN).addInserts(insert).addChanges(change), ItemKinds.CHANGE, 0);
    assertDuplicate(modify(ANN).addInserts(insert).addDeletes(ref(1, 0)), ItemKinds.DELETE, 0);
    assertDuplicate(modify(ANN).addInserts(insert).addDepends(ref(1, 0)), ItemKinds.DEPEND, 0);
    assertDuplicate(modify(ANN).addChanges(change).addChanges(change), ItemKinds.CHANGE, 1);
    assertDuplicate(modify(ANN).addChanges(change).addDeletes(ref(1, 0)), ItemKinds.DELETE, 0);
    assertDuplicate(modify(ANN).addChanges(change).addDepends(ref(1, 0)), ItemKinds.DEPEND, 0);
    assertDuplicate(modify(ANN).addDeletes(ref(1, 0)).addDepends(ref(1, 0)), ItemKinds.DEPEND, 0);
    assertThat(find(1).version()).isZero();
  }

  private void assertDuplicate(Modify.Builder modify, int itemKind, int index) {
    Answer answer = apply(modify);
    assertThat(answer.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(answer.item).isEqualTo(new Answer.Item(itemKind, index));
  }

  @Test
  void shouldTakeTheInsertOfADeletedTaskForACollisionOverTheV0Api() {
    insert("q", 1);
    Answer answer =
        apply(
            modify(ANN)
                .setFacade(Facade.FACADE_V0)
                .addInserts(insert("q", 1, nowMs))
                .addDeletes(ref(1, 0)));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(new Answer.Failure(ItemKinds.INSERT, 0, false, 0));
  }

  // Listings.

  @Test
  void shouldListIdsOnlyWithinTheQueueThatIsNamedBesides() {
    insert("q", 1);
    insert("p", 2);
    ListTasks.Builder both = ListTasks.newBuilder().addIds(task(1)).addIds(task(2));
    assertThat(list(both.build())).extracting(Shot::id).containsExactly(1L, 2L);
    assertThat(list(both.setQueue("p").build())).extracting(Shot::id).containsExactly(2L);
    assertThat(list(both.setQueue("none").build())).isEmpty();
  }

  @Test
  void shouldCountTowardsTheLimitOnlyTasksThatTheClaimantMayHave() {
    for (int i = 1; i <= 6; i++) {
      insert("q", i);
    }
    apply(claim(BOB, "q").setLimit(3));
    ListTasks.Builder query = ListTasks.newBuilder().setQueue("q").setClaimant(ANN).setLimit(3);
    assertThat(list(query.build())).hasSize(3).extracting(Shot::claimant).containsOnly(0L);
  }

  // The last version: 2^31-1.

  @Test
  void shouldClaimATaskForTheLastTimeWhenOneVersionIsLeft() {
    insert("q", 1);
    version(1, LAST_VERSION - 1);
    assertThat(apply(claim(BOB, "q")).claimed)
        .extracting(Shot::version)
        .containsExactly(LAST_VERSION);
    later(LEASE_MS + 1);
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldRefuseAChangeButNotADeleteWhenTheVersionsAreUsedUp() {
    insert("q", 1);
    version(1, LAST_VERSION);
    Answer refused =
        apply(
            modify(ANN)
                .addInserts(insert("q", 2, nowMs))
                .addChanges(change("q", 1, LAST_VERSION, nowMs)));
    assertThat(refused.code).isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    assertThat(refused.item).isEqualTo(new Answer.Item(ItemKinds.CHANGE, 0));
    assertThat(find(2)).isNull();

    assertThat(apply(modify(ANN).addDeletes(ref(1, LAST_VERSION))).code).isEqualTo(ResultCodes.OK);
    assertThat(machine.taskCount()).isZero();
  }

  @Test
  void shouldLetWaitersWaitWhenTheVersionsOfTheOnlyTaskAreUsedUp() {
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 10)));
    version(1, LAST_VERSION);
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    later(20);
    assertThat(machine.parkedCount()).isEqualTo(1);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldLeaveATaskToItsLeaseWhenNoVersionIsLeftToGiveItBack() {
    insert("q", 1);
    version(1, LAST_VERSION - 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    Shot claimed = find(1);
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
    gone(CLIENT);
    assertThat(find(1)).isEqualTo(claimed);
  }

  private void version(long id, int version) {
    Stores stores = machine.stores;
    TaskStore tasks = stores.tasks;
    TaskTable table = new TaskTable(stores, new QueuesToServe(stores.queues, stores.watch));
    int task = tasks.find(0, id);
    table.detach(task);
    tasks.version(task, version);
    table.attach(task, nowMs);
  }

  // Queues.

  @Test
  void shouldForgetAQueueWhenItsLastTaskGoes() {
    insert("q", 1);
    insert("q", 2);
    apply(modify(ANN).addDeletes(ref(1, 0)));
    assertThat(queues(nowMs)).containsOnlyKeys("q");
    apply(modify(ANN).addChanges(change("p", 2, 0, nowMs)));
    assertThat(queues(nowMs)).containsOnlyKeys("p");
    apply(modify(ANN).addDeletes(ref(2, 1)));
    assertThat(queues(nowMs)).isEmpty();
  }

  @Test
  void shouldNotListAQueueInWhichOnlyAClaimWaits() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    assertThat(queues(nowMs)).isEmpty();
    insert("q", 1);
    assertThat(queues(nowMs)).containsOnlyKeys("q");
  }

  @Test
  void shouldCountTasksByTheTimeOfTheQuestionThoughNoCommandCameSince() {
    insert("q", 1);
    insert("q", 2);
    apply(modify(ANN).addInserts(insert("q", 3, nowMs + 10)));
    // Due in ten milliseconds, and nobody's.
    apply(modify(NOBODY).addInserts(insert("q", 4, nowMs + 10)));
    apply(claim(BOB, "q").setLeaseMs(20));

    assertThat(queues(nowMs).get("q")).isEqualTo(new Figures(4, 1, 1, 2, 2, 1));
    assertThat(queues(nowMs + 10).get("q")).isEqualTo(new Figures(4, 3, 1, 1, 0, 1));
    assertThat(queues(nowMs + 20).get("q")).isEqualTo(new Figures(4, 4, 0, 0, 0, 1));
  }

  @Test
  void shouldForgetTheHighestNumberOfClaimsWhenThatTaskGoes() {
    insert("q", 1);
    for (int i = 0; i < 3; i++) {
      apply(claim(BOB, "q").setLeaseMs(0));
    }
    insert("q", 2);
    assertThat(queues(nowMs).get("q").claimsMax()).isEqualTo(3);
    apply(modify(ANN).addDeletes(ref(1, 3)));
    assertThat(queues(nowMs).get("q").claimsMax()).isZero();
  }
}
