package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.ValueKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a Modify does with docs and doc sets: the life of a set. */
class DocRulesTest extends StateTestBase {
  private static final Id ODD_ANN = Id.newBuilder().setHigh(5).setLow(6).setText("ann@x").build();

  private Answer insertDoc(String namespace, long id, String key) {
    return apply(modify(ANN).addDocInserts(doc(namespace, id, key)));
  }

  /** Two docs in the set {@code k} of users, which is at version 0. */
  private void insertTwo() {
    apply(
        modify(ANN)
            .addDocInserts(doc("users", 1, "k").setSecondaryKey("a"))
            .addDocInserts(doc("users", 2, "k").setSecondaryKey("b")));
  }

  private static DocData.Builder change(String namespace, long id, int version) {
    return doc(namespace, id, "").setVersion(version);
  }

  private static Answer.Failure failed(int itemKind, int index, boolean claimed, int version) {
    return new Answer.Failure(itemKind, index, claimed, version);
  }

  private void requireFailure(Answer answer, Answer.Failure failure, String name, long id) {
    assertThat(answer.code).isEqualTo(ResultCodes.DEPENDENCY);
    assertThat(answer.failures).containsExactly(failure);
    assertThat(answer.existing).containsExactly(new Answer.Existing(name, id));
  }

  private void requireOk(Modify.Builder modify) {
    assertThat(apply(modify).code).isEqualTo(ResultCodes.OK);
  }

  // First writes.

  @Test
  void shouldCreateASetAtVersionZeroWithItsFirstInsert() {
    DocData.Builder doc =
        doc("users", 1, "k")
            .setSecondaryKey("s")
            .setValueKind(ValueKind.VALUE_BYTES)
            .setValue(ByteString.copyFromUtf8("v"));
    assertThat(findSet("users", "k")).as("never written").isNull();
    Answer answer = apply(modify(ANN).addDocInserts(doc));
    DocShot stored = new DocShot("users", 1, "", 0, 0, "", nowMs, "k", "s", "v", nowMs, nowMs, 0);
    assertThat(answer.code).isEqualTo(ResultCodes.OK);
    assertThat(findDoc("users", 1)).isEqualTo(stored);
    assertThat(answer.docs)
        .containsExactly(
            new DocShot("users", 1, "", 0, 0, "", nowMs, "k", "s", "absent", nowMs, nowMs, 0));
    assertThat(findSet("users", "k"))
        .isEqualTo(new DocShot("users", 0, "", 0, 0, "", nowMs, "k", "", "absent", 0, nowMs, 1));
  }

  @Test
  void shouldInsertSeveralDocsOfANewSetAtVersionZero() {
    insertTwo();
    assertThat(findSet("users", "k").version()).isZero();
    assertThat(findSet("users", "k").docs()).isEqualTo(2);
  }

  @Test
  void shouldAddOneToTheVersionWithALaterInsert() {
    insertTwo();
    Answer answer = apply(modify(BOB).addDocInserts(doc("users", 3, "k").setSecondaryKey("c")));
    assertThat(answer.docs).extracting(DocShot::version).containsExactly(1);
    assertThat(findDoc("users", 1).version()).as("each doc shows the version of its set").isOne();
  }

  @Test
  void shouldHoldASetForWhoInsertsWithAnArrivalTimeInTheFuture() {
    apply(modify(ANN).addDocInserts(doc("users", 1, "k").setArrivalMs(nowMs + 100)));
    assertThat(findSet("users", "k").claimant()).isEqualTo(ANN.getLow());
    assertThat(findSet("users", "k").arrivalMs()).isEqualTo(nowMs + 100);
    apply(modify(ANN).addDocInserts(doc("users", 2, "k2").setArrivalMs(nowMs)));
    assertThat(findSet("users", "k2").claimant()).isZero();
  }

  // Writes.

  @Test
  void shouldMoveASetOnByOneVersionHoweverManyItemsConcernIt() {
    insertTwo();
    Answer answer =
        apply(
            modify(ANN)
                .addDocInserts(doc("users", 3, "k").setSecondaryKey("c"))
                .addDocInserts(doc("users", 4, "k").setSecondaryKey("d"))
                .addDocChanges(change("users", 1, 0))
                .addDocChanges(lease("users", "k", 0, 0))
                .addDocDeletes(docRef("users", 2, 0)));
    assertThat(answer.docs).extracting(DocShot::version).containsExactly(1, 1, 1, 1);
    assertThat(answer.docs).extracting(DocShot::id).containsExactly(3L, 4L, 1L, 0L);
    assertThat(answer.docs.get(3).docs()).isEqualTo(3);
    assertThat(findSet("users", "k").version()).isEqualTo(1);
  }

  @Test
  void shouldKeepKeysAndCreationTimeOfAChangedDoc() {
    apply(
        modify(ANN)
            .addDocInserts(
                doc("users", 1, "k")
                    .setSecondaryKey("s")
                    .setValueKind(ValueKind.VALUE_BYTES)
                    .setValue(ByteString.copyFromUtf8("v"))));
    insertDoc("users", 2, "k");
    long createdMs = nowMs;
    later(10);
    DocData.Builder other = doc("users", 1, "other").setVersion(1).setSecondaryKey("t");
    Answer answer = apply(modify(BOB).addDocChanges(other));
    DocShot changed =
        new DocShot("users", 1, "", 2, 0, "", nowMs, "k", "s", "absent", createdMs, nowMs, 0);
    assertThat(answer.docs).containsExactly(changed);
    assertThat(findDoc("users", 1)).isEqualTo(changed);
    assertThat(findDoc("users", 2).modifiedMs()).as("its own").isEqualTo(createdMs);
    assertThat(findSet("users", "other")).isNull();
  }

  @Test
  void shouldRequireTheVersionOfTheSetForChangesAndDeletes() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    requireFailure(
        apply(modify(ANN).addDocChanges(change("users", 2, 0))),
        failed(ItemKinds.DOC_CHANGE, 0, false, 1),
        "",
        0);
    requireFailure(
        apply(modify(ANN).addDocDeletes(docRef("users", 2, 2))),
        failed(ItemKinds.DOC_DELETE, 0, false, 1),
        "",
        0);
    requireFailure(
        apply(modify(ANN).addDocDeletes(docRef("users", 9, 0))),
        failed(ItemKinds.DOC_DELETE, 0, false, 0),
        "",
        0);
    requireOk(modify(ANN).addDocDeletes(docRef("users", 2, 1)));
  }

  @Test
  void shouldTakeTheVersionFromALeaseOfTheSetInTheSameModify() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    requireOk(
        modify(ANN)
            .addDocChanges(change("users", 1, 0))
            .addDocChanges(lease("users", "k", 1, 50))
            .addDocDeletes(docRef("users", 2, 0)));
    assertThat(findSet("users", "k").version()).isEqualTo(2);
  }

  @Test
  void shouldTakeTheVersionFromADependOnTheSetInTheSameModify() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    requireOk(
        modify(ANN).addDocChanges(change("users", 1, 0)).addDocDepends(setRef("users", "k", 1)));
    Answer wrong =
        apply(
            modify(ANN)
                .addDocChanges(change("users", 1, 0))
                .addDocDepends(setRef("users", "k", 1)));
    assertThat(wrong.failures)
        .as("only the item that names a version can be wrong")
        .containsExactly(failed(ItemKinds.DOC_DEPEND, 0, false, 2));
    insertDoc("users", 5, "other");
    assertThat(
            apply(
                    modify(ANN)
                        .addDocChanges(change("users", 1, 0))
                        .addDocDepends(setRef("users", "other", 0)))
                .failures)
        .as("another set does not count")
        .containsExactly(failed(ItemKinds.DOC_CHANGE, 0, false, 2));
  }

  @Test
  void shouldTakeTheVersionOfADependOnADocFromAnItemThatNamesItsSet() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    assertThat(apply(modify(ANN).addDocDepends(docRef("users", 2, 0))).failures)
        .as("nothing names the set")
        .containsExactly(failed(ItemKinds.DOC_DEPEND, 0, false, 1));
    requireOk(
        modify(ANN).addDocDepends(setRef("users", "k", 1)).addDocDepends(docRef("users", 2, 0)));
    requireOk(
        modify(ANN).addDocChanges(lease("users", "k", 1, 50)).addDocDepends(docRef("users", 2, 0)));
    assertThat(
            apply(
                    modify(ANN)
                        .addDocDepends(setRef("users", "k", 2))
                        .addDocDepends(docRef("users", 2, 1)))
                .failures)
        .as("a version that is named must be the one of the set")
        .containsExactly(failed(ItemKinds.DOC_DEPEND, 1, false, 2));
  }

  @Test
  void shouldFailToDependOnASetThatIsNotStoredOrHasAnotherVersion() {
    insertTwo();
    requireOk(modify(ANN).addDocDepends(setRef("users", "k", 0)));
    assertThat(findSet("users", "k").version()).as("it writes nothing").isZero();
    requireFailure(
        apply(modify(ANN).addDocDepends(setRef("users", "k", 1))),
        failed(ItemKinds.DOC_DEPEND, 0, false, 0),
        "",
        0);
    requireFailure(
        apply(modify(ANN).addDocDepends(setRef("users", "never", 0))),
        failed(ItemKinds.DOC_DEPEND, 0, false, 0),
        "",
        0);
  }

  @Test
  void shouldNotCheckTheClaimOfWhatAModifyDependsOn() {
    insertTwo();
    apply(claimDocs(BOB, "users", "k").build());
    requireOk(
        modify(ANN).addDocDepends(setRef("users", "k", 1)).addDocDepends(docRef("users", 1, 1)));
    assertThat(findSet("users", "k").claimant()).isEqualTo(BOB.getLow());
  }

  // Claims of others.

  @Test
  void shouldProtectAHeldSetFromOthersUntilTheLeaseEnds() {
    insertTwo();
    apply(claimDocs(BOB, "users", "k").build());
    Answer answer =
        apply(
            modify(ANN)
                .addDocInserts(doc("users", 3, "k").setSecondaryKey("c"))
                .addDocChanges(change("users", 1, 1))
                .addDocChanges(lease("users", "k", 1, 10))
                .addDocDeletes(docRef("users", 2, 1)));
    assertThat(answer.failures)
        .containsExactly(
            failed(ItemKinds.DOC_INSERT, 0, true, 1),
            failed(ItemKinds.DOC_CHANGE, 0, true, 1),
            failed(ItemKinds.DOC_CHANGE, 1, true, 1),
            failed(ItemKinds.DOC_DELETE, 0, true, 1));
    assertThat(answer.existing).containsOnly(new Answer.Existing("k", 0));
    later(LEASE_MS);
    assertThat(findSet("users", "k").claimant()).as("stays visible").isEqualTo(BOB.getLow());
    requireOk(modify(ANN).addDocDeletes(docRef("users", 2, 1)));
  }

  @Test
  void shouldLetTheHolderWrite() {
    insertTwo();
    apply(claimDocs(BOB, "users", "k").build());
    requireOk(modify(BOB).addDocChanges(change("users", 1, 1).setByMs(10)));
    requireOk(modify(BOB).addDocDeletes(docRef("users", 1, 2)));
  }

  @Test
  void shouldReleaseTheSetWithACommitWithoutFutureArrival() {
    insertTwo();
    apply(claimDocs(ODD_ANN, "users", "k").build());
    later(10);
    apply(modify(ODD_ANN).addDocChanges(change("users", 1, 1)));
    DocShot set = findSet("users", "k");
    assertThat(set.claimant()).isZero();
    assertThat(set.claimantText()).isEmpty();
    assertThat(set.arrivalMs()).isEqualTo(nowMs).isEqualTo(set.modifiedMs());
    apply(claimDocs(BOB, "users", "k").build());
    apply(modify(BOB).addDocChanges(change("users", 1, 3).setByMs(-5)));
    assertThat(findSet("users", "k").arrivalMs()).isEqualTo(nowMs);
  }

  @Test
  void shouldHoldTheSetUntilTheLatestArrivalOfAModify() {
    insertTwo();
    Answer answer =
        apply(
            modify(ODD_ANN)
                .addDocInserts(doc("users", 3, "k").setSecondaryKey("c").setByMs(20))
                .addDocChanges(change("users", 1, 0).setArrivalMs(nowMs + 40))
                .addDocChanges(lease("users", "k", 0, 30)));
    assertThat(answer.docs).extracting(DocShot::arrivalMs).containsOnly(nowMs + 40);
    assertThat(answer.docs).extracting(DocShot::claimantText).containsOnly("ann@x");
  }

  @Test
  void shouldHoldExactlyForTheGrantedTime() {
    insertTwo();
    apply(modify(ANN).addDocChanges(lease("users", "k", 0, 1_234)));
    DocShot set = findSet("users", "k");
    assertThat(set.arrivalMs() - set.modifiedMs()).isEqualTo(1_234);
    apply(modify(ANN).addDocChanges(lease("users", "k", 1, Long.MAX_VALUE)));
    assertThat(findSet("users", "k").arrivalMs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void shouldNeverHoldASetByADelete() {
    insertTwo();
    apply(claimDocs(BOB, "users", "k").build());
    apply(modify(BOB).addDocDeletes(docRef("users", 1, 1)));
    assertThat(findSet("users", "k").claimant()).isZero();
  }

  @Test
  void shouldMoveAndReleaseNothingWithAFailedModify() {
    insertTwo();
    apply(claimDocs(BOB, "users", "k").build());
    DocShot before = findSet("users", "k");
    apply(modify(BOB).addDocChanges(change("users", 1, 1)).addDocDeletes(docRef("users", 2, 7)));
    assertThat(findSet("users", "k")).isEqualTo(before);
  }

  // Lease changes.

  @Test
  void shouldRenewTheLeaseOfASetWithOrWithoutDocs() {
    apply(claimDocs(BOB, "users", "k").build());
    later(10);
    Answer answer = apply(modify(BOB).addDocChanges(lease("users", "k", 1, 500)));
    assertThat(answer.docs)
        .containsExactly(
            new DocShot(
                "users", 0, "", 2, BOB.getLow(), "", nowMs + 500, "k", "", "absent", 0, nowMs, 0))
        .containsExactly(findSet("users", "k"));
  }

  @Test
  void shouldFailToLeaseASetThatIsNotStoredOrHasAnotherVersion() {
    requireFailure(
        apply(modify(ANN).addDocChanges(lease("users", "k", 0, 10))),
        failed(ItemKinds.DOC_CHANGE, 0, false, 0),
        "",
        0);
    apply(claimDocs(ANN, "users", "k").build());
    requireFailure(
        apply(modify(ANN).addDocChanges(lease("users", "k", 0, 10))),
        failed(ItemKinds.DOC_CHANGE, 0, false, 1),
        "",
        0);
    assertThat(findSet("users", "k").version()).isEqualTo(1);
  }

  // Collisions.

  @Test
  void shouldFindThePlaceOfADocTakenThatTheSameModifyDeletes() {
    insertTwo();
    assertThat(
            apply(
                    modify(ANN)
                        .addDocDeletes(docRef("users", 1, 0))
                        .addDocInserts(doc("users", 3, "k").setSecondaryKey("a")))
                .failures)
        .containsExactly(failed(ItemKinds.DOC_INSERT, 0, false, 0));
    assertThat(findDoc("users", 1)).isNotNull();
  }

  @Test
  void shouldNameTheOccupantOfATakenPlace() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    requireFailure(
        apply(modify(ANN).addDocInserts(doc("users", 9, "k").setSecondaryKey("b"))),
        failed(ItemKinds.DOC_INSERT, 0, false, 1),
        "",
        2);
    insertDoc("users", 5, "e");
    requireFailure(
        apply(modify(ANN).addDocInserts(doc("users", 9, "e"))),
        failed(ItemKinds.DOC_INSERT, 0, false, 0),
        "",
        5);
    requireOk(modify(ANN).addDocInserts(doc("users", 9, "e").setSecondaryKey("x")));
  }

  @Test
  void shouldFailWithVersionZeroWhenTheIdIsTakenInTheSameNamespaceOnly() {
    insertTwo();
    apply(modify(ANN).addDocChanges(change("users", 1, 0)));
    Answer answer =
        apply(
            modify(ANN).addDocInserts(doc("carts", 1, "k")).addDocInserts(doc("users", 1, "new")));
    requireFailure(answer, failed(ItemKinds.DOC_INSERT, 1, false, 0), "", 0);
    assertThat(findDoc("carts", 1)).as("nothing of it happens").isNull();
    assertThat(findSet("carts", "k")).isNull();
  }

  // Duplicates.

  private void requireDuplicate(Modify.Builder modify, int kind, int index) {
    Answer answer = apply(modify);
    assertThat(answer.code).isEqualTo(ResultCodes.DUPLICATE_ITEM);
    assertThat(answer.item).isEqualTo(new Answer.Item(kind, index));
  }

  @Test
  void shouldRefuseOneIdTwiceInANamespace() {
    insertTwo();
    requireDuplicate(
        modify(ANN)
            .addDocInserts(doc("users", 3, "k"))
            .addDocInserts(doc("carts", 3, "k"))
            .addDocInserts(doc("users", 3, "l")),
        ItemKinds.DOC_INSERT,
        2);
    requireDuplicate(
        modify(ANN).addDocInserts(doc("users", 1, "x")).addDocDeletes(docRef("users", 1, 0)),
        ItemKinds.DOC_DELETE,
        0);
    requireDuplicate(
        modify(ANN).addDocChanges(change("users", 1, 0)).addDocDepends(docRef("users", 1, 0)),
        ItemKinds.DOC_DEPEND,
        0);
  }

  @Test
  void shouldRefuseTwoInsertsAtOnePlace() {
    requireDuplicate(
        modify(ANN)
            .addDocInserts(doc("users", 1, "k").setSecondaryKey("s"))
            .addDocInserts(doc("users", 2, "ks"))
            .addDocInserts(doc("carts", 3, "k").setSecondaryKey("s"))
            .addDocInserts(doc("users", 4, "k").setSecondaryKey("s")),
        ItemKinds.DOC_INSERT,
        3);
  }

  @Test
  void shouldRefuseToLeaseASetTwice() {
    requireDuplicate(
        modify(ANN)
            .addDocChanges(lease("users", "k", 0, 1))
            .addDocChanges(lease("carts", "k", 0, 1))
            .addDocChanges(lease("users", "k", 0, 1)),
        ItemKinds.DOC_CHANGE,
        2);
  }

  @Test
  void shouldRefuseAnotherTextWithTheSameKey() {
    Id odd = Id.newBuilder().setHigh(7).setLow(8).setText("odd").build();
    apply(modify(ANN).addDocInserts(doc("users", 1, "k").setId(odd)));
    Id other = odd.toBuilder().setText("other").build();
    Answer answer = apply(modify(ANN).addDocInserts(doc("users", 1, "l").setId(other)));
    assertThat(answer.code).isEqualTo(ResultCodes.KEY_COLLISION);
    assertThat(answer.item).isEqualTo(new Answer.Item(ItemKinds.DOC_INSERT, 0));
  }

  // All together.

  @Test
  void shouldReportEveryClassOfFailuresOfTasksAndDocsTogether() {
    insertTwo();
    insertDoc("users", 3, "held");
    apply(claimDocs(BOB, "users", "held").build());
    Answer answer =
        apply(
            modify(ANN)
                .addInserts(insert("q", 9, nowMs))
                .addDeletes(ref(8, 0))
                .addDocInserts(doc("users", 7, "k").setSecondaryKey("a"))
                .addDocChanges(change("users", 3, 1))
                .addDocChanges(change("users", 2, 7))
                .addDocChanges(lease("users", "k", 5, 1))
                .addDocDeletes(docRef("users", 4, 1))
                .addDocDeletes(docRef("nowhere", 1, 1))
                .addDocDepends(setRef("users", "k", 4)));
    assertThat(answer.failures)
        .containsExactly(
            failed(ItemKinds.DELETE, 0, false, -1),
            failed(ItemKinds.DOC_INSERT, 0, false, 0),
            failed(ItemKinds.DOC_CHANGE, 0, true, 1),
            failed(ItemKinds.DOC_CHANGE, 1, false, 0),
            failed(ItemKinds.DOC_CHANGE, 2, false, 0),
            failed(ItemKinds.DOC_DELETE, 0, false, 0),
            failed(ItemKinds.DOC_DELETE, 1, false, 0),
            failed(ItemKinds.DOC_DEPEND, 0, false, 0));
    assertThat(find(9)).isNull();
  }

  // Sets without docs.

  @Test
  void shouldKeepTheVersionOfASetThatHasLostItsLastDoc() {
    insertDoc("users", 1, "k");
    apply(modify(ANN).addDocDeletes(docRef("users", 1, 0)));
    assertThat(findSet("users", "k").version()).isEqualTo(1);
    assertThat(findSet("users", "k").docs()).isZero();
    assertThat(insertDoc("users", 2, "k").docs).extracting(DocShot::version).containsExactly(2);
    assertThat(machine.docSetCount()).isEqualTo(1);
  }

  @Test
  void shouldForgetTheLeastRecentlyWrittenUnusedSetThatNobodyHolds() {
    DocTable table = new DocTable(machine.stores, 3);
    insertDoc("users", 1, "with a doc");
    apply(claimDocs(BOB, "users", "held").setLeaseMs(1_000).build());
    for (String key : List.of("a", "b", "c")) {
      apply(claimDocs(ODD_ANN, "users", key).setLeaseMs(1).build());
    }
    later(1);
    apply(claimDocs(BOB, "users", "a").setLeaseMs(1).build());
    later(1);
    table.forgetUnused(1, nowMs);
    assertThat(findSet("users", "b")).as("a was written since, held is held").isNull();
    assertThat(machine.docSetCount()).isEqualTo(4);
    table.forgetUnused(10, nowMs);
    assertThat(machine.docSetCount()).as("not more than necessary").isEqualTo(4);
    later(1_000);
    apply(claimDocs(BOB, "users", "d").setLeaseMs(1).build());
    later(1);
    table.forgetUnused(1, nowMs);
    assertThat(findSet("users", "c")).as("held was considered after it").isNull();
    assertThat(findSet("users", "held")).isNotNull();
    assertThat(apply(claimDocs(BOB, "users", "b").build()).sets)
        .extracting(DocShot::version)
        .as("it begins again")
        .containsExactly(1);
  }

  @Test
  void shouldForgetUnusedSetsBeyondTheLimit() {
    Modify.Builder inserts = modify(ANN);
    int surplus = 100;
    for (int id = 1; id <= DocTable.UNUSED_SETS_MAX + surplus; id++) {
      inserts.addDocInserts(doc("users", id, "k" + id));
    }
    apply(inserts);
    Modify.Builder deletes = modify(ANN);
    for (int id = 1; id <= DocTable.UNUSED_SETS_MAX + surplus; id++) {
      deletes.addDocDeletes(docRef("users", id, 0));
    }
    apply(deletes);
    assertThat(machine.docSetCount()).isEqualTo(DocTable.UNUSED_SETS_MAX);
    assertThat(findSet("users", "k" + surplus)).isNull();
    assertThat(findSet("users", "k" + (surplus + 1))).isNotNull();
  }

  // Versions that are used up.

  @Test
  void shouldRefuseAWriteWhenTheVersionIsUsedUp() {
    insertTwo();
    exhaust("users", "k");
    Answer change = apply(modify(ANN).addDocChanges(change("users", 1, Integer.MAX_VALUE)));
    assertThat(change.code).isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    assertThat(change.item).isEqualTo(new Answer.Item(ItemKinds.DOC_CHANGE, 0));
    assertThat(apply(claimDocs(ANN, "users", "k").build()).code)
        .isEqualTo(ResultCodes.VERSION_EXHAUSTED);
    Answer insert = apply(modify(ANN).addDocInserts(doc("users", 3, "k")));
    assertThat(insert.item).isEqualTo(new Answer.Item(ItemKinds.DOC_INSERT, 0));
    Answer lease = apply(modify(ANN).addDocChanges(lease("users", "k", Integer.MAX_VALUE, 1)));
    assertThat(lease.code).isEqualTo(ResultCodes.VERSION_EXHAUSTED);
  }

  @Test
  void shouldBeginAgainWhenAllDocsOfAUsedUpVersionAreDeleted() {
    insertTwo();
    exhaust("users", "k");
    requireOk(modify(ANN).addDocDeletes(docRef("users", 1, Integer.MAX_VALUE)));
    assertThat(findSet("users", "k").version()).isEqualTo(Integer.MAX_VALUE);
    requireOk(modify(ANN).addDocDeletes(docRef("users", 2, Integer.MAX_VALUE)));
    assertThat(findSet("users", "k").version()).isZero();
    assertThat(insertDoc("users", 1, "k").docs).extracting(DocShot::version).containsExactly(1);
  }

  private void exhaust(String namespace, String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    int owner =
        machine.stores.namespaces.find(
            new UnsafeBuffer(namespace.getBytes(StandardCharsets.UTF_8)), 0, namespace.length());
    int set = machine.stores.docSets.find(owner, new UnsafeBuffer(bytes), 0, bytes.length);
    machine.stores.docSets.version(set, Integer.MAX_VALUE);
    machine.stores.digest.restore(machine.historyDigest(), machine.recomputeContentDigest());
  }

  // Requests that come again.

  private static final long CLIENT = 5;

  @Test
  void shouldGiveTheFirstAnswerWhenAModifyComesAgain() {
    Modify modify =
        modify(ANN)
            .setIdentity(request(CLIENT, 1))
            .addInserts(insert("q", 1, nowMs))
            .addDocInserts(doc("users", 1, "k").setSecondaryKey("s"))
            .addDocInserts(doc("carts", 1, "k"))
            .build();
    Answer first = apply(modify);
    later(10);
    assertThat(apply(modify).docs).isEqualTo(first.docs);
    apply(modify(ANN).addDocChanges(change("users", 1, 0)).addDocDeletes(docRef("carts", 1, 0)));
    Answer again = apply(modify);
    assertThat(again.code).isEqualTo(ResultCodes.OK);
    assertThat(again.inserted).isEqualTo(first.inserted);
    assertThat(again.docs).isEqualTo(first.docs);
  }

  @Test
  void shouldGiveTheFirstFailuresWhenAModifyComesAgain() {
    insertTwo();
    apply(claimDocs(BOB, "users", "held").build());
    Id odd = Id.newBuilder().setHigh(7).setLow(8).setText("odd").build();
    apply(modify(ANN).addDocInserts(doc("users", 1, "l").setId(odd)));
    Modify modify =
        modify(ANN)
            .setIdentity(request(CLIENT, 1))
            .addDocInserts(doc("users", 7, "k").setSecondaryKey("a"))
            .addDocInserts(doc("users", 6, "l"))
            .addDocChanges(lease("users", "held", 1, 1))
            .build();
    Answer first = apply(modify);
    assertThat(first.failures).hasSize(3);
    assertThat(first.existing)
        .containsExactly(
            new Answer.Existing("", 1), new Answer.Existing("", 8), new Answer.Existing("held", 0));
    later(LEASE_MS);
    apply(modify(ANN).addDocDeletes(docRef("users", 1, 0)));
    Answer again = apply(modify);
    assertThat(again.failures).isEqualTo(first.failures);
    assertThat(again.existing).isEqualTo(first.existing);
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

  // Memory.

  @Test
  void shouldFindRoomWhereDocsWereDeleted() {
    String key = "k".repeat(100);
    Modify.Builder inserts = modify(ANN);
    Modify.Builder deletes = modify(ANN);
    for (int id = 1; id <= 2_000; id++) {
      inserts.addDocInserts(doc("users", id, key).setSecondaryKey("" + id));
      deletes.addDocDeletes(docRef("users", id, 0));
    }
    DocData.Builder alike = doc("users", 1, key).setSecondaryKey("1");
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

  @Test
  void shouldNeedNoRecordForAFailureWithoutIdentity() {
    byte[] command = modify(ANN).addDocChanges(lease("users", "k", 0, 1)).build().toByteArray();
    assertThat(
            machine.prepare(RecordType.MODIFY, new UnsafeBuffer(command), 0, command.length, nowMs))
        .isEqualTo(StateMachine.ANSWER);
  }
}
