package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Claim;
import org.junit.jupiter.api.Test;

/** Claims whose answers nobody will read are undone, contract 2.2.6. */
class GiveBackTest extends StateTestBase {
  private static final long CLIENT = 5;

  @Test
  void shouldRestoreTheTaskAtAFreshVersionWhenItsClaimIsCancelled() {
    insert("q", 1);
    long insertedMs = nowMs;
    later(10);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    assertThat(find(1))
        .isEqualTo(new Shot(1, 1, "q", nowMs + LEASE_MS, BOB.getLow(), "", 1, nowMs, insertedMs));
    later(10);

    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.OK);

    assertThat(find(1)).isEqualTo(new Shot(1, 2, "q", insertedMs, 0, "", 0, nowMs, insertedMs));
    assertThat(apply(claim(BOB, "q")).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldRestoreTheClaimantsTextWhenAClaimIsCancelled() {
    var odd = ANN.toBuilder().setText("Ann #1").build();
    apply(modify(odd).addInserts(insert("q", 1, nowMs + 10)));
    later(10);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    cancel(CLIENT, 1);
    assertThat(find(1).claimantText()).isEqualTo("Ann #1");
  }

  @Test
  void shouldGiveBackOnlyTasksThatStillStandWhenAClaimIsCancelled() {
    insert("q", 1);
    insert("q", 2);
    insert("q", 3);
    apply(claim(BOB, "q").setLimit(3).setIdentity(request(CLIENT, 1)));
    apply(modify(BOB).addDeletes(ref(1, 1)));
    apply(modify(BOB).addChanges(change("q", 2, 1, nowMs + 5)));

    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.OK);

    assertThat(find(1)).isNull();
    assertThat(find(2).claims()).isEqualTo(1);
    assertThat(find(2).version()).isEqualTo(2);
    assertThat(find(3).claims()).isZero();
  }

  @Test
  void shouldHaveNothingToCancelWhenNoTaskStillStands() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    apply(modify(BOB).addDeletes(ref(1, 1)));
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldCancelOnceWhenAskedTwice() {
    insert("q", 1);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    apply(claim);
    cancel(CLIENT, 1);
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(find(1).version()).isEqualTo(2);
    assertThat(apply(claim).code).isEqualTo(ResultCodes.CANCELLED);
  }

  @Test
  void shouldHaveNothingToCancelWhenTheRequestIsNotKnown() {
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
    apply(modify(ANN).setIdentity(request(CLIENT, 1)));
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(cancel(CLIENT, 2).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldEndAParkedClaimWhenItIsCancelled() {
    apply(wait(request(CLIENT, 1), NEVER, "q"));
    long parked = machine.sequence();
    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.OK);
    assertThat(said.of(parked).code).isEqualTo(ResultCodes.CANCELLED);
    insert("q", 1);
    assertThat(find(1).version()).isZero();
  }

  @Test
  void shouldServeAWaiterWithWhatIsGivenBack() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    apply(wait(request(CLIENT, 2), NEVER, "q"));
    long parked = machine.sequence();
    cancel(CLIENT, 1);
    assertThat(said.of(parked).claimed).extracting(Shot::id).containsExactly(1L);
    // Claimed, given back, claimed again.
    assertThat(find(1).version()).isEqualTo(3);
    assertThat(find(1).claims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhenItsCallersAreGone() {
    insert("q", 1);
    insert("other", 2);
    Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();
    apply(claim);
    apply(claim(BOB, "other").setIdentity(request(6, 1)));
    apply(wait(request(CLIENT, 2), NEVER, "none"));
    long parked = machine.sequence();

    gone(CLIENT);

    assertThat(said.of(parked).code).isEqualTo(ResultCodes.CANCELLED);
    assertThat(machine.parkedCount()).isZero();
    assertThat(find(1).claims()).isZero();
    assertThat(find(2).claims()).as("of another client").isEqualTo(1);
    // The receipt is gone too, so that the same number is a new claim.
    assertThat(apply(claim).claimed).extracting(Shot::version).containsExactly(3);
  }

  @Test
  void shouldGiveBackEverybodysWhenAllCallersAreGone() {
    insert("q", 1);
    insert("q", 2);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    apply(claim(BOB, "q").setIdentity(request(6, 1)));
    apply(CallersGone.newBuilder().setAll(true).build());
    assertThat(find(1).claims()).isZero();
    assertThat(find(2).claims()).isZero();
  }

  @Test
  void shouldEndEverybodysWaitAndGiveBackWhenAllCallersAreGone() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(9, 1)));
    for (int client = 1; client <= 3; client++) {
      apply(wait(request(client, 1), NEVER, "r"));
    }
    apply(CallersGone.newBuilder().setAll(true).build());
    assertThat(machine.parkedCount()).isZero();
    assertThat(find(1).claims()).isZero();
  }

  @Test
  void shouldKeepAClaimWhoseAnswerHasArrivedWhenItsCallersAreGone() {
    insert("q", 1);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 1)));
    apply(modify(ANN).setIdentity(request(CLIENT, 2).toBuilder().setAckedBelow(2)));
    gone(CLIENT);
    assertThat(find(1).claims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatAModifyClaimedAndKeepWhatItWrote() {
    insert("q", 1);
    apply(
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("done", 2, nowMs))
            .setThenClaim(Claim.newBuilder().addQueues("q").setLeaseMs(LEASE_MS)));
    assertThat(find(1).claims()).isEqualTo(1);
    gone(CLIENT);
    assertThat(find(1).claims()).isZero();
    assertThat(find(2)).isNotNull();
  }
}
