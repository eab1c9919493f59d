package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.task.TaskStore;
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
