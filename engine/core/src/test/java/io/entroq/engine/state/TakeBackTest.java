package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Fail;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Policy;
import io.entroq.codec.wire.log.PolicyKind;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Holds;
import io.entroq.engine.task.TaskAttributes;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tasks that somebody takes back from whoever holds them. */
class TakeBackTest extends PolicyTestBase {
  private static final long CLIENT = 5;
  private static final ByteString VALUE = ByteString.copyFromUtf8("to be kept");

  @BeforeEach
  void raise() {
    assertThat(raiseLevel(Levels.TAKE_BACK).code).isEqualTo(ResultCodes.OK);
  }

  private void put(Policy.Builder policy) {
    assertThat(apply(modify(ANN).addPolicyPuts(policy)).code).isEqualTo(ResultCodes.OK);
  }

  private static Policy.Builder of(String name) {
    return Policy.newBuilder().setName(name);
  }

  private static Modify.Builder takeBack(long id, int version) {
    return modify(ANN).addChanges(takeBack("q", id, version));
  }

  private void assertTakenBack(long id, int version) {
    assertThat(apply(takeBack(id, version)).code).isEqualTo(ResultCodes.OK);
  }

  /** Inserts a task that Bob claims. */
  private void insertAndClaim(String queue, long id) {
    insert(queue, id);
    assertThat(apply(claim(BOB, queue)).claimed).extracting(Shot::id).containsExactly(id);
  }

  // What it does.

  @Test
  void shouldEndTheLeaseOfSomebodyElseAndChangeNothingElse() {
    TaskData data =
        data("q", nowMs).toBuilder()
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(VALUE)
            .setAttempt(3)
            .setErr("it failed")
            .setTrace(VALUE)
            .build();
    apply(modify(ANN).addInserts(Insert.newBuilder().setId(task(1)).setData(data)));
    long insertedMs = nowMs;
    apply(claim(BOB, "q"));
    later(10);

    Answer answer = apply(takeBack(1, 1));

    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    Shot expected = new Shot(1, 2, "q", nowMs, 0, "", 1, nowMs, insertedMs);
    assertThat(answer.changed).containsExactly(expected);
    assertThat(find(1)).isEqualTo(expected);
    int slot = machine.stores.tasks.find(0, 1);
    Bytes value = new Bytes();
    machine.stores.tasks.value(slot, value);
    assertThat(value.matches(new UnsafeBuffer(VALUE.toByteArray()), 0, VALUE.size())).isTrue();
    assertThat(machine.stores.tasks.attempt(slot)).isEqualTo(3);
    TaskAttributes attributes = new TaskAttributes().read(machine.stores.tasks, slot);
    assertThat(attributes.trace().length()).isEqualTo(VALUE.size());
    assertThat(attributes.lapses()).isZero();
    assertThat(hold(1)).isEqualTo(Holds.NONE);
  }

  @Test
  void shouldLetNothingPassThatTheFormerHolderWritesLater() {
    insertAndClaim("q", 1);
    assertTakenBack(1, 1);
    Modify[] late = {
      modify(BOB).addDeletes(ref(1, 1)).build(),
      modify(BOB).addChanges(change("q", 1, 1, nowMs)).build(),
      modify(BOB).addDepends(ref(1, 1)).build()
    };
    for (Modify modify : late) {
      assertThat(apply(modify).code).isEqualTo(ResultCodes.DEPENDENCY);
    }
    assertThat(apply(claim(ANN, "q")).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldGiveTheTaskToTheClaimThatWaitsInTheSameStep() {
    insertAndClaim("q", 1);
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    long waiting = machine.sequence();
    assertTakenBack(1, 1);
    assertThat(said.of(waiting).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldTakeBackWhatSomebodyKeepsBackWithoutAClaim() {
    apply(modify(BOB).addInserts(insert("q", 1, nowMs + 500)));
    assertThat(find(1).claimant()).isEqualTo(BOB.getLow());
    assertTakenBack(1, 0);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
    assertThat(find(1).claimant()).isZero();
  }

  @Test
  void shouldMoveTheVersionAlsoIfTheLeaseHasEndedMeanwhile() {
    insertAndClaim("q", 1);
    later(LEASE_MS);
    assertTakenBack(1, 1);
    assertThat(find(1).version()).isEqualTo(2);
    assertThat(apply(modify(BOB).addDeletes(ref(1, 1))).code).isEqualTo(ResultCodes.DEPENDENCY);
  }

  @Test
  void shouldTakeBackWhatTheRequesterHolds() {
    insertAndClaim("q", 1);
    assertThat(apply(modify(BOB).addChanges(takeBack("q", 1, 1))).code).isEqualTo(ResultCodes.OK);
    assertThat(find(1).claimant()).isZero();
  }

  @Test
  void shouldServeAlsoTheV0Api() {
    insertAndClaim("q", 1);
    Answer answer = apply(takeBack(1, 1).setFacade(Facade.FACADE_V0));
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(find(1).arrivalMs()).isEqualTo(nowMs);
  }

  // When it fails.

  @Test
  void shouldFailWhenTaskVersionOrQueueIsWrong() {
    insertAndClaim("q", 1);
    Shot before = find(1);
    for (Change.Builder wrong :
        List.of(takeBack("q", 9, 1), takeBack("q", 1, 0), takeBack("p", 1, 1))) {
      Answer answer = apply(modify(ANN).addChanges(wrong));
      assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
      assertThat(answer.failures)
          .containsExactly(new Answer.Failure(ItemKinds.CHANGE, 0, false, -1));
    }
    assertThat(find(1)).isEqualTo(before);
  }

  @Test
  void shouldStillProtectTheHolderFromAllOtherChangesOfTheSameRequest() {
    insertAndClaim("q", 1);
    insertAndClaim("q", 2);
    Answer answer =
        apply(modify(ANN).addChanges(takeBack("q", 1, 1)).addChanges(change("q", 2, 1, nowMs)));
    assertThat(answer.failures).containsExactly(new Answer.Failure(ItemKinds.CHANGE, 1, true, 1));
    assertThat(find(1).version()).as("all or nothing").isEqualTo(1);
  }

  @Test
  void shouldRefuseTheHighestVersion() {
    insertAndClaim("q", 1);
    machine.stores.tasks.version(machine.stores.tasks.find(0, 1), Integer.MAX_VALUE);
    Answer answer = apply(takeBack(1, Integer.MAX_VALUE));
    assertThat(answer.code).isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    machine.stores.tasks.version(machine.stores.tasks.find(0, 1), 1);
  }

  @Test
  void shouldBeRefusedAtTheLevelBeforeAndChangeNothing() {
    try (StateMachine old = new StateMachine(StateMachineConfig.DEFAULT)) {
      Genesis genesis = Genesis.newBuilder().setSeed(7).setLevel(Levels.TAKE_BACK - 1).build();
      applyTo(old, genesis);
      applyTo(old, modify(ANN).addInserts(insert("q", 1, nowMs)).build());
      applyTo(old, claim(BOB, "q").build());
      long before = old.contentDigest();
      RecordingSink refused =
          applyTo(
              old,
              modify(ANN)
                  .addInserts(insert("q", 2, nowMs))
                  .addChanges(takeBack("q", 1, 1))
                  .build());
      assertThat(refused.of(old.sequence()).code).isEqualTo(ResultCodes.LEVEL_TOO_LOW);
      assertThat(old.contentDigest()).isEqualTo(before);
      DocData.Builder doc = doc("users", 1, "k");
      RecordingSink done =
          applyTo(old, modify(BOB).addChanges(change("q", 1, 1, nowMs)).addDocInserts(doc).build());
      assertThat(done.of(old.sequence()).code).as("other changes").isEqualTo(ResultCodes.OK);
    }
  }

  // Retries, and claims whose callers are gone.

  @Test
  void shouldTellTheSameToARetry() {
    insertAndClaim("q", 1);
    Modify modify = takeBack(1, 1).setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(modify);
    later(1_000);
    assertThat(apply(modify).changed).isEqualTo(first.changed);
    assertThat(find(1).version()).isEqualTo(2);
  }

  @Test
  void shouldGiveNothingBackOnceMoreWhenTheClaimantIsGone() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    assertTakenBack(1, 1);
    Shot before = find(1);
    gone(CLIENT);
    assertThat(find(1)).isEqualTo(before);
  }

  @Test
  void shouldLastInAnImage() {
    insertAndClaim("q", 1);
    put(of("q").setInFlightMax(1));
    try (StateMachine loaded = reloaded()) {
      applyToBoth(loaded, takeBack(1, 1).build());
      applyToBoth(loaded, claim(ANN, "q").build());
    }
    reloaded().close();
  }

  // Policies.

  @Test
  void shouldFreeThePlaceInItsQueueAndWakeWhoWaitsForIt() {
    put(of("q").setInFlightMax(1));
    insert("q", 1);
    insert("q", 2);
    long first = apply(claim(BOB, "q")).claimed.get(0).id();
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    long waiting = machine.sequence();
    assertThat(inFlight("q")).isEqualTo(1);
    assertTakenBack(first, 1);
    assertThat(said.of(waiting).claimed).hasSize(1);
    assertThat(inFlight("q")).isEqualTo(1);
  }

  @Test
  void shouldFreeThePlaceAtTheLimiterAndWakeAnotherQueue() {
    put(of("l").setKind(PolicyKind.POLICY_LIMITER).setInFlightMax(1));
    put(of("q").addLimiters("l"));
    put(of("r").addLimiters("l"));
    insertAndClaim("q", 1);
    insert("r", 2);
    apply(wait(request(CLIENT, 1), NEVER, "r"));
    long waiting = machine.sequence();
    assertThat(machine.parkedCount()).isEqualTo(1);
    assertTakenBack(1, 1);
    assertThat(said.of(waiting).claimed).extracting(Shot::id).containsExactly(2L);
  }

  @Test
  void shouldStayInFrontOfItsQueueInStrictOrder() {
    put(of("q").setOrder(Order.ORDER_STRICT).setInFlightMax(1));
    insert("q", 1);
    insert("q", 2);
    assertThat(apply(claim(BOB, "q")).claimed.get(0).id()).isEqualTo(1);
    later(10);
    assertTakenBack(1, 1);
    assertThat(apply(claim(ANN, "q")).claimed.get(0).id()).isEqualTo(1);
  }

  @Test
  void shouldStayInFrontInStrictOrderAlsoAfterItsLeaseHasEnded() {
    put(of("q").setOrder(Order.ORDER_STRICT).setInFlightMax(1));
    insert("q", 1);
    insert("q", 2);
    apply(claim(BOB, "q"));
    later(LEASE_MS);
    assertTakenBack(1, 1);
    assertThat(apply(claim(ANN, "q")).claimed.get(0).id()).isEqualTo(1);
  }

  @Test
  void shouldBeNeitherFailureNorSuccess() {
    put(of("q").setBreakerFailures(2).setBreakerPauseMs(700).setRetryBaseMs(50).setAttemptsMax(9));
    insert("q", 1);
    insert("q", 2);
    failOnce();
    Shot held = apply(claim(BOB, "q")).claimed.get(0);
    assertTakenBack(held.id(), held.version());
    assertThat(find(held.id()).arrivalMs()).as("no rest").isEqualTo(nowMs);
    // The second failure in a row, as nothing was said of the work between.
    failOnce();
    assertThat(apply(claim(BOB, "q")).code).as("the breaker is open").isEqualTo(ResultCodes.EMPTY);
  }

  private void failOnce() {
    Shot claimed = apply(claim(BOB, "q")).claimed.get(0);
    Fail.Builder failed = Fail.newBuilder().setId(task(claimed.id())).setVersion(claimed.version());
    assertThat(apply(modify(BOB).addFails(failed)).code).isEqualTo(ResultCodes.OK);
    later(50);
  }

  @Test
  void shouldKeepTheLapsesThatItHad() {
    insertAndClaim("q", 1);
    later(LEASE_MS);
    apply(claim(BOB, "q"));
    assertThat(lapses(1)).isEqualTo(1);
    assertTakenBack(1, 2);
    assertThat(lapses(1)).isEqualTo(1);
  }

  private int lapses(long id) {
    int slot = machine.stores.tasks.find(0, id);
    return new TaskAttributes().read(machine.stores.tasks, slot).lapses();
  }
}
