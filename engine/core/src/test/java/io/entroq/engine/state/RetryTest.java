package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Modify;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a request is told that comes again: what it was told before, as far as that still holds. */
class RetryTest extends StateTestBase {
  private static final long CLIENT = 5;

  @Test
  void shouldInsertOnceWhenAModifyComesAgain() {
    Modify modify =
        modify(ANN).setIdentity(request(CLIENT, 1)).addInserts(insert("q", 1, nowMs)).build();
    Answer first = apply(modify);
    later(10);
    Answer again = apply(modify);
    assertThat(again.code).isEqualTo(ResultCodes.OK);
    assertThat(again.inserted).isEqualTo(first.inserted);
    assertThat(machine.taskCount()).isEqualTo(1);
  }

  @Test
  void shouldTellWhatTheRequestDoesNotSayWhenTheTaskHasMovedOn() {
    Modify modify =
        modify(ANN).setIdentity(request(CLIENT, 1)).addInserts(insert("q", 1, nowMs)).build();
    apply(modify);
    long insertedMs = nowMs;
    later(10);
    apply(modify(ANN).addChanges(change("q", 1, 0, nowMs)));
    assertThat(apply(modify).inserted)
        .containsExactly(new Shot(1, 0, "", insertedMs, 0, "", 0, insertedMs, insertedMs));
  }

  @Test
  void shouldFailAgainWhenADependencyIsThereByNow() {
    Modify modify =
        modify(ANN)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("q", 1, nowMs))
            .addDepends(ref(2, 0))
            .build();
    Answer first = apply(modify);
    assertThat(first.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(first.failures).containsExactly(new Answer.Failure(ItemKinds.DEPEND, 0, false, -1));
    insert("q", 2);

    Answer again = apply(modify);

    assertThat(again.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(again.failures).isEqualTo(first.failures);
    assertThat(find(1)).isNull();
  }

  @Test
  void shouldNameTheExistingVersionOfThatTimeWhenAnInsertFailsAgain() {
    insert("q", 1);
    Modify modify =
        modify(ANN).setIdentity(request(CLIENT, 1)).addInserts(insert("q", 1, nowMs)).build();
    apply(modify);
    apply(modify(ANN).addChanges(change("q", 1, 0, nowMs)));
    assertThat(apply(modify).failures)
        .containsExactly(new Answer.Failure(ItemKinds.INSERT, 0, false, 0));
  }

  @Test
  void shouldHandOutTheSameTasksWhenAClaimComesAgain() {
    insert("q", 1);
    insert("q", 2);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(claim);
    Answer again = apply(claim);
    assertThat(again.code).isEqualTo(ResultCodes.OK);
    assertThat(again.claimed).isEqualTo(first.claimed);
    assertThat(queues(nowMs).get("q").available()).isEqualTo(1);
  }

  @Test
  void shouldHandOutTheSameTasksWhenTheLeaseIsOverAndNobodyTookThem() {
    insert("q", 1);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(claim);
    later(LEASE_MS + 1);
    assertThat(apply(claim).claimed).isEqualTo(first.claimed);
  }

  @Test
  void shouldSayThatAClaimIsLostWhenOneOfItsTasksHasMovedOn() {
    insert("q", 1);
    insert("q", 2);
    Claim claim = claim(BOB, "q").setLimit(2).setIdentity(request(CLIENT, 1)).build();
    apply(claim);
    apply(modify(BOB).addDeletes(ref(2, 1)));
    Answer again = apply(claim);
    assertThat(again.code).isEqualTo(ResultCodes.CLAIM_LOST);
    assertThat(again.claimed).isEmpty();
  }

  @Test
  void shouldTakeATaskWithTheSameIdForAnotherWhenTheOldOneWasDeleted() {
    insert("q", 1);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    apply(claim);
    apply(modify(BOB).addDeletes(ref(1, 1)));
    insert("q", 1);
    apply(claim(ANN, "q"));
    Shot another = find(1);
    assertThat(another.version()).as("the version of the old receipt").isEqualTo(1);

    assertThat(apply(claim).code).isEqualTo(ResultCodes.CLAIM_LOST);
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
    gone(CLIENT);
    assertThat(find(1)).isEqualTo(another);
  }

  @Test
  void shouldNotShowATaskWithTheSameIdWhenTheInsertOfAnOlderOneComesAgain() {
    Modify modify =
        modify(ANN).setIdentity(request(CLIENT, 1)).addInserts(insert("q", 1, nowMs)).build();
    apply(modify);
    apply(modify(ANN).addDeletes(ref(1, 0)));
    insert("other", 1);
    assertThat(apply(modify).inserted).extracting(Shot::queue).containsExactly("");
  }

  @Test
  void shouldAttachTheRetryOfAParkedClaim() {
    Claim claim = wait(request(CLIENT, 1), NEVER, "q").build();
    apply(claim);
    long parked = machine.sequence();
    assertThat(said.parked).containsExactly(parked);
    assertThat(apply(claim)).isNull();
    assertThat(said.attached).containsExactly(Map.entry(parked + 1, parked));
    insert("q", 1);
    assertThat(said.of(parked).claimed).hasSize(1);
    assertThat(apply(claim).claimed).extracting(Shot::id).containsExactly(1L);
  }

  @Test
  void shouldTimeOutAgainWhenAClaimThatTimedOutComesAgain() {
    Claim claim = wait(request(CLIENT, 1), nowMs + 10, "q").build();
    apply(claim);
    later(10);
    insert("q", 1);
    assertThat(apply(claim).code).isEqualTo(ResultCodes.TIMED_OUT);
  }

  @Test
  void shouldRefuseANumberThatWasUsedForSomethingElse() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    assertThat(apply(claim(BOB, "q", "p").setIdentity(request(CLIENT, 1))).code)
        .isEqualTo(ResultCodes.IDENTITY_REUSED);
  }

  @Test
  void shouldRefuseNumbersThatAreAcknowledgedOrTooFarAhead() {
    apply(modify(ANN).setIdentity(request(CLIENT, 1)));
    apply(modify(ANN).setIdentity(request(CLIENT, 3).toBuilder().setAckedBelow(3)));
    assertThat(apply(modify(ANN).setIdentity(request(CLIENT, 2))).code)
        .isEqualTo(ResultCodes.IDENTITY_STALE);
    assertThat(apply(modify(ANN).setIdentity(request(CLIENT, 3 + 1_024))).code)
        .isEqualTo(ResultCodes.IDENTITY_WINDOW);
    assertThat(apply(modify(ANN).setIdentity(request(CLIENT, 3 + 1_023))).code)
        .isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldNotKnowTheOutcomeWhenAStrangerBeginsInTheMiddle() {
    Modify modify = modify(ANN).setIdentity(request(9, 2)).build();
    assertThat(apply(modify).code).isEqualTo(ResultCodes.OUTCOME_UNKNOWN);
    assertThat(machine.clientCount()).isZero();
  }
}
