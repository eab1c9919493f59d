package io.entroq.simulator.check;

import static io.entroq.simulator.check.Script.assertBroken;
import static io.entroq.simulator.check.Script.name;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.Durability;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Pause;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.PolicyState;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskPosition;
import io.entroq.codec.wire.log.Tick;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each invariant of policies is violated by a lie about a queue with one, after a true beginning.
 */
class PolicyInvariantTest {
  private static final int PERIOD_MS = 5_000;

  private Script script;

  @BeforeEach
  void begin() {
    script = new Script(LedgerConfig.of(Durability.DISK, true));
  }

  @AfterEach
  void close() {
    script.close();
  }

  private static Policy.Builder policy() {
    return Policy.newBuilder().setName("q");
  }

  private void put(Policy.Builder policy) {
    script.feed(putting(policy), script.ok().addPolicies(state(policy, 1)));
  }

  private static Modify putting(Policy.Builder policy) {
    return Modify.newBuilder().setClaimant(Script.ME).addPolicyPuts(policy).build();
  }

  private static PolicyState.Builder state(Policy.Builder policy, int version) {
    return PolicyState.newBuilder().setPolicy(policy).setHasRules(true).setVersion(version);
  }

  /** Pauses the queue, or resumes it with 0. */
  private static Modify pausing(long pauseMs) {
    Pause.Builder pause = Pause.newBuilder().setName("q").setPauseMs(pauseMs);
    return Modify.newBuilder().setClaimant(Script.ME).addPauses(pause).build();
  }

  private PolicyState.Builder paused(long pauseMs, int version) {
    return PolicyState.newBuilder()
        .setPolicy(policy())
        .setVersion(version)
        .setPausedUntilMs(script.nowMs + pauseMs);
  }

  private void claimOne(Task claimed) {
    script.feed(Script.claim("q").build(), script.ok().addClaimed(claimed));
  }

  private void park(long client) {
    script.feed(Script.waiting(client, "q", 0).build(), Map.of());
  }

  private void tick(Map<Long, Result> answers) {
    script.feed(Tick.getDefaultInstance(), answers);
  }

  @Test
  void shouldNoticeAVersionOfAPolicyThatIsLeftOut() {
    assertBroken(
        Invariant.POLICIES_AS_WRITTEN,
        "q",
        () ->
            script.feed(
                putting(policy().setInFlightMax(1)),
                script.ok().addPolicies(state(policy().setInFlightMax(1), 2))));
  }

  @Test
  void shouldNoticeAPolicyWrittenOverAVersionThatIsNotExpected() {
    put(policy().setInFlightMax(1));
    Policy.Builder next = policy().setInFlightMax(2);
    assertBroken(
        Invariant.POLICIES_AS_WRITTEN,
        "@" + script.next(),
        () ->
            script.feed(
                putting(next.setExpectedVersion(-1)), script.ok().addPolicies(state(next, 2))));
  }

  @Test
  void shouldNoticeAStartBeforeTheRatePermitsIt() {
    put(policy().setRateLimit(1).setRatePeriodMs(PERIOD_MS));
    Task first = script.insert("q", 5);
    Task second = script.insert("q", 6);
    script.take(first);
    script.nowMs += PERIOD_MS - 1;
    assertBroken(Invariant.RATE_KEPT, name(6), () -> claimOne(script.claimed(second)));
  }

  @Test
  void shouldNoticeAGateThatStaysClosed() {
    put(policy().setRateLimit(1).setRatePeriodMs(PERIOD_MS));
    Task first = script.insert("q", 5);
    script.insert("q", 6);
    script.take(first);
    park(8);
    script.nowMs += PERIOD_MS;
    assertBroken(Invariant.GATE_OPENS, "@6", () -> tick(Map.of()));
  }

  @Test
  void shouldNoticeATickThatIsLate() {
    put(policy().setRateLimit(1).setRatePeriodMs(PERIOD_MS));
    Task first = script.insert("q", 5);
    script.insert("q", 6);
    script.take(first);
    park(8);
    script.nowMs += PERIOD_MS;
    assertBroken(Invariant.GATE_OPENS, "@" + script.next(), () -> script.insert("other", 7));
  }

  @Test
  void shouldNoticeAStartInAPausedQueue() {
    script.feed(pausing(10), script.ok().addPolicies(paused(10, 1)));
    Task task = script.insert("q", 5);
    script.nowMs += 9;
    assertBroken(Invariant.PAUSED_GETS_NOTHING, name(5), () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeAResumeThatServesNobody() {
    script.feed(pausing(10), script.ok().addPolicies(paused(10, 1)));
    script.insert("q", 5);
    park(8);
    PolicyState.Builder gone = PolicyState.newBuilder().setPolicy(policy());
    assertBroken(
        Invariant.RESUME_SERVES,
        "@4",
        () -> script.feed(pausing(0), script.ok().addPolicies(gone)));
  }

  @Test
  void shouldNoticeOneTooManyInFlight() {
    put(policy().setInFlightMax(1));
    Task first = script.insert("q", 5);
    Task second = script.insert("q", 6);
    script.take(first);
    assertBroken(Invariant.IN_FLIGHT_BOUNDED, name(6), () -> claimOne(script.claimed(second)));
  }

  @Test
  void shouldNoticeOneTooManyInFlightForALimiter() {
    Policy.Builder limiter =
        Policy.newBuilder().setKind(PolicyKind.POLICY_LIMITER).setName("api").setInFlightMax(1);
    put(limiter);
    put(policy().addLimiters("api"));
    put(policy().setName("other").addLimiters("api"));
    Task first = script.insert("q", 5);
    Task second = script.insert("other", 6);
    script.take(first);
    Message claim = Script.claim("other").build();
    assertBroken(
        Invariant.IN_FLIGHT_BOUNDED,
        name(6),
        () -> script.feed(claim, script.ok().addClaimed(script.claimed(second))));
  }

  @Test
  void shouldNoticeATaskInFlightThatIsNotSaidToBe() {
    Task task = script.claimed(script.insert("q", 5)).toBuilder().clearInFlight().build();
    assertBroken(Invariant.IN_FLIGHT_COUNTED, name(5), () -> claimOne(task));
  }

  @Test
  void shouldNoticeALapseThatIsNotCounted() {
    Task task = script.take(script.insert("q", 5));
    script.nowMs += Script.LEASE_MS;
    assertBroken(Invariant.IN_FLIGHT_COUNTED, name(5), () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeAQueueThatGrowsBeyondItsSize() {
    put(policy().setTasksMax(1));
    script.insert("q", 5);
    assertBroken(Invariant.SIZE_KEPT, "@" + script.next(), () -> script.insert("q", 6));
  }

  @Test
  void shouldNoticeAFailedTaskThatDoesNotRest() {
    put(policy().setRetryBaseMs(PERIOD_MS).setRetryFactorMilli(2_000));
    Task task = script.take(script.insert("q", 5));
    assertBroken(
        Invariant.FAILED_GOES_WHERE_POLICY_SAYS,
        name(5),
        () -> script.feed(failing(task), script.ok().addFailed(failed(task, PERIOD_MS - 1))));
  }

  @Test
  void shouldNoticeATaskThatOutlivesItsLastAttempt() {
    put(policy().setRetryBaseMs(PERIOD_MS).setAttemptsMax(1));
    Task task = script.take(script.insert("q", 5));
    assertBroken(
        Invariant.FAILED_GOES_WHERE_POLICY_SAYS,
        name(5),
        () -> script.feed(failing(task), script.ok().addFailed(failed(task, PERIOD_MS))));
  }

  private static Modify failing(Task task) {
    Fail.Builder fail = Fail.newBuilder().setId(task.getId()).setVersion(task.getVersion());
    return Modify.newBuilder().setClaimant(Script.ME).addFails(fail.setErr("no")).build();
  }

  private Task failed(Task task, long restMs) {
    return task.toBuilder()
        .setVersion(task.getVersion() + 1)
        .setAttempt(1)
        .setErr("no")
        .setArrivalMs(script.nowMs + restMs)
        .clearClaimant()
        .clearInFlight()
        .build();
  }

  @Test
  void shouldNoticeALapsedTaskThatStays() {
    put(policy().setLapsesMax(1));
    Task task = script.take(script.insert("q", 5));
    script.nowMs += Script.LEASE_MS;
    assertBroken(
        Invariant.LAPSED_NOT_HANDED_OUT, "@" + script.next(), () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeAnExpiredTaskThatIsHandedOut() {
    Task task = insertWith(5, 10, "");
    script.nowMs += 10;
    assertBroken(
        Invariant.EXPIRED_NOT_HANDED_OUT,
        "@" + script.next(),
        () -> claimOne(script.claimed(task)));
  }

  @Test
  void shouldNoticeATraceThatAChangeHasErased() {
    Task task = script.take(insertWith(5, 0, "a trace"));
    Task changed =
        task.toBuilder()
            .setVersion(task.getVersion() + 1)
            .setArrivalMs(script.nowMs)
            .clearClaimant()
            .clearInFlight()
            .clearTrace()
            .build();
    script.feed(Script.change(task, script.nowMs).build(), script.ok().addChanged(keptOf(changed)));
    assertBroken(Invariant.ATTRIBUTES_STAY, name(5), () -> claimOne(script.claimed(changed)));
  }

  /** As answers show a task whose content the caller has sent. */
  private static Task keptOf(Task task) {
    return task.toBuilder().clearQueue().clearValue().clearValueKind().build();
  }

  private Task insertWith(long low, long ttlMs, String trace) {
    Modify.Builder insertion = Script.insertion("q", low, script.nowMs);
    insertion
        .getInsertsBuilder(0)
        .getDataBuilder()
        .setTtlMs(ttlMs)
        .setTrace(ByteString.copyFromUtf8(trace));
    Task task =
        script.inserted("q", low, script.nowMs).toBuilder()
            .setExpiresMs(ttlMs == 0 ? 0 : script.nowMs + ttlMs)
            .setTrace(ByteString.copyFromUtf8(trace))
            .build();
    script.feed(insertion.build(), script.ok().addInserted(task));
    return task;
  }

  @Test
  void shouldNoticeAYoungerTaskThatStartsFirst() {
    put(policy().setOrder(Order.ORDER_OLDEST));
    script.insert("q", 5);
    Task second = script.insert("q", 6);
    assertBroken(Invariant.IN_ORDER, "q", () -> claimOne(script.claimed(second)));
  }

  @Test
  void shouldNoticeAnotherTaskThatStartsBeforeOneThatFailed() {
    put(policy().setInFlightMax(1).setOrder(Order.ORDER_STRICT));
    Task first = script.take(script.insert("q", 5));
    Task second = script.insert("q", 6);
    script.feed(failing(first), script.ok().addFailed(failed(first, 0)));
    assertBroken(Invariant.IN_ORDER, "q", () -> claimOne(script.claimed(second)));
  }

  @Test
  void shouldNoticeAPositionOrATimeThatIsWrong() {
    put(policy().setOrder(Order.ORDER_OLDEST).setRateLimit(1).setRatePeriodMs(PERIOD_MS));
    script.insert("q", 5);
    script.insert("q", 6);
    tellPosition(6, 1, script.nowMs + PERIOD_MS);
    assertBroken(
        Invariant.POSITION_EXACT, name(6), () -> tellPosition(6, 0, script.nowMs + PERIOD_MS));
    assertBroken(
        Invariant.POSITION_EXACT, name(6), () -> tellPosition(6, 1, script.nowMs + PERIOD_MS - 1));
  }

  private void tellPosition(long low, long before, long startMs) {
    TaskPosition query = TaskPosition.newBuilder().setId(Script.id(low)).build();
    UnsafeBuffer bytes = new UnsafeBuffer(query.toByteArray());
    ReadWatcher watcher = script.ledger.onRead(new Request(0, Request.TASK_POSITION, bytes, null));
    Result answer =
        Result.newBuilder()
            .setLogTimeMs(script.nowMs)
            .setPosition(before)
            .setReady(true)
            .setExpectedStartMs(startMs)
            .build();
    ResultDecoder page = new ResultDecoder();
    page.wrap(new UnsafeBuffer(answer.toByteArray()), 0, answer.getSerializedSize());
    watcher.onSlice(page);
    watcher.onEnd();
  }

  @Test
  void shouldNoticeAnIdThatIsUsedAgainTooEarly() {
    put(policy().setRememberIdsMs(PERIOD_MS));
    Task task = script.insert("q", 5);
    script.feed(Script.deletion(task).build(), script.ok());
    script.nowMs += PERIOD_MS - 1;
    assertBroken(Invariant.IDS_STAY_TAKEN, name(5), () -> script.insert("q", 5));
  }

  @Test
  void shouldNoticeAClaimThatIsServedThoughAnotherIsOlder() {
    put(policy().setInFlightMax(2));
    park(8);
    park(9);
    Task task = script.inserted("q", 5, script.nowMs);
    Modify insertion = Script.insertion("q", 5, script.nowMs).build();
    Result own = script.ok().addInserted(keptOf(task)).build();
    Result served = script.ok().addClaimed(script.claimed(task)).build();
    assertBroken(
        Invariant.WAITERS_IN_TURN,
        "@3",
        () -> script.feed(insertion, Script.answers(script.next(), own, 4, served)));
  }

  @Test
  void shouldServeAClaimOnceAPlaceIsFree() {
    put(policy().setInFlightMax(1));
    Task first = script.take(script.insert("q", 5));
    Task second = script.insert("q", 6);
    park(8);
    Claim.Builder unused = Script.claim("q");
    script.feed(unused.build(), script.answer(io.entroq.codec.wire.log.ResultCode.RESULT_EMPTY));
    Result own = script.ok().build();
    Result served = script.ok().addClaimed(script.claimed(second)).build();
    script.feed(Script.deletion(first).build(), Script.answers(script.next(), own, 6, served));
  }
}
