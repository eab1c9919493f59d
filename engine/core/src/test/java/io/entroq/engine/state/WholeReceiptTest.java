package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a Modify is told that comes again, of tasks and docs that have moved on since: all that it
 * was told at first and does not say itself.
 */
class WholeReceiptTest extends StateTestBase {
  private static final long CLIENT = 5;
  private static final Id EVE = Id.newBuilder().setHigh(1).setLow(1_003).setText("eve").build();

  /** Of a receipt, behind the slot of its client and its length. */
  private static final int MARKS = 8 + 72;

  private static final int FIRST_CLAIMS = 8 + 80 + 20;

  @BeforeEach
  void claimBoth() {
    insert("q", 1);
    insert("q", 2);
    later(1);
    apply(claim(EVE, "q").setLimit(2));
    later(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Facade.class,
      names = {"FACADE_V0", "FACADE_V1"})
  void shouldTellOfChangedTasksThatHaveMovedOnWhatWasTold(Facade facade) {
    Modify renewal =
        modify(EVE)
            .setFacade(facade)
            .setIdentity(request(CLIENT, 1))
            .addChanges(change("q", 1, 1, nowMs + LEASE_MS))
            .addChanges(change("free", 2, 1, nowMs))
            .build();
    Answer first = apply(renewal);
    assertThat(first.changed).extracting(Shot::claims).containsExactly(1, 1);
    later(LEASE_MS);
    apply(claim(BOB, "q", "free").setLimit(2));
    assertThat(find(1).claims()).isEqualTo(2);

    Answer again = apply(renewal);

    assertThat(again.code).isEqualTo(ResultCodes.OK);
    assertThat(again.changed).isEqualTo(first.changed.stream().map(Shot::unsent).toList());
  }

  @Test
  void shouldTellOfInsertedTasksThatHaveMovedOnWhatWasTold() {
    Modify insert =
        modify(EVE)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("r", 3, nowMs + 7))
            .addInserts(insert("r", 4, -1))
            .build();
    Answer first = apply(insert);
    assertThat(first.inserted).extracting(Shot::arrivalMs).containsExactly(nowMs + 7, nowMs);
    later(10);
    apply(modify(EVE).addChanges(change("r", 3, 0, nowMs)).addDeletes(ref(4, 0)));
    assertThat(apply(insert).inserted)
        .containsExactly(first.inserted.get(0).unsent(), first.inserted.get(1).unsent());
  }

  @Test
  void shouldTellWhatStandsAsItIsBesideWhatHasMovedOn() {
    Modify both = renewalOfBoth();
    Answer first = apply(both);
    apply(modify(EVE).addDeletes(ref(1, 2)));
    assertThat(apply(both).changed)
        .containsExactly(first.changed.get(0).unsent(), first.changed.get(1));
  }

  @Test
  void shouldTellOfDocsAndSetsThatHaveMovedOnWhatWasTold() {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k")).addDocInserts(doc("users", 2, "l")));
    later(1);
    Id odd = Id.newBuilder().setHigh(7).setLow(8).setText("odd").build();
    Modify write =
        modify(EVE)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("r", 3, nowMs))
            .addDocInserts(doc("users", 3, "k").setId(odd).setSecondaryKey("s"))
            .addDocChanges(doc("users", 1, "").setArrivalMs(nowMs + LEASE_MS))
            .addDocChanges(lease("users", "l", 0, 70))
            .addDocChanges(doc("users", 2, "").setArrivalMs(nowMs + 60))
            .build();
    Answer first = apply(write);
    assertThat(first.docs)
        .extracting(DocShot::arrivalMs)
        .containsExactly(nowMs + LEASE_MS, nowMs + LEASE_MS, nowMs + 70, nowMs + 70);
    later(1);
    apply(modify(EVE).addDocChanges(doc("users", 1, "").setVersion(1)));
    apply(modify(EVE).addDocChanges(lease("users", "l", 1, 0)));
    assertThat(apply(write).docs).as("they exist").isEqualTo(first.docs);
    apply(
        modify(EVE)
            .addDocDeletes(docRef("users", 1, 2))
            .addDocDeletes(docRef("users", 2, 2))
            .addDocDeletes(docRef("users", 3, 2).toBuilder().setId(odd)));
    assertThat(apply(write).docs)
        .containsExactly(
            first.docs.get(0),
            first.docs.get(1).withoutKeys(),
            first.docs.get(2),
            first.docs.get(3).withoutKeys());
  }

  @Test
  void shouldTellThemWithTheTasksThatWereClaimedBesides() {
    Modify done =
        modify(EVE)
            .setIdentity(request(CLIENT, 1))
            .addChanges(change("r", 1, 1, nowMs))
            .addInserts(insert("s", 3, nowMs))
            .setThenClaim(claim(EVE, "s").clearClaimant())
            .build();
    Answer first = apply(done);
    apply(modify(EVE).addDeletes(ref(1, 2)));
    Answer again = apply(done);
    assertThat(again.changed).containsExactly(first.changed.get(0).unsent());
    assertThat(again.claimed).isEqualTo(first.claimed);
    cancel(CLIENT, 1);
    assertThat(apply(done).changed).isEqualTo(again.changed);
    assertThat(find(3).claims()).isZero();
  }

  @Test
  void shouldTellTheSameFromAnImage() {
    Modify both = renewalOfBoth();
    apply(both);
    StateMachine loaded = image();
    Modify end = modify(EVE).addDeletes(ref(1, 2)).addDeletes(ref(2, 2)).build();
    apply(end);
    applyTo(loaded, end);
    Answer again = apply(both);
    assertThat(again.changed).extracting(Shot::claims).containsExactly(1, 1);
    assertThat(applyTo(loaded, both).of(loaded.sequence()).changed).isEqualTo(again.changed);
    assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    loaded.close();
  }

  @Test
  void shouldRefuseAnImageThatSaysWhatNoReceiptCanBe() {
    apply(renewalOfBoth());
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 4)).isEqualTo("loaded");
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 5)).contains("marks 5");
    assertThat(altered(ChunkKinds.RECEIPTS, MARKS, 0)).contains("by a request that is no Modify 2");
    assertThat(altered(ChunkKinds.RECEIPTS, FIRST_CLAIMS, -1)).contains("was written -1");
    assertThat(altered(ChunkKinds.RECEIPTS, FIRST_CLAIMS, 2)).contains("digest");
  }

  private Modify renewalOfBoth() {
    return modify(EVE)
        .setIdentity(request(CLIENT, 1))
        .addChanges(change("q", 1, 1, nowMs + LEASE_MS))
        .addChanges(change("q", 2, 1, nowMs + LEASE_MS))
        .build();
  }

  private StateMachine image() {
    StateLoader loader = new StateLoader(new StateMachineConfig(1, 1, 1));
    machine.freeze().writeTo(loader);
    machine.thaw();
    return loader.finish();
  }

  private String altered(int kind, int offset, int value) {
    return AlteredImage.refusal(machine, kind, offset, value);
  }
}
