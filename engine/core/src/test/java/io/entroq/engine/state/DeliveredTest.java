package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Identity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims whose answers are said to have left stay their callers', gone or not. */
class DeliveredTest extends StateTestBase {
  private static final long CLIENT = 5;

  /** Of a receipt, behind the slot of its client and its length. */
  private static final int MARKS = 8 + 72;

  private static final int CLAIMED = 8 + 52;

  private final Claim claim = claim(BOB, "q").setIdentity(request(CLIENT, 1)).build();

  @BeforeEach
  void insertOne() {
    insert("q", 1);
  }

  @Test
  void shouldKeepALeaseWhoseAnswerHasLeftWhenItsCallersAreGone() {
    apply(claim);
    assertThat(machine.wouldRevoke(0, CLIENT, 1)).isTrue();
    delivered(CLIENT, 1);
    assertThat(machine.wouldRevoke(0, CLIENT, 1)).isFalse();
    Shot claimed = find(1);

    gone(CLIENT);
    apply(CallersGone.newBuilder().setAll(true).build());

    assertThat(find(1)).isEqualTo(claimed);
    assertThat(apply(claim).claimed).as("the first answer").containsExactly(claimed);
  }

  @Test
  void shouldKeepWhatAModifyHasClaimed() {
    apply(
        modify(BOB)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("done", 2, nowMs))
            .setThenClaim(Claim.newBuilder().addQueues("q").setLeaseMs(LEASE_MS)));
    delivered(CLIENT, 1);
    gone(CLIENT);
    assertThat(find(1).claims()).isEqualTo(1);
  }

  @Test
  void shouldKeepWhatAClaimThatWaitedWasGiven() {
    apply(wait(request(CLIENT, 1), NEVER, "other"));
    delivered(CLIENT, 1);
    insert("other", 2);
    assertThat(machine.wouldRevoke(0, CLIENT, 1)).as("said before there was one").isTrue();
    delivered(CLIENT, 1);
    gone(CLIENT);
    assertThat(find(2).claims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatHasNotLeft() {
    insert("q", 2);
    apply(claim);
    apply(claim(BOB, "q").setIdentity(request(CLIENT, 2)));
    delivered(CLIENT, 2);
    gone(CLIENT);
    assertThat(find(1).claims() + find(2).claims()).isEqualTo(1);
  }

  @Test
  void shouldGiveBackWhatItsCallerCancelsThoughItHasLeft() {
    apply(claim);
    delivered(CLIENT, 1);

    assertThat(cancel(CLIENT, 1).code).isEqualTo(ResultCodes.OK);

    assertThat(find(1).claims()).isZero();
    assertThat(apply(claim).code).isEqualTo(ResultCodes.CANCELLED);
    image();
  }

  @Test
  void shouldForgetTheReceiptWhenTheAnswerHasArrived() {
    apply(claim);
    delivered(CLIENT, 1);
    Identity arrived = Identity.newBuilder().setClientLow(CLIENT).setAckedBelow(2).build();
    apply(Acknowledge.newBuilder().addClients(arrived).build());
    assertThat(apply(claim).code).isEqualTo(ResultCodes.IDENTITY_STALE);
    assertThat(find(1).claims()).isEqualTo(1);
  }

  @Test
  void shouldChangeNothingWhereThereIsNothingThatCouldHaveLeft() {
    apply(modify(ANN).setIdentity(request(CLIENT, 1)));
    apply(claim(BOB, "none").setIdentity(request(CLIENT, 2)));
    long content = machine.contentDigest();
    delivered(CLIENT, 1);
    delivered(CLIENT, 2);
    delivered(CLIENT, 3);
    delivered(CLIENT, Long.MAX_VALUE);
    delivered(77, 1);
    assertThat(machine.contentDigest()).isEqualTo(content);
    assertThat(machine.clientCount()).isEqualTo(1);
  }

  @Test
  void shouldSeeNoUseInSayingItOfTasksThatHaveMovedOn() {
    apply(claim);
    apply(modify(BOB).addChanges(change("q", 1, 1, nowMs + 5)));
    assertThat(machine.wouldRevoke(0, CLIENT, 1)).isFalse();
    assertThat(machine.wouldRevoke(0, CLIENT, 2)).isFalse();
    assertThat(machine.wouldRevoke(0, 77, 1)).isFalse();
  }

  @Test
  void shouldStandInAnImage() {
    apply(claim);
    delivered(CLIENT, 1);
    StateMachine loaded = image();
    gone(CLIENT);
    applyTo(loaded, lastCommand);
    assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    assertThat(loaded.wouldRevoke(0, CLIENT, 1)).isFalse();
    loaded.close();
  }

  @Test
  void shouldNotChangeAnImageThatIsBeingWritten() {
    apply(claim);
    FrozenState frozen = machine.freeze();
    long content = machine.contentDigest();
    delivered(CLIENT, 1);
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    frozen.writeTo(loader);
    machine.thaw();
    StateMachine loaded = loader.finish();
    assertThat(loaded.contentDigest()).isEqualTo(content).isNotEqualTo(machine.contentDigest());
    assertThat(loaded.wouldRevoke(0, CLIENT, 1)).isTrue();
    loaded.close();
  }

  @Test
  void shouldRefuseAnImageThatSaysWhatNoReceiptCanBe() {
    apply(claim);
    delivered(CLIENT, 1);
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 3)).isEqualTo("loaded");
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 7)).contains("marks 7");
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 1)).contains("digest");
    assertThat(altered(ChunkKinds.RECEIPTS, CLAIMED, 0)).contains("delivered, of claimed tasks 0");
  }

  private void delivered(long client, long number) {
    apply(left(client, number));
  }

  private static Acknowledge left(long client, long number) {
    return Acknowledge.newBuilder()
        .addDelivered(Identity.newBuilder().setClientLow(client).setNumber(number))
        .build();
  }

  private StateMachine image() {
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    StateMachine loaded = loader.finish();
    assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    return loaded;
  }

  private String altered(int kind, int offset, int value) {
    return AlteredImage.refusal(machine, kind, offset, value);
  }
}
