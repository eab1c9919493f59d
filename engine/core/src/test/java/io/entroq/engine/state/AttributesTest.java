package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands say about lapses, expiry, traces and failures, in queues without a policy. */
class AttributesTest extends PolicyTestBase {
  private static final long CLIENT = 5;
  private static final long TTL_MS = 1_000;

  private static Insert insertWith(long id, long ttlMs, String trace) {
    return Insert.newBuilder().setId(task(id)).setData(dataWith(ttlMs, trace)).build();
  }

  private static TaskData.Builder dataWith(long ttlMs, String trace) {
    return TaskData.newBuilder()
        .setQueue("q")
        .setTtlMs(ttlMs)
        .setTrace(ByteString.copyFromUtf8(trace));
  }

  private static Change changeWith(int version, TaskData.Builder data, ChangeMode mode) {
    return Change.newBuilder()
        .setId(task(1))
        .setVersion(version)
        .setMode(mode)
        .setFromQueue("q")
        .setData(data)
        .build();
  }

  private static Change leaseOf(int version, long byMs) {
    return changeWith(
        version, TaskData.newBuilder().setQueue("q").setByMs(byMs), ChangeMode.CHANGE_LEASE);
  }

  private static Fail.Builder failOf(long id, int version) {
    return Fail.newBuilder().setId(task(id)).setVersion(version).setErr("it failed");
  }

  private TaskAttributes attributes(long id) {
    return new TaskAttributes().read(machine.stores.tasks, machine.stores.tasks.find(0, id));
  }

  private int lapses(long id) {
    return attributes(id).lapses();
  }

  /** Claims task 1, and lets the lease end. */
  private void lapsed() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    later(LEASE_MS);
  }

  // Lapses.

  @Test
  void shouldCountALapseWhenATaskIsClaimedAgain() {
    lapsed();
    apply(claim(ANN, "q"));
    assertThat(lapses(1)).isEqualTo(1);
    later(LEASE_MS);
    apply(claim(BOB, "q"));
    assertThat(lapses(1)).isEqualTo(2);
    assertThat(inFlight("q")).isEqualTo(1);
  }

  @Test
  void shouldUndoTheLapseWhenTheHolderComesBack() {
    lapsed();
    apply(modify(BOB).addChanges(leaseOf(1, LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.HELD);
    assertThat(lapses(1)).isZero();
    assertThat(inFlight("q")).isEqualTo(1);
  }

  @Test
  void shouldNotTakeAnotherForTheHolderThatComesBack() {
    lapsed();
    apply(modify(ANN).addChanges(leaseOf(1, LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.NONE);
    assertThat(lapses(1)).isEqualTo(1);
  }

  @Test
  void shouldForgetLapsesWhenTheWorkIsDoneOrAnotherWritesTheTask() {
    lapsed();
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(change("q", 1, 2, nowMs)));
    assertThat(lapses(1)).isZero();
  }

  @Test
  void shouldForgetLapsesWhenClaimsAreReset() {
    lapsed();
    apply(claim(BOB, "q"));
    TaskData.Builder data = dataWith(0, "").setByMs(10);
    apply(modify(BOB).addChanges(changeWith(2, data, ChangeMode.CHANGE_RESET_CLAIMS)));
    assertThat(lapses(1)).isZero();
    assertThat(hold(1)).isEqualTo(Holds.NONE);
  }

  @Test
  void shouldUndoTheLapseOfAClaimThatNobodyGot() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    later(LEASE_MS + 5);
    cancel(CLIENT, 1);
    assertThat(lapses(1)).isZero();
    assertThat(hold(1)).isEqualTo(Holds.NONE);
  }

  @Test
  void shouldTakeALongLeaseChangeForADeferral() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(leaseOf(1, 2 * LEASE_MS + 1)));
    assertThat(hold(1)).isEqualTo(Holds.NONE);
    later(2 * LEASE_MS + 1);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(leaseOf(3, 2 * LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.HELD);
    assertThat(lapses(1)).isZero();
  }

  @Test
  void shouldCountWhatItsHolderWroteToWithoutALapseAtTheEnd() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    TaskData.Builder data = dataWith(0, "").setErr("half done").setByMs(LEASE_MS);
    apply(modify(BOB).addChanges(changeWith(1, data, ChangeMode.CHANGE_DEFAULT)));
    assertThat(hold(1)).isEqualTo(Holds.SPOKEN);
    assertThat(inFlight("q")).isEqualTo(1);
    later(LEASE_MS);
    apply(claim(ANN, "q"));
    assertThat(lapses(1)).isZero();
  }

  @Test
  void shouldRestWhatIsRetried() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    TaskData.Builder data = dataWith(0, "").setAttempt(1).setByMs(10);
    apply(modify(BOB).addChanges(changeWith(1, data, ChangeMode.CHANGE_DEFAULT)));
    assertThat(hold(1)).isEqualTo(Holds.RESTING);
    assertThat(inFlight("q")).isZero();
    later(10);
    apply(claim(ANN, "q"));
    assertThat(hold(1)).isEqualTo(Holds.HELD);
  }

  @Test
  void shouldCountARecurringTaskUntilItRecursWithoutALapse() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addChanges(change("q", 1, 1, nowMs + 100 * LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.SPOKEN);
    later(100 * LEASE_MS);
    apply(claim(BOB, "q"));
    assertThat(lapses(1)).isZero();
  }

  @Test
  void shouldTakeAFailureAfterTheEndOfTheLeaseForOne() {
    lapsed();
    TaskData.Builder data = dataWith(0, "").setAttempt(1).setByMs(10);
    apply(modify(BOB).addChanges(changeWith(1, data, ChangeMode.CHANGE_DEFAULT)));
    assertThat(hold(1)).isEqualTo(Holds.RESTING);
    assertThat(lapses(1)).isZero();
  }

  @Test
  void shouldForgetLapsesWithEachFailure() {
    insert("q", 1);
    for (int round = 0; round < 3; round++) {
      apply(claim(BOB, "q"));
      later(LEASE_MS);
      apply(claim(BOB, "q"));
      assertThat(lapses(1)).isEqualTo(1);
      TaskData.Builder data = dataWith(0, "").setAttempt(round + 1).setByMs(10);
      int version = find(1).version();
      apply(modify(BOB).addChanges(changeWith(version, data, ChangeMode.CHANGE_DEFAULT)));
      assertThat(lapses(1)).isZero();
      later(10);
    }
  }

  @Test
  void shouldForgetLapsesWhenAnotherPutsTheTaskOff() {
    lapsed();
    apply(modify(ANN).addChanges(change("q", 1, 1, nowMs + 30)));
    assertThat(lapses(1)).isZero();
    assertThat(hold(1)).isEqualTo(Holds.NONE);
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldKeepALapseWhenTheNextClaimIsGivenBack() {
    lapsed();
    apply(claim(ANN, "q").setIdentity(request(CLIENT, 1)));
    cancel(CLIENT, 1);
    assertThat(lapses(1)).isEqualTo(1);
    assertThat(hold(1)).isEqualTo(Holds.NONE);
    assertThat(apply(modify(BOB).addChanges(leaseOf(1, LEASE_MS))).code)
        .isEqualTo(ResultCodes.DEPENDENCY);
  }

  @Test
  void shouldNotFlyWhenItIsHeldWithoutAClaim() {
    apply(modify(ANN).addInserts(insert("q", 1, nowMs + 50)));
    apply(modify(ANN).addChanges(leaseOf(0, 60)));
    assertThat(hold(1)).isEqualTo(Holds.NONE);
    later(60);
    apply(modify(BOB).addChanges(leaseOf(1, LEASE_MS)));
    assertThat(hold(1)).isEqualTo(Holds.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {Holds.HELD, Holds.LAPSED, Holds.SPOKEN, Holds.RESTING})
  void shouldLastInAnImage(int hold) {
    insert("q", 1);
    apply(claim(BOB, "q"));
    TaskData.Builder data = dataWith(0, "").setByMs(LEASE_MS);
    if (hold == Holds.SPOKEN || hold == Holds.RESTING) {
      data.setErr("said").setAttempt(hold == Holds.RESTING ? 1 : 0);
      apply(modify(BOB).addChanges(changeWith(1, data, ChangeMode.CHANGE_DEFAULT)));
    }
    if (hold == Holds.LAPSED) {
      later(LEASE_MS);
      // Makes it ready, and takes another.
      insert("q", 2);
      apply(claim(BOB, "q").setLeaseMs(0));
      apply(claim(BOB, "q").setLeaseMs(0));
    }
    try (StateMachine loaded = reloaded()) {
      nowMs += 1;
      applyToBoth(loaded, claim(ANN, "q").build());
      nowMs += 2 * LEASE_MS;
      applyToBoth(loaded, claim(ANN, "q").build());
    }
  }

  // Expiry and traces.

  @Test
  void shouldExpire() {
    apply(modify(ANN).addInserts(insertWith(1, TTL_MS, "")));
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + TTL_MS);
    later(TTL_MS - 1);
    assertThat(find(1)).isNotNull();
    later(1);
    assertThat(find(1)).isNull();
    assertThat(machine.stores.queues.size()).isZero();
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldNeverHandOutWhatHasExpired() {
    apply(modify(ANN).addInserts(insertWith(1, TTL_MS, "")));
    nowMs += TTL_MS;
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldExpireInFlight() {
    apply(modify(ANN).addInserts(insertWith(1, TTL_MS, "")));
    apply(claim(BOB, "q"));
    later(TTL_MS);
    assertThat(find(1)).isNull();
    assertThat(apply(modify(BOB).addDeletes(ref(1, 1))).code).isEqualTo(ResultCodes.DEPENDENCY);
  }

  @Test
  void shouldKeepExpiryAndTraceUnlessAChangeNamesThem() {
    apply(modify(ANN).addInserts(insertWith(1, TTL_MS, "trace")));
    apply(modify(ANN).addChanges(change("q", 1, 0, nowMs)));
    assertThat(attributes(1).expiresMs()).isEqualTo(nowMs + TTL_MS);
    assertThat(attributes(1).trace().length()).isEqualTo(5);
    apply(
        modify(ANN)
            .addChanges(changeWith(1, dataWith(2 * TTL_MS, "t"), ChangeMode.CHANGE_DEFAULT)));
    assertThat(attributes(1).trace().length()).isEqualTo(1);
    assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 2 * TTL_MS);
    apply(modify(ANN).addChanges(changeWith(2, dataWith(-1, ""), ChangeMode.CHANGE_DEFAULT)));
    assertThat(attributes(1).expiresMs()).isEqualTo(TaskAttributes.NEVER);
    assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldSaturateATimeToExpire() {
    apply(modify(ANN).addInserts(insertWith(1, Long.MAX_VALUE, "")));
    assertThat(attributes(1).expiresMs()).isEqualTo(Long.MAX_VALUE);
    later(1);
    assertThat(find(1)).isNotNull();
  }

  @Test
  void shouldExpireAThousandPerStep() {
    Modify.Builder many = modify(ANN);
    for (int id = 1; id <= 2_500; id++) {
      many.addInserts(insertWith(id, TTL_MS, ""));
    }
    apply(many);
    try (StateMachine loaded = reloaded()) {
      nowMs += TTL_MS;
      for (int left : new int[] {1_500, 500, 0}) {
        applyToBoth(loaded, io.entroq.codec.wire.log.Tick.getDefaultInstance());
        assertThat(machine.taskCount()).isEqualTo(left);
      }
    }
  }

  @Test
  void shouldExpireAVersionThatIsUsedUp() {
    apply(modify(ANN).addInserts(insertWith(1, TTL_MS, "")));
    machine.stores.tasks.version(machine.stores.tasks.find(0, 1), Integer.MAX_VALUE - 1);
    machine.stores.digest.restore(machine.historyDigest(), machine.recomputeContentDigest());
    apply(claim(BOB, "q"));
    later(TTL_MS);
    assertThat(find(1)).isNull();
  }

  // Fails.

  @Test
  void shouldRaiseTheAttemptAndKeepTheErrorOfAFail() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    Answer answer = apply(modify(BOB).addFails(failOf(1, 1)));
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(answer.failed).containsExactly(find(1));
    assertThat(find(1).version()).isEqualTo(2);
    assertThat(find(1).claimant()).isZero();
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
    assertThat(machine.stores.tasks.attempt(machine.stores.tasks.find(0, 1))).isEqualTo(1);
    assertThat(inFlight("q")).isZero();
  }

  @Test
  void shouldRestForTheDelayOfAFail() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addFails(failOf(1, 1).setHasDelay(true).setDelayMs(70)));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 70);
    assertThat(hold(1)).isEqualTo(Holds.RESTING);
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
    later(70);
    assertThat(apply(claim(BOB, "q")).claimed).hasSize(1);
  }

  @Test
  void shouldSaturateAttemptsAndDelays() {
    TaskData data = data("q", nowMs).toBuilder().setAttempt(Integer.MAX_VALUE).build();
    apply(modify(ANN).addInserts(insert("q", 1, nowMs).toBuilder().setData(data)));
    apply(modify(BOB).addFails(failOf(1, 0).setHasDelay(true).setDelayMs(Long.MAX_VALUE)));
    assertThat(machine.stores.tasks.attempt(machine.stores.tasks.find(0, 1)))
        .isEqualTo(Integer.MAX_VALUE);
    assertThat(find(1).arrivalMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldRefuseFailsThatDoNotMatch() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    Answer answer =
        apply(
            modify(ANN)
                .addFails(failOf(1, 1))
                .addFails(failOf(2, 0))
                .addInserts(insert("q", 3, nowMs)));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures)
        .containsExactly(
            new Answer.Failure(ItemKinds.FAIL, 0, true, 1),
            new Answer.Failure(ItemKinds.FAIL, 1, false, -1));
    assertThat(apply(modify(BOB).addFails(failOf(1, 0))).code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(apply(modify(BOB).addFails(failOf(1, 1).setQueue("r"))).code)
        .isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(find(3)).isNull();
    assertThat(apply(modify(BOB).addFails(failOf(1, 1)).addDeletes(ref(1, 1))).code)
        .isEqualTo(ResultCodes.DUPLICATE_ITEM);
  }

  @Test
  void shouldTellARetriedFailWhatItWasTold() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    Modify fail =
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("q", 2, nowMs))
            .addFails(failOf(1, 1).setHasDelay(true).setDelayMs(50))
            .build();
    Answer first = apply(fail);
    assertThat(apply(fail).failed).isEqualTo(first.failed);
    later(50);
    apply(claim(ANN, "q").setLimit(2));
    try (StateMachine loaded = reloaded()) {
      assertThat(apply(fail).failed).isEqualTo(first.failed);
      applyTo(loaded, fail);
      assertSame(loaded);
    }
  }

  // Levels.

  @Test
  void shouldRefuseWhatTheLevelDoesNotHave() {
    try (StateMachine old = new StateMachine(StateMachineConfig.DEFAULT)) {
      applyTo(old, genesis().toBuilder().setLevel(Levels.MIN).build());
      applyTo(old, modify(ANN).addInserts(insert("q", 1, nowMs)).build());
      for (Modify.Builder modify :
          new Modify.Builder[] {
            modify(ANN).addInserts(insertWith(2, 5, "")),
            modify(ANN).addInserts(insertWith(2, 0, "t")),
            modify(ANN).addFails(failOf(1, 0)),
          }) {
        long before = old.contentDigest();
        Answer answer = applyTo(old, modify.build()).of(old.sequence());
        assertThat(answer.code).isEqualTo(ResultCodes.LEVEL_TOO_LOW);
        assertThat(old.contentDigest()).isEqualTo(before);
      }
      applyTo(old, claim(BOB, "q").build());
      assertThat(old.stores.queues.inFlight(queue(old, "q"))).isZero();
    }
  }
}
