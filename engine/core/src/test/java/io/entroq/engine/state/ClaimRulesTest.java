package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.ValueKind;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Choice, lease and holder, contract 2.2. */
class ClaimRulesTest extends StateTestBase {

  @Test
  void shouldTakeTheOldestOrAnyOtherAsTheCoinFalls() {
    // The seed is fixed, so is the outcome; a hunt measures how often each is taken.
    Set<Long> taken = new HashSet<>();
    for (int round = 0; round < 60; round++) {
      String queue = "q" + round;
      long first = 10L * (round + 1);
      apply(
          modify(ANN)
              .addInserts(insert(queue, first, nowMs))
              .addInserts(insert(queue, first + 1, nowMs))
              .addInserts(insert(queue, first + 2, nowMs)));
      taken.add(apply(claim(BOB, queue)).claimed.get(0).id() - first);
    }
    assertThat(taken).containsExactlyInAnyOrder(0L, 1L, 2L);
  }

  @Test
  void shouldTakeFromEachAskedQueueWithWorkSoonerOrLater() {
    insert("a", 1);
    insert("b", 2);
    Set<String> taken = new HashSet<>();
    for (int i = 0; i < 60; i++) {
      taken.add(apply(claim(BOB, "a", "b", "empty").setLeaseMs(0)).claimed.get(0).queue());
    }
    assertThat(taken).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void shouldTakeATaskOnceWhenTheLeaseIsOverAtOnce() {
    insert("q", 1);
    insert("q", 2);
    Answer answer = apply(claim(BOB, "q", "q").setLimit(10).setLeaseMs(0));
    assertThat(answer.claimed).extracting(Shot::id).containsExactlyInAnyOrder(1L, 2L);
    assertThat(queues(nowMs).get("q").available()).isEqualTo(2);
  }

  @Test
  void shouldTakeFewerThanAskedWhenTheirValuesAreLarge() {
    ByteString half = ByteString.copyFrom(new byte[Claimer.CLAIM_BYTES_MAX / 2]);
    for (int id = 1; id <= 3; id++) {
      TaskData data =
          data("q", nowMs).toBuilder().setValueKind(ValueKind.VALUE_BYTES).setValue(half).build();
      apply(modify(ANN).addInserts(insert("q", id, nowMs).toBuilder().setData(data)));
    }
    assertThat(apply(claim(BOB, "q").setLimit(3)).claimed).hasSize(2);
    assertThat(apply(claim(BOB, "q").setLimit(3)).claimed).hasSize(1);
  }

  @Test
  void shouldLeaseForEverWhenTheSumWouldOverflow() {
    insert("q", 1);
    apply(claim(BOB, "q").setLeaseMs(Long.MAX_VALUE));
    assertThat(find(1).arrivalMs()).isEqualTo(Long.MAX_VALUE);
    later(Long.MAX_VALUE / 2 - nowMs);
    assertThat(apply(claim(BOB, "q")).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldKeepOthersAwayUntilTheLeaseIsOver() {
    insert("q", 1);
    apply(claim(BOB, "q"));
    later(LEASE_MS - 1);
    assertThat(apply(modify(ANN).addDeletes(ref(1, 1))).failures)
        .containsExactly(new Answer.Failure(ItemKinds.DELETE, 0, true, 1));
    later(1);
    assertThat(apply(modify(ANN).addDeletes(ref(1, 1))).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldClaimAfterItsOwnInsertsWhenAModifyAsksForIt() {
    Answer answer =
        apply(
            modify(BOB)
                .addInserts(insert("q", 1, nowMs))
                .setThenClaim(Claim.newBuilder().addQueues("q").setLeaseMs(5)));
    assertThat(answer.inserted).extracting(Shot::version).containsExactly(0);
    assertThat(answer.claimed)
        .containsExactly(new Shot(1, 1, "q", nowMs + 5, BOB.getLow(), "", 1, nowMs, nowMs));
  }

  @Test
  void shouldRefuseAClaimantWhoseKeyHasAnotherText() {
    Id known = BOB.toBuilder().setText("Bob").build();
    Id impostor = BOB.toBuilder().setText("Rob").build();
    insert("q", 1);
    insert("q", 2);
    apply(claim(known, "q"));

    assertThat(apply(claim(impostor, "q")).code).isEqualTo(ResultCodes.KEY_COLLISION);
    Answer refused = apply(modify(impostor).addInserts(insert("q", 3, nowMs)));
    assertThat(refused.code).isEqualTo(ResultCodes.KEY_COLLISION);
    assertThat(refused.item).as("it is about no item").isNull();
    assertThat(apply(claim(known, "q")).code).isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldForgetAClaimantsTextWhenNothingIsHisAnyMore() {
    insert("q", 1);
    apply(claim(BOB.toBuilder().setText("Bob").build(), "q"));
    apply(modify(BOB).addDeletes(ref(1, 1)));
    insert("q", 2);
    Answer answer = apply(claim(BOB.toBuilder().setText("Rob").build(), "q"));
    assertThat(answer.claimed).extracting(Shot::claimantText).containsExactly("Rob");
  }

  @Test
  void shouldFreeATaskThatIsChangedToBeDueUnlessV0Asks() {
    insert("q", 1);
    insert("p", 2);
    apply(modify(ANN).addChanges(change("q", 1, 0, nowMs)));
    apply(modify(ANN).setFacade(Facade.FACADE_V0).addChanges(change("p", 2, 0, nowMs)));
    assertThat(find(1).claimant()).isZero();
    assertThat(find(2).claimant()).isEqualTo(ANN.getLow());
    apply(modify(ANN).addChanges(change("q", 1, 1, nowMs + 1)));
    assertThat(find(1).claimant()).isEqualTo(ANN.getLow());
  }
}
