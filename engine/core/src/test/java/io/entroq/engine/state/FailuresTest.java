package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.sun.management.ThreadMXBean;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Overflow;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What policies make of failures, lapses, expiry and order. */
class FailuresTest extends PolicyTestBase {
  private static final long CLIENT = 5;
  private static final long DAY_MS = 24L * 60 * 60 * 1000;

  private void put(Policy.Builder policy) {
    Answer answer = apply(modify(ANN).addPolicyPuts(policy));
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
  }

  private static Policy.Builder of(String queue) {
    return Policy.newBuilder().setName(queue);
  }

  private static Fail.Builder failOf(long id, int version) {
    return Fail.newBuilder().setId(task(id)).setVersion(version).setErr("it failed");
  }

  /** Claims what there is, and reports its failure. */
  private Answer claimAndFail(String queue) {
    Shot claimed = apply(claim(BOB, queue)).claimed.get(0);
    return apply(modify(BOB).addFails(failOf(claimed.id(), claimed.version())));
  }

  private TaskAttributes attributes(long id) {
    return new TaskAttributes().read(machine.stores.tasks, machine.stores.tasks.find(0, id));
  }

  private static String text(Bytes bytes) {
    byte[] copy = new byte[bytes.length()];
    if (copy.length > 0) {
      bytes.buffer().getBytes(bytes.offset(), copy);
    }
    return new String(copy, StandardCharsets.UTF_8);
  }

  private void assertDead(long id, String queue, String origin, int reason) {
    assertThat(find(id).queue()).isEqualTo(queue);
    assertThat(find(id).claimant()).isZero();
    assertThat(find(id).arrivalMs()).isEqualTo(nowMs);
    assertThat(hold(id)).isEqualTo(Holds.NONE);
    assertThat(text(attributes(id).origin())).isEqualTo(origin);
    assertThat(attributes(id).reason()).isEqualTo(reason);
    assertThat(attributes(id).deadAtMs()).isEqualTo(nowMs);
    assertThat(attributes(id).lapses()).isZero();
    int slot = queue(machine, origin);
    if (slot >= 0) {
      assertThat(machine.stores.ruled.outcomes().dead(slot)).isPositive();
    }
  }

  private void exhaust(long id, int versionsLeft) {
    int task = machine.stores.tasks.find(0, id);
    machine.table.detach(task);
    machine.stores.tasks.version(task, Integer.MAX_VALUE - versionsLeft);
    machine.table.attach(task, nowMs);
  }

  // Retries.

  @ParameterizedTest
  @CsvSource({
    "100, 0, 0, 1, 100",
    "100, 0, 0, 2, 200",
    "100, 0, 0, 3, 400",
    "100, 3000, 0, 3, 900",
    "100, 1000, 0, 50, 100",
    "100, 1500, 0, 2, 150",
    "100, 0, 350, 3, 350",
    "100, 100000, 5000, 2147483647, 5000",
    "0, 0, 0, 5, 0",
    "100, 2000, 0, 2147483647, 31622400000"
  })
  void shouldRestTheLongerTheMoreOftenItFailed(
      long baseMs, int factorMilli, long maxMs, int attempt, long restMs) {
    put(
        of("q")
            .setRetryBaseMs(baseMs)
            .setRetryFactorMilli(factorMilli)
            .setRetryMaxMs(maxMs)
            .setAttemptsMax(0));
    TaskData data = data("q", nowMs).toBuilder().setAttempt(attempt - 1).build();
    apply(modify(ANN).addInserts(insert("q", 1, nowMs).toBuilder().setData(data)));
    claimAndFail("q");
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + restMs);
  }

  @Test
  void shouldTakeAwayFromARestByChance() {
    put(of("q").setRetryBaseMs(1_000).setRetryFactorMilli(1_000).setRetryJitterMilli(300));
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int id = 1; id <= 200; id++) {
      insert("q", id);
      claimAndFail("q");
      long rest = find(id).arrivalMs() - nowMs;
      assertThat(rest).isBetween(700L, 1_000L);
      least = Math.min(least, rest);
      most = Math.max(most, rest);
    }
    assertThat(least).isLessThan(730);
    assertThat(most).isGreaterThan(970);
  }

  @Test
  void shouldDrawNothingWithoutJitter() {
    put(of("q").setRetryBaseMs(1_000));
    insert("q", 1);
    long before = machine.stores.random.state();
    claimAndFail("q");
    assertThat(machine.stores.random.state()).isEqualTo(before);
  }

  @Test
  void shouldRestAsLongAsTheFailSays() {
    put(of("q").setRetryBaseMs(1_000).setRetryJitterMilli(1_000));
    insert("q", 1);
    apply(claim(BOB, "q"));
    apply(modify(BOB).addFails(failOf(1, 1).setHasDelay(true).setDelayMs(7)));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 7);
  }

  @Test
  void shouldTakeAChangeThatRaisesTheAttemptForAFailure() {
    put(of("q").setRetryBaseMs(1_000));
    insert("q", 1);
    apply(claim(BOB, "q"));
    TaskData data = data("q", nowMs + 3).toBuilder().setAttempt(1).setErr("e").build();
    Modify change =
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addChanges(Change.newBuilder().setId(task(1)).setVersion(1).setData(data))
            .build();
    Answer answer = apply(change);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 1_000);
    assertThat(find(1).claimant()).isZero();
    assertThat(find(1).version()).isEqualTo(2);
    assertThat(hold(1)).isEqualTo(Holds.RESTING);
    assertThat(answer.changed).containsExactly(find(1));
    later(1_000);
    apply(claim(ANN, "q"));
    assertThat(apply(change).changed).isEqualTo(answer.changed);
  }

  @Test
  void shouldLeaveAChangeOfSomebodyElseAlone() {
    put(of("q").setRetryBaseMs(1_000));
    insert("q", 1);
    TaskData data = data("q", nowMs + 3).toBuilder().setAttempt(1).build();
    apply(modify(BOB).addChanges(change("q", 1, 0, 0).toBuilder().setData(data)));
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 3);
  }

  // Death.

  @ParameterizedTest
  @CsvSource({"dead, dead", "'', q/err"})
  void shouldDieWhenItHasFailedTooOften(String named, String dead) {
    put(of("q").setAttemptsMax(2).setDeadQueue(named));
    insert("q", 1);
    claimAndFail("q");
    assertThat(find(1).queue()).isEqualTo("q");
    Answer answer = claimAndFail("q");
    assertDead(1, dead, "q", DeadReasons.FAILED);
    assertThat(find(1).version()).isEqualTo(4);
    assertThat(answer.failed).containsExactly(find(1));
    try (StateMachine loaded = reloaded()) {
      applyToBoth(loaded, claim(BOB, dead).build());
    }
  }

  @Test
  void shouldTellARetriedFailWhereTheTaskWent() {
    put(of("q").setAttemptsMax(1));
    insert("q", 1);
    apply(claim(BOB, "q"));
    Modify fail = modify(BOB).setIdentity(request(CLIENT, 1)).addFails(failOf(1, 1)).build();
    Answer first = apply(fail);
    assertThat(first.failed.get(0).queue()).isEqualTo("q/err");
    later(10);
    apply(modify(ANN).addDeletes(ref(1, 2)));
    put(of("q").setAttemptsMax(0));
    try (StateMachine loaded = reloaded()) {
      assertThat(apply(fail).failed).isEqualTo(first.failed);
      applyTo(loaded, fail);
      assertSame(loaded);
    }
  }

  @Test
  void shouldDieByAChange() {
    put(of("q").setAttemptsMax(1));
    insert("q", 1);
    insert("q", 2);
    apply(claim(BOB, "q").setLimit(2));
    TaskData data = data("q", nowMs + 3).toBuilder().setAttempt(1).build();
    Modify change =
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addChanges(change("q", 1, 1, 0).toBuilder().setData(data))
            .addDeletes(ref(2, 1))
            .build();
    Answer first = apply(change);
    assertDead(1, "q/err", "q", DeadReasons.FAILED);
    assertThat(first.changed.get(0).queue()).isEqualTo("q/err");
    later(1);
    apply(claim(ANN, "q/err"));
    assertThat(apply(change).changed).isEqualTo(first.changed);
  }

  @Test
  void shouldRestInsteadOfDyingInAQueueWithTooLongAName() {
    String longest = "q".repeat(1_024);
    put(of(longest).setAttemptsMax(1));
    apply(modify(ANN).addInserts(insert(longest, 1, nowMs)));
    claimAndFail(longest);
    assertThat(find(1).queue()).isEqualTo(longest);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + DAY_MS / 24);
    put(of(longest).setAttemptsMax(1).setRetryMaxMs(5));
    later(DAY_MS / 24);
    claimAndFail(longest);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs + 5);
    String fits = "q".repeat(1_020);
    put(of(fits).setAttemptsMax(1));
    apply(modify(ANN).addInserts(insert(fits, 2, nowMs)));
    claimAndFail(fits);
    assertDead(2, fits + "/err", fits, DeadReasons.FAILED);
  }

  @Test
  void shouldDieWithAVersionThatIsUsedUp() {
    put(of("q").setAttemptsMax(1));
    insert("q", 1);
    exhaust(1, 2);
    Shot claimed = apply(claim(BOB, "q")).claimed.get(0);
    apply(modify(BOB).addFails(failOf(1, claimed.version())));
    assertThat(find(1).version()).isEqualTo(Integer.MAX_VALUE);
    assertThat(find(1).queue()).isEqualTo("q/err");
    assertThat(apply(claim(BOB, "q/err")).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(apply(modify(BOB).addFails(failOf(1, Integer.MAX_VALUE))).code)
        .isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    assertThat(apply(modify(BOB).addDeletes(ref(1, Integer.MAX_VALUE))).code)
        .isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldTakeAMoveToTheDeadQueueByAWorkerForItsDeath() {
    put(of("q").setAttemptsMax(5).setDeadQueue("dead"));
    insert("q", 1);
    insert("q", 2);
    apply(claim(BOB, "q").setLimit(2));
    TaskData failed = data("dead", nowMs).toBuilder().setAttempt(1).setErr("e").build();
    apply(
        modify(BOB)
            .addChanges(change("dead", 1, 1, 0).toBuilder().setData(failed))
            .addChanges(change("dead", 2, 1, nowMs)));
    assertDead(1, "dead", "q", DeadReasons.FAILED);
    assertThat(attributes(2).reason()).isEqualTo(DeadReasons.NONE);
  }

  @Test
  void shouldForgetWhereItDiedWhenItIsMoved() {
    put(of("q").setAttemptsMax(1));
    insert("q", 1);
    claimAndFail("q");
    apply(modify(ANN).addChanges(change("q", 1, 2, nowMs)));
    assertThat(attributes(1).origin().length()).isZero();
    assertThat(attributes(1).reason()).isEqualTo(DeadReasons.NONE);
    assertThat(attributes(1).deadAtMs()).isZero();
  }

  // Lapses.

  @Test
  void shouldDieAtItsLastLapseAsSoonAsTheLeaseEnds() {
    put(of("q").setLapsesMax(2));
    insert("q", 1);
    apply(claim(BOB, "q"));
    later(LEASE_MS);
    assertThat(attributes(1).lapses()).isEqualTo(1);
    apply(claim(BOB, "q"));
    later(LEASE_MS - 1);
    assertThat(find(1).queue()).isEqualTo("q");
    later(1);
    assertDead(1, "q/err", "q", DeadReasons.LAPSED);
    assertThat(find(1).version()).isEqualTo(3);
  }

  @Test
  void shouldNeverHandOutWhatHasLapsedTooOften() {
    put(of("q").setLapsesMax(1));
    insert("q", 1);
    apply(claim(BOB, "q"));
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    later(LEASE_MS);
    assertDead(1, "q/err", "q", DeadReasons.LAPSED);
    assertThat(machine.parkedCount()).isEqualTo(1);
  }

  @Test
  void shouldActOnALowerMaximumAtTheNextLapse() {
    insert("q", 1);
    for (int i = 0; i < 3; i++) {
      apply(claim(BOB, "q"));
      later(LEASE_MS);
    }
    apply(claim(BOB, "q"));
    put(of("q").setLapsesMax(2));
    apply(modify(BOB).addInserts(insert("q", 2, nowMs)));
    assertThat(attributes(1).lapses()).isEqualTo(3);
    later(LEASE_MS);
    assertDead(1, "q/err", "q", DeadReasons.LAPSED);
  }

  @Test
  void shouldDieByLapsesAThousandPerStep() {
    put(of("q").setLapsesMax(1));
    Modify.Builder many = modify(ANN);
    for (int id = 1; id <= 1_500; id++) {
      many.addInserts(insert("q", id, nowMs));
    }
    apply(many);
    apply(claim(BOB, "q").setLimit(1_000));
    apply(claim(BOB, "q").setLimit(500));
    try (StateMachine loaded = reloaded()) {
      nowMs += LEASE_MS;
      for (int i = 0; i < 2; i++) {
        applyToBoth(loaded, Tick.getDefaultInstance());
      }
      assertThat(queues(nowMs).get("q/err").tasks()).isEqualTo(1_500);
      assertThat(machine.nextDeadlineMs()).isEqualTo(Long.MAX_VALUE);
    }
  }

  // Breaker.

  @Test
  void shouldPauseAQueueAfterFailuresInARow() {
    put(of("q").setBreakerFailures(2).setBreakerPauseMs(500));
    for (int id = 1; id <= 4; id++) {
      insert("q", id);
    }
    claimAndFail("q");
    Shot done = apply(claim(BOB, "q")).claimed.get(0);
    apply(modify(BOB).addDeletes(ref(done.id(), done.version())));
    claimAndFail("q");
    assertThat(apply(claim(BOB, "q").setLeaseMs(0)).code).isEqualTo(ResultCodes.OK);
    claimAndFail("q");
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    assertThat(machine.parkedCount()).isEqualTo(1);
    try (StateMachine loaded = reloaded()) {
      assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 500);
      nowMs += 500;
      applyToBoth(loaded, Tick.getDefaultInstance());
      assertThat(machine.parkedCount()).isZero();
    }
  }

  // Counts.

  private long lapsed() {
    return machine.stores.ruled.outcomes().lapsed(queue(machine, "q"));
  }

  /** With rules that need not see leases end in time, a claim may be the first to look. */
  private void claimBesideAnother(boolean isSeen) {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    insert("q", 2);
    later(LEASE_MS);
    if (isSeen) {
      apply(claim(ANN, "q"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldCountALapseOnceWhoeverSeesItWhenTheTaskIsDeletedLate(boolean isSeen) {
    put(of("q").setOrder(Order.ORDER_OLDEST));
    claimBesideAnother(isSeen);
    assertThat(lapsed()).isEqualTo(isSeen ? 1 : 0);
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(find(1)).isNull();
    assertThat(lapsed()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "late"})
  void shouldCountALapseWhenTheTaskThenExpires(String expiredQueue) {
    put(of("q").setTtlMs(LEASE_MS + 1).setExpiredQueue(expiredQueue));
    insert("q", 1);
    apply(claim(BOB, "q"));
    later(LEASE_MS);
    insert("q", 2);
    later(1);
    assertThat(lapsed()).isEqualTo(1);
  }

  @Test
  void shouldCountALapseThatIsUndone() {
    put(of("q").setOrder(Order.ORDER_OLDEST));
    claimBesideAnother(false);
    cancel(CLIENT, 1);
    assertThat(attributes(1).lapses()).isZero();
    assertThat(lapsed()).isEqualTo(1);
  }

  // Expiry.

  @Test
  void shouldExpireByThePolicyUnlessTheTaskSaysOtherwise() {
    put(of("q").setTtlMs(100));
    insert("q", 1);
    TaskData never = data("q", nowMs).toBuilder().setTtlMs(-1).build();
    apply(modify(ANN).addInserts(insert("q", 2, nowMs).toBuilder().setData(never)));
    TaskData sooner = data("q", nowMs).toBuilder().setTtlMs(50).build();
    apply(modify(ANN).addInserts(insert("q", 3, nowMs).toBuilder().setData(sooner)));
    later(50);
    assertThat(find(3)).isNull();
    later(50);
    assertThat(find(1)).isNull();
    later(DAY_MS);
    assertThat(find(2)).isNotNull();
    assertThat(machine.stores.ruled.outcomes().dead(queue(machine, "q"))).isEqualTo(2);
  }

  @Test
  void shouldMoveWhatExpiresToItsQueue() {
    put(of("q").setTtlMs(100).setExpiredQueue("late").setInFlightMax(1));
    insert("q", 1);
    apply(claim(BOB, "q"));
    insert("q", 2);
    later(100);
    assertDead(1, "late", "q", DeadReasons.EXPIRED);
    assertThat(find(1).version()).isEqualTo(2);
    assertDead(2, "late", "q", DeadReasons.EXPIRED);
    assertThat(inFlight("q")).isZero();
    later(DAY_MS);
    assertThat(find(1)).isNotNull();
  }

  // Strict order.

  private void strict() {
    put(of("q").setOrder(Order.ORDER_STRICT).setInFlightMax(1).setRetryBaseMs(100));
    insert("q", 1);
    insert("q", 2);
  }

  @Test
  void shouldBlockAQueueWithStrictOrderWhileItsFirstTaskRests() {
    strict();
    claimAndFail("q");
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    try (StateMachine loaded = reloaded()) {
      assertThat(machine.nextDeadlineMs()).isEqualTo(nowMs + 100);
      nowMs += 100;
      applyToBoth(loaded, Tick.getDefaultInstance());
    }
    assertThat(machine.parkedCount()).isZero();
    assertThat(hold(1)).isEqualTo(Holds.HELD);
  }

  @Test
  void shouldGoOnWithTheNextWhenTheFirstIsGone() {
    strict();
    claimAndFail("q");
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    apply(modify(ANN).addDeletes(ref(1, 2)));
    assertThat(machine.parkedCount()).isZero();
    assertThat(hold(2)).isEqualTo(Holds.HELD);
  }

  @Test
  void shouldKeepTheFirstInFrontWhenItLapsesOrIsGivenBack() {
    strict();
    apply(claim(BOB, "q"));
    later(LEASE_MS);
    assertThat(apply(claim(BOB, "q").setIdentity(request(CLIENT, 1))).claimed.get(0).id())
        .isEqualTo(1);
    cancel(CLIENT, 1);
    assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(1);
    apply(modify(BOB).addChanges(change("q", 1, find(1).version(), nowMs)));
    assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(1);
    apply(modify(BOB).addDeletes(ref(1, find(1).version())));
    assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(2);
  }

  // Ids that stay taken.

  @Test
  void shouldKeepIdsTakenForATime() {
    put(of("q").setRememberIdsMs(100));
    insert("q", 1);
    insert("q", 2);
    apply(modify(ANN).addDeletes(ref(1, 0)).addChanges(change("r", 2, 0, nowMs)));
    Answer answer = insert("q", 1);
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures.get(0).existingVersion()).isEqualTo(-1);
    assertThat(insert("elsewhere", 1).code).isEqualTo(ResultCodes.DEPENDENCY);
    apply(modify(ANN).addDeletes(ref(2, 1)));
    assertThat(insert("r", 2).code).isEqualTo(ResultCodes.DEPENDENCY);
    try (StateMachine loaded = reloaded()) {
      nowMs += 99;
      applyToBoth(loaded, modify(ANN).addInserts(insert("q", 1, nowMs)).build());
      assertThat(find(1)).isNull();
      nowMs += 1;
      applyToBoth(loaded, modify(ANN).addInserts(insert("q", 1, nowMs)).build());
      assertThat(find(1)).isNotNull();
      assertThat(machine.stores.rememberedIds.size()).isZero();
    }
  }

  @Test
  void shouldFollowAPolicyOfAPrefix() {
    put(of("a/").setKind(PolicyKind.POLICY_PREFIX).setAttemptsMax(1).setDeadQueue("dead"));
    apply(modify(ANN).addInserts(insert("a/1", 1, nowMs)));
    claimAndFail("a/1");
    assertDead(1, "dead", "a/1", DeadReasons.FAILED);
  }

  /** Keeps nothing. */
  private static final ResultSink QUIET =
      new ResultSink.Discarding() {
        @Override
        public void onResult(long requestSequence, int code, long stepSequence, long logTimeMs) {
          if (code != ResultCodes.OK) {
            throw new AssertionError("code " + code);
          }
        }
      };

  private void step(int type, UnsafeBuffer command) {
    long sequence = machine.sequence() + 1;
    machine.apply(type, command, 0, command.capacity(), 0, nowMs, sequence, QUIET);
  }

  private static UnsafeBuffer encoded(Message command) {
    return new UnsafeBuffer(command.toByteArray());
  }

  /**
   * Tasks are inserted with attributes, claimed, fail and die, lapse, and expire in dead queues.
   */
  @Test
  void shouldMakeNoObjectsPerCommand() {
    put(
        of("q")
            .setRetryBaseMs(1)
            .setAttemptsMax(2)
            .setLapsesMax(1)
            .setTtlMs(DAY_MS)
            .setRememberIdsMs(1)
            .setTasksMax(3)
            .setOverflow(Overflow.OVERFLOW_DROP_OLDEST)
            .setBreakerFailures(100)
            .setBreakerPauseMs(1));
    TaskData data =
        data("q", 0).toBuilder()
            .setTtlMs(DAY_MS)
            .setTrace(ByteString.copyFromUtf8("trace"))
            .build();
    UnsafeBuffer insert =
        encoded(modify(ANN).addInserts(insert("q", 77, 0).toBuilder().setData(data)).build());
    UnsafeBuffer claim = encoded(claim(BOB, "q").setLeaseMs(5).build());
    UnsafeBuffer fail = encoded(modify(BOB).addFails(failOf(77, 1)).build());
    UnsafeBuffer tick = encoded(Tick.getDefaultInstance());
    UnsafeBuffer delete =
        encoded(modify(ANN).addDeletes(ref(77, 4).toBuilder().setQueue("q/err")).build());
    Runnable round =
        () -> {
          step(RecordType.MODIFY, insert);
          step(RecordType.CLAIM, claim);
          step(RecordType.MODIFY, fail);
          nowMs += 2;
          step(RecordType.CLAIM, claim);
          nowMs += 5;
          step(RecordType.TICK, tick);
          step(RecordType.MODIFY, delete);
          nowMs += 5;
          step(RecordType.TICK, tick);
        };
    for (int i = 0; i < 20_000; i++) {
      round.run();
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    for (int i = 0; i < 20_000; i++) {
      round.run();
    }
    assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(140_000);
  }
}
