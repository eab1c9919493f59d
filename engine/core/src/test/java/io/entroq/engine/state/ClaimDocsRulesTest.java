package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.TaskRef;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a ClaimDocs does: claims of one or several sets, with or without docs. */
class ClaimDocsRulesTest extends StateTestBase {
  private static final long CLIENT = 5;
  private static final Id ODD_ANN = Id.newBuilder().setHigh(5).setLow(6).setText("ann@x").build();

  @BeforeEach
  void insertDocs() {
    apply(
        modify(ANN)
            .addDocInserts(doc("users", 1, "k").setSecondaryKey("c"))
            .addDocInserts(doc("users", 2, "k").setSecondaryKey("a"))
            .addDocInserts(doc("users", 3, "k").setSecondaryKey("b"))
            .addDocInserts(doc("users", 4, "k2"))
            .addDocInserts(doc("carts", 5, "k")));
  }

  @Test
  void shouldClaimAllDocsOfAKeyBySecondaryKey() {
    long createdMs = nowMs;
    later(10);
    Answer answer = apply(claimDocs(ODD_ANN, "users", "k").build());
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(2L, 3L, 1L);
    long endMs = nowMs + LEASE_MS;
    assertThat(answer.docs.get(0))
        .isEqualTo(
            new DocShot(
                "users", 2, "", 1, 6, "ann@x", endMs, "k", "a", "absent", createdMs, createdMs, 0))
        .isEqualTo(findDoc("users", 2));
    assertThat(answer.sets)
        .containsExactly(
            new DocShot("users", 0, "", 1, 6, "ann@x", endMs, "k", "", "absent", 0, nowMs, 3))
        .containsExactly(findSet("users", "k"));
    assertThat(findDoc("users", 4).version()).isZero();
    assertThat(findDoc("carts", 5).version()).isZero();
  }

  @Test
  void shouldStoreASetThatWasNeverWrittenAtVersionOne() {
    Answer answer = apply(claimDocs(BOB, "new", "k").build());
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(answer.docs).isEmpty();
    assertThat(answer.sets).containsExactly(findSet("new", "k"));
    assertThat(findSet("new", "k").version()).isEqualTo(1);
    assertThat(findSet("new", "k").claimant()).isEqualTo(BOB.getLow());
    assertThat(apply(claimDocs(ANN, "new", "k").build()).code).isEqualTo(ResultCodes.DEPENDENCY);
  }

  @Test
  void shouldClaimSeveralSetsInTheOrderNamed() {
    ClaimDocs claim =
        claimDocs(ANN, "users", "k2")
            .addSets(set("new", "x"))
            .addSets(set("users", "k").toBuilder().setOmitMembers(true))
            .addSets(set("carts", "k"))
            .build();
    Answer answer = apply(claim);
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(4L, 5L);
    assertThat(answer.sets).extracting(DocShot::key).containsExactly("k2", "x", "k", "k");
    assertThat(answer.sets).extracting(DocShot::docs).containsExactly(1, 0, 3, 1);
    assertThat(answer.sets).extracting(DocShot::version).containsOnly(1);
  }

  @Test
  void shouldClaimNothingWhenAnotherHoldsOneOfTheSets() {
    apply(claimDocs(BOB, "users", "k").build());
    apply(claimDocs(BOB, "none", "x").build());
    ClaimDocs claim =
        claimDocs(ANN, "carts", "k").addSets(set("none", "x")).addSets(set("users", "k")).build();
    Answer answer = apply(claim);
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.sets).containsExactly(findSet("none", "x"), findSet("users", "k"));
    assertThat(answer.sets).extracting(DocShot::claimant).containsOnly(BOB.getLow());
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(2L, 3L, 1L);
    assertThat(findSet("carts", "k").version()).isZero();
    later(LEASE_MS);
    assertThat(apply(claim).sets).extracting(DocShot::version).containsExactly(1, 2, 2);
  }

  @Test
  void shouldLetTheSameClaimantClaimAgain() {
    apply(claimDocs(ANN, "users", "k").build());
    later(10);
    Answer again = apply(claimDocs(ANN, "users", "k").setLeaseMs(Long.MAX_VALUE).build());
    assertThat(again.docs).extracting(DocShot::version).containsOnly(2);
    assertThat(again.docs).extracting(DocShot::arrivalMs).containsOnly(Long.MAX_VALUE);
  }

  @Test
  void shouldHaveNoHolderAfterAClaimThatLeavesTheSetAvailable() {
    Answer answer = apply(claimDocs(ANN, "users", "k").setLeaseMs(0).build());
    assertThat(answer.sets).extracting(DocShot::version).containsExactly(1);
    assertThat(answer.sets).extracting(DocShot::claimant).containsExactly(0L);
    assertThat(answer.sets).extracting(DocShot::arrivalMs).containsExactly(nowMs);
  }

  @Test
  void shouldRefuseASetNamedTwice() {
    ClaimDocs claim = claimDocs(ANN, "users", "k").addSets(set("users", "k")).build();
    assertThat(apply(claim).code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(findSet("users", "k").version()).isZero();
    assertThat(apply(claimDocs(ANN, "users", "k").addSets(set("carts", "k")).build()).code)
        .isEqualTo(ResultCodes.OK);
  }

  // With the lease of a task.

  private static ClaimDocs withTask(String queue, long id, int version) {
    TaskRef task = TaskRef.newBuilder().setId(task(id)).setQueue(queue).setVersion(version).build();
    return claimDocs(ANN, "users", "k")
        .addSets(set("new", "x"))
        .clearLeaseMs()
        .setTask(task)
        .build();
  }

  @Test
  void shouldHoldTheSetsUntilExactlyTheArrivalTimeOfTheTask() {
    insert("q", 1);
    apply(claim(ANN, "q"));
    later(10);
    Answer answer = apply(withTask("q", 1, 1));
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(answer.sets)
        .extracting(DocShot::arrivalMs)
        .containsOnly(find(1).arrivalMs())
        .containsOnly(nowMs - 10 + LEASE_MS);
    assertThat(find(1).version()).as("the task is not written").isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"q, 1, 0", "q, 1, 2", "r, 1, 1", "q, 2, 1"})
  void shouldFailForATaskThatIsNotAsTheClaimSays(String queue, long id, int version) {
    insert("q", 1);
    apply(claim(ANN, "q"));
    Answer answer = apply(withTask(queue, id, version));
    requireTaskFailure(answer);
    assertThat(answer.sets).isEmpty();
    assertThat(findSet("users", "k").version()).isZero();
    assertThat(findSet("new", "x")).isNull();
  }

  private static void requireTaskFailure(Answer answer) {
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(new Answer.Failure(ItemKinds.TASK, 0, false, -1));
  }

  @Test
  void shouldFailForATaskWhoseLeaseHasEnded() {
    insert("q", 1);
    apply(claim(ANN, "q"));
    later(LEASE_MS - 1);
    assertThat(apply(withTask("q", 1, 1)).code).isEqualTo(ResultCodes.OK);
    later(1);
    requireTaskFailure(apply(withTask("q", 1, 1)));
  }

  @Test
  void shouldReportTheTaskAndTheHeldSetsTogether() {
    apply(claimDocs(BOB, "users", "k").build());
    Answer answer = apply(withTask("q", 1, 1));
    requireTaskFailure(answer);
    assertThat(answer.sets).containsExactly(findSet("users", "k"));
    assertThat(answer.docs).hasSize(3);
  }

  // Records.

  @Test
  void shouldNeedNoRecordForARefusalWithoutIdentity() {
    apply(claimDocs(BOB, "users", "k").build());
    ClaimDocs refused = claimDocs(ANN, "users", "k").build();
    assertThat(prepare(refused)).isEqualTo(StateMachine.ANSWER);
    assertThat(prepare(refused.toBuilder().setIdentity(request(CLIENT, 1)).build()))
        .isEqualTo(StateMachine.EXECUTE);
    assertThat(prepare(claimDocs(ANN, "never written", "k").build()))
        .isEqualTo(StateMachine.EXECUTE);
  }

  private int prepare(ClaimDocs claim) {
    byte[] command = claim.toByteArray();
    return machine.prepare(
        RecordType.CLAIM_DOCS, new UnsafeBuffer(command), 0, command.length, nowMs);
  }

  @Test
  void shouldLeaveNoTraceWhenItIsRefusedAndNotLogged() {
    apply(claimDocs(BOB, "users", "k").build());
    long history = machine.historyDigest();
    assertThat(prepare(claimDocs(ANN, "users", "k").build())).isEqualTo(StateMachine.ANSWER);
    RecordingSink sink = new RecordingSink();
    machine.answer(sink);
    assertThat(sink.answers.get(0).docs).hasSize(3);
    assertThat(sink.answers.get(0).sets).hasSize(1);
    assertThat(machine.historyDigest()).isEqualTo(history);
  }

  @Test
  void shouldTellTheBytesOfTheDocsThatItReturns() {
    prepare(claimDocs(ANN, "users", "k").build());
    long all = machine.preparedDocsBytes();
    prepare(
        ClaimDocs.newBuilder()
            .setClaimant(ANN)
            .addSets(set("users", "k").toBuilder().setOmitMembers(true))
            .setLeaseMs(1)
            .build());
    assertThat(machine.preparedDocsBytes()).isPositive().isLessThan(all / 3);
  }

  // Requests that come again.

  @Test
  void shouldGiveTheFirstAnswerWhenAClaimComesAgain() {
    ClaimDocs claim =
        claimDocs(ANN, "users", "k")
            .addSets(set("new", "x"))
            .addSets(set("carts", "k").toBuilder().setOmitMembers(true))
            .setIdentity(request(CLIENT, 1))
            .build();
    Answer first = apply(claim);
    later(10);
    Answer again = apply(claim);
    assertThat(again.docs).hasSize(3).isEqualTo(first.docs);
    assertThat(again.sets).hasSize(3).isEqualTo(first.sets);
  }

  @Test
  void shouldTellThatAClaimIsLostWhenOneOfItsSetsHasChanged() {
    ClaimDocs claim =
        claimDocs(ANN, "users", "k")
            .addSets(set("new", "x"))
            .setIdentity(request(CLIENT, 1))
            .build();
    apply(claim);
    apply(modify(ANN).addDocChanges(lease("new", "x", 1, 0)));
    Answer lost = apply(claim);
    assertThat(lost.code).isEqualTo(ResultCodes.CLAIM_LOST);
    assertThat(lost.docs).isEmpty();
    assertThat(lost.sets).isEmpty();
  }

  @Test
  void shouldGiveTheFirstRefusalWhenTheSetIsFreeByNow() {
    apply(claimDocs(BOB, "users", "k").build());
    ClaimDocs claim = withTask("q", 1, 1).toBuilder().setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(claim);
    assertThat(apply(claim).docs).isEqualTo(first.docs);
    assertThat(apply(claim).sets).isEqualTo(first.sets);
    apply(modify(BOB).addDocDeletes(docRef("users", 3, 1)));
    later(LEASE_MS);
    Answer again = apply(claim);
    requireTaskFailure(again);
    assertThat(again.docs).extracting(DocShot::id).as("3 is deleted").containsExactly(2L, 1L);
    assertThat(again.sets).extracting(DocShot::version).containsExactly(1);
    assertThat(again.sets).extracting(DocShot::arrivalMs).containsExactly(nowMs);
  }
}
