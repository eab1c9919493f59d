package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a Modify does with docs and a ClaimDocs does, contract 2.8. */
class DocRulesTest extends StateTestBase {
  private static final long CLIENT = 5;
  private static final Id ODD_ANN = Id.newBuilder().setHigh(5).setLow(6).setText("ann@x").build();

  private Answer insertDoc(String namespace, long id, String key) {
    return apply(modify(ANN).addDocInserts(doc(namespace, id, key)));
  }

  private static DocData.Builder change(String namespace, long id, int version) {
    return doc(namespace, id, "").setVersion(version);
  }

  private static Answer.Failure failed(int itemKind, int index, boolean claimed) {
    return new Answer.Failure(itemKind, index, claimed, -1);
  }

  // Inserts.

  @Test
  void shouldInsertADocThatIsNobodysAtVersionOneAndAvailableNow() {
    DocData.Builder doc =
        doc("users", 1, "k")
            .setSecondaryKey("s")
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(ByteString.copyFromUtf8("v"));
    Answer answer = apply(modify(ANN).addDocInserts(doc));
    DocShot stored = new DocShot("users", 1, "", 1, 0, "", nowMs, "k", "s", "v", nowMs, nowMs);
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(findDoc("users", 1)).isEqualTo(stored);
    assertThat(answer.docs)
        .containsExactly(
            new DocShot("users", 1, "", 1, 0, "", nowMs, "k", "s", "absent", nowMs, nowMs));
  }

  @Test
  void shouldFailWhenTheIdIsThereInTheSameNamespaceOnly() {
    insertDoc("users", 1, "k");
    Answer answer =
        apply(
            modify(ANN).addDocInserts(doc("carts", 1, "k")).addDocInserts(doc("users", 1, "new")));
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(failed(ItemKinds.DOC_INSERT, 1, false));
    assertThat(findDoc("carts", 1)).as("nothing of it happens").isNull();
  }

  @Test
  void shouldFailWhenADocIsDeletedAndInsertedInOneModify() {
    insertDoc("users", 1, "k");
    Answer answer =
        apply(modify(ANN).addDocInserts(doc("users", 1, "k")).addDocDeletes(docRef("users", 1, 1)));
    assertThat(answer.failures).containsExactly(failed(ItemKinds.DOC_INSERT, 0, false));
  }

  @Test
  void shouldRefuseOneIdTwiceInANamespace() {
    Answer twice =
        apply(
            modify(ANN)
                .addDocInserts(doc("users", 1, "k"))
                .addDocInserts(doc("carts", 1, "k"))
                .addDocInserts(doc("users", 1, "l")));
    assertThat(twice.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(twice.item).isEqualTo(new Answer.Item(ItemKinds.DOC_INSERT, 2));
    insertDoc("users", 1, "k");
    Answer named =
        apply(
            modify(ANN).addDocDeletes(docRef("users", 1, 1)).addDocDepends(docRef("users", 1, 1)));
    assertThat(named.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(named.item).isEqualTo(new Answer.Item(ItemKinds.DOC_DEPEND, 0));
  }

  @Test
  void shouldRefuseAnotherTextWithTheSameKey() {
    Id odd = Id.newBuilder().setHigh(7).setLow(8).setText("odd").build();
    apply(modify(ANN).addDocInserts(doc("users", 1, "k").setId(odd)));
    Id other = odd.toBuilder().setText("other").build();
    Answer answer = apply(modify(ANN).addDocInserts(doc("users", 1, "k").setId(other)));
    assertThat(answer.code).isEqualTo(ResultCodes.KEY_COLLISION);
    assertThat(answer.item).isEqualTo(new Answer.Item(ItemKinds.DOC_INSERT, 0));
  }

  // Changes.

  @Test
  void shouldReplaceTheValueAndKeepKeysThatAreNotGiven() {
    apply(
        modify(ANN)
            .addDocInserts(
                doc("users", 1, "k")
                    .setSecondaryKey("s")
                    .setValueKind(ValueKind.VALUE_BYTES)
                    .setValue(ByteString.copyFromUtf8("v"))));
    long createdMs = nowMs;
    later(10);
    Answer answer = apply(modify(BOB).addDocChanges(change("users", 1, 1).setSecondaryKey("t")));
    DocShot changed =
        new DocShot("users", 1, "", 2, 0, "", nowMs, "k", "t", "absent", createdMs, nowMs);
    assertThat(answer.docs).containsExactly(changed);
    assertThat(findDoc("users", 1)).isEqualTo(changed);
  }

  @Test
  void shouldMakeADocTheRequestersOnlyWhileItsArrivalIsInTheFuture() {
    insertDoc("users", 1, "k");
    apply(modify(ODD_ANN).addDocChanges(change("users", 1, 1).setArrivalMs(nowMs + 100)));
    assertThat(findDoc("users", 1).claimantText()).isEqualTo("ann@x");
    assertThat(findDoc("users", 1).arrivalMs()).isEqualTo(nowMs + 100);

    apply(modify(ODD_ANN).addDocChanges(change("users", 1, 2).setArrivalMs(nowMs)));
    assertThat(findDoc("users", 1).claimant()).isZero();
    assertThat(findDoc("users", 1).claimantText()).isEmpty();
  }

  @Test
  void shouldReportEveryFailureOfTasksAndDocsTogether() {
    insertDoc("users", 1, "k");
    insertDoc("users", 2, "k");
    apply(modify(BOB).addDocChanges(change("users", 1, 1).setArrivalMs(nowMs + 100)));
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("q", 9, nowMs))
                .addDeletes(ref(8, 0))
                .addDocChanges(change("users", 1, 2))
                .addDocChanges(change("users", 2, 7))
                .addDocDeletes(docRef("users", 3, 1))
                .addDocDeletes(docRef("nowhere", 1, 1))
                .addDocDepends(docRef("users", 4, 0)));
    assertThat(answer.failures)
        .containsExactly(
            failed(ItemKinds.DELETE, 0, false),
            failed(ItemKinds.DOC_CHANGE, 0, true),
            failed(ItemKinds.DOC_CHANGE, 1, false),
            failed(ItemKinds.DOC_DELETE, 0, false),
            failed(ItemKinds.DOC_DELETE, 1, false),
            failed(ItemKinds.DOC_DEPEND, 0, false));
    assertThat(find(9)).isNull();
  }

  @Test
  void shouldProtectAHeldDocFromOthersUntilTheLeaseEnds() {
    insertDoc("users", 1, "k");
    apply(claimDocs(BOB, "users", "k").build());
    Modify delete = modify(ANN).addDocDeletes(docRef("users", 1, 2)).build();
    assertThat(apply(delete).failures).containsExactly(failed(ItemKinds.DOC_DELETE, 0, true));
    assertThat(apply(modify(ANN).addDocDepends(docRef("users", 1, 2))).code)
        .as("a dependency never looks at the claimant")
        .isEqualTo(ResultCodes.OK);
    later(LEASE_MS);
    assertThat(apply(delete).code).isEqualTo(ResultCodes.OK);
    assertThat(machine.docCount()).isZero();
  }

  @Test
  void shouldLetTheHolderChangeAndDelete() {
    insertDoc("users", 1, "k");
    apply(claimDocs(BOB, "users", "k").build());
    assertThat(apply(modify(BOB).addDocChanges(change("users", 1, 2))).code)
        .isEqualTo(ResultCodes.OK);
    assertThat(apply(modify(BOB).addDocDeletes(docRef("users", 1, 3))).code)
        .isEqualTo(ResultCodes.OK);
  }

  @Test
  void shouldRefuseAChangeWhenTheVersionIsUsedUp() {
    insertDoc("users", 1, "k");
    exhaust("users", 1);
    Answer change = apply(modify(ANN).addDocChanges(change("users", 1, Integer.MAX_VALUE)));
    assertThat(change.code).isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    assertThat(change.item).isEqualTo(new Answer.Item(ItemKinds.DOC_CHANGE, 0));
    assertThat(apply(claimDocs(ANN, "users", "k").build()).code)
        .isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    assertThat(apply(modify(ANN).addDocDeletes(docRef("users", 1, Integer.MAX_VALUE))).code)
        .isEqualTo(ResultCodes.OK);
  }

  private void exhaust(String namespace, long id) {
    int slot =
        machine.stores.namespaces.find(
            new UnsafeBuffer(namespace.getBytes(StandardCharsets.UTF_8)), 0, namespace.length());
    machine.stores.docs.version(machine.stores.docs.find(slot, 0, id), Integer.MAX_VALUE);
    machine.stores.digest.restore(machine.historyDigest(), machine.recomputeContentDigest());
  }

  // Claims.

  private void insertThree() {
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
    insertThree();
    long createdMs = nowMs;
    later(10);
    Answer answer = apply(claimDocs(ODD_ANN, "users", "k").build());
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(2L, 3L, 1L);
    assertThat(answer.docs.get(0))
        .isEqualTo(
            new DocShot(
                "users",
                2,
                "",
                2,
                6,
                "ann@x",
                nowMs + LEASE_MS,
                "k",
                "a",
                "absent",
                createdMs,
                nowMs))
        .isEqualTo(findDoc("users", 2));
    assertThat(findDoc("users", 4).version()).isEqualTo(1);
    assertThat(findDoc("carts", 5).version()).isEqualTo(1);
  }

  @Test
  void shouldClaimNothingWhenSomebodyElseHoldsOneOfThem() {
    insertThree();
    apply(modify(BOB).addDocChanges(change("users", 3, 1).setArrivalMs(nowMs + 100)));
    Answer answer = apply(claimDocs(ANN, "users", "k").build());
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(3L);
    assertThat(findDoc("users", 1).version()).isEqualTo(1);
    later(100);
    assertThat(apply(claimDocs(ANN, "users", "k").build()).docs).hasSize(3);
  }

  @Test
  void shouldRenewAClaimOfTheSameClaimant() {
    insertThree();
    apply(claimDocs(ANN, "users", "k").build());
    later(10);
    Answer again = apply(claimDocs(ANN, "users", "k").setLeaseMs(Long.MAX_VALUE).build());
    assertThat(again.docs).extracting(DocShot::version).containsOnly(3);
    assertThat(again.docs).extracting(DocShot::arrivalMs).containsOnly(Long.MAX_VALUE);
  }

  @Test
  void shouldFindNothingWhereThereIsNothing() {
    insertThree();
    assertThat(apply(claimDocs(ANN, "users", "K").build()).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(apply(claimDocs(ANN, "users", "").build()).code).isEqualTo(ResultCodes.EMPTY);
    assertThat(apply(claimDocs(ANN, "nowhere", "k").build()).code).isEqualTo(ResultCodes.EMPTY);
  }

  @Test
  void shouldNeedARecordOnlyForAClaimThatDoesSomethingOrHasAnIdentity() {
    insertThree();
    ClaimDocs nothing = claimDocs(ANN, "users", "none").build();
    assertThat(prepare(RecordType.CLAIM_DOCS, nothing.toByteArray()))
        .isEqualTo(StateMachine.ANSWER);
    ClaimDocs known = nothing.toBuilder().setIdentity(request(CLIENT, 1)).build();
    assertThat(prepare(RecordType.CLAIM_DOCS, known.toByteArray())).isEqualTo(StateMachine.EXECUTE);
    ClaimDocs something = claimDocs(ANN, "users", "k").build();
    assertThat(prepare(RecordType.CLAIM_DOCS, something.toByteArray()))
        .isEqualTo(StateMachine.EXECUTE);
  }

  private int prepare(int type, byte[] command) {
    return machine.prepare(type, new UnsafeBuffer(command), 0, command.length, nowMs);
  }

  @Test
  void shouldLeaveNoTraceWhenItIsBlockedAndNotLogged() {
    insertThree();
    apply(claimDocs(BOB, "users", "k").build());
    long history = machine.historyDigest();
    byte[] claim = claimDocs(ANN, "users", "k").build().toByteArray();
    assertThat(prepare(RecordType.CLAIM_DOCS, claim)).isEqualTo(StateMachine.ANSWER);
    RecordingSink sink = new RecordingSink();
    machine.answer(sink);
    assertThat(sink.answers.get(0).docs).hasSize(3);
    assertThat(machine.historyDigest()).isEqualTo(history);
  }

  // Requests that come again.

  @Test
  void shouldGiveTheFirstAnswerWhenAModifyComesAgain() {
    Modify modify =
        modify(ANN)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("q", 1, nowMs))
            .addDocInserts(doc("users", 1, "k"))
            .addDocInserts(doc("carts", 1, "k"))
            .build();
    Answer first = apply(modify);
    later(10);
    assertThat(apply(modify).docs).isEqualTo(first.docs);
    apply(modify(ANN).addDocChanges(change("users", 1, 1)).addDocDeletes(docRef("carts", 1, 1)));
    Answer again = apply(modify);
    assertThat(again.code).isEqualTo(ResultCodes.OK);
    assertThat(again.inserted).isEqualTo(first.inserted);
    assertThat(again.docs).containsExactly(first.docs.get(0).unsent(), first.docs.get(1).unsent());
  }

  @Test
  void shouldClaimTasksAndWriteDocsInOneStepThatCanBeAskedAgain() {
    insert("q", 1);
    Modify modify =
        modify(ANN)
            .setIdentity(request(CLIENT, 1))
            .addDocInserts(doc("users", 1, "k"))
            .setThenClaim(claim(NOBODY, "q"))
            .build();
    Answer first = apply(modify);
    assertThat(first.claimed).hasSize(1);
    assertThat(first.docs).extracting(DocShot::id).containsExactly(1L);
    assertThat(findDoc("users", 1)).isNotNull();
    Answer again = apply(modify);
    assertThat(again.claimed).isEqualTo(first.claimed);
    assertThat(again.docs).isEqualTo(first.docs);
    gone(CLIENT);
    assertThat(apply(modify).docs).as("after the task was given back").isEqualTo(first.docs);
  }

  @Test
  void shouldGiveTheFirstAnswerWhenAClaimComesAgain() {
    insertThree();
    ClaimDocs claim = claimDocs(ANN, "users", "k").setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(claim);
    later(10);
    assertThat(apply(claim).docs).isEqualTo(first.docs);
    apply(modify(ANN).addDocDeletes(docRef("users", 2, 2)));
    Answer lost = apply(claim);
    assertThat(lost.code).isEqualTo(ResultCodes.CLAIM_LOST);
    assertThat(lost.docs).isEmpty();
  }

  @Test
  void shouldBlockAgainWhenTheDocIsFreeByNow() {
    insertThree();
    apply(claimDocs(BOB, "users", "k").build());
    ClaimDocs claim = claimDocs(ANN, "users", "k").setIdentity(request(CLIENT, 1)).build();
    Answer first = apply(claim);
    apply(modify(BOB).addDocDeletes(docRef("users", 3, 2)));
    later(LEASE_MS);
    Answer again = apply(claim);
    assertThat(again.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(again.docs)
        .extracting(DocShot::id)
        .containsExactlyElementsOf(first.docs.stream().map(DocShot::id).toList());
  }

  // Memory.

  @Test
  void shouldFindRoomWhereDocsWereDeleted() {
    String key = "k".repeat(100);
    Modify.Builder inserts = modify(ANN);
    Modify.Builder deletes = modify(ANN);
    for (int id = 1; id <= 2_000; id++) {
      inserts.addDocInserts(doc("users", id, key));
      deletes.addDocDeletes(docRef("users", id, 1));
    }
    DocData.Builder alike = doc("users", 1, key);
    assertThat(fits(alike)).as("no memory is held yet").isFalse();
    apply(inserts);
    apply(deletes);
    assertThat(fits(alike)).isTrue();
    ByteString large = ByteString.copyFrom(new byte[1 << 20]);
    assertThat(fits(alike.setValueKind(ValueKind.VALUE_BYTES).setValue(large))).isFalse();
  }

  private boolean fits(DocData.Builder insert) {
    byte[] command = modify(ANN).addDocInserts(insert).build().toByteArray();
    ModifyDecoder modify = new ModifyDecoder();
    modify.wrap(new UnsafeBuffer(command), 0, command.length);
    return machine.fitsMemoryHeld(modify, 0);
  }

  // Before there were docs.
}
