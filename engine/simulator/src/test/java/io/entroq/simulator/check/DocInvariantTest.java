package io.entroq.simulator.check;

import static io.entroq.simulator.check.Script.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.Durability;
import io.entroq.codec.wire.log.ChangeMode;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.DocSet;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.NamespaceStats;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Request;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each invariant of docs is violated by a lie, as those of tasks are in {@link InvariantTest}. */
class DocInvariantTest {
  private static final String NAMESPACE = "users";
  private static final String SET = "set k in users";
  private static final Id SOMEBODY_ELSE = Script.id(78);

  private Script script;

  @BeforeEach
  void begin() {
    script = new Script(LedgerConfig.of(Durability.DISK, true));
  }

  @AfterEach
  void close() {
    script.close();
  }

  // Correct records and answers.

  private static String name(long low) {
    return Script.name(low) + " in " + NAMESPACE;
  }

  private static DocData data(long low, String key) {
    return DocData.newBuilder()
        .setNamespace(NAMESPACE)
        .setId(Script.id(low))
        .setKey(key)
        .setSecondaryKey("s" + low)
        .setValueKind(ValueKind.VALUE_BYTES)
        .setValue(ByteString.copyFromUtf8("what is known"))
        .build();
  }

  /** A doc of a set that nobody holds. */
  private Doc inserted(long low, String key, int version) {
    DocData data = data(low, key);
    return Doc.newBuilder()
        .setNamespace(NAMESPACE)
        .setId(data.getId())
        .setVersion(version)
        .setArrivalMs(script.nowMs)
        .setKey(key)
        .setSecondaryKey(data.getSecondaryKey())
        .setValueKind(data.getValueKind())
        .setValue(data.getValue())
        .setCreatedMs(script.nowMs)
        .setModifiedMs(script.nowMs)
        .build();
  }

  private static Modify insertion(long low, String key) {
    return Modify.newBuilder().setClaimant(Script.ME).addDocInserts(data(low, key)).build();
  }

  private static Doc reported(Doc doc) {
    return doc.toBuilder().clearValue().clearValueKind().build();
  }

  /** Inserts the first doc of a set. */
  private Doc insert(long low, String key) {
    return insert(low, key, 0);
  }

  /** Inserts a doc into a set, which gets the version. */
  private Doc insert(long low, String key, int version) {
    Doc doc = inserted(low, key, version);
    script.feed(insertion(low, key), script.ok().addDocs(reported(doc)));
    return doc;
  }

  private static ClaimDocs claim(String... keys) {
    ClaimDocs.Builder claim =
        ClaimDocs.newBuilder().setClaimant(Script.ME).setLeaseMs(Script.LEASE_MS);
    for (String key : keys) {
      claim.addSets(DocSet.newBuilder().setNamespace(NAMESPACE).setKey(key));
    }
    return claim.build();
  }

  private static ClaimDocs by(Id claimant, ClaimDocs claim) {
    return claim.toBuilder().setClaimant(claimant).build();
  }

  /** A doc of a set that was just claimed. */
  private Doc claimed(Doc doc) {
    return doc.toBuilder()
        .setVersion(doc.getVersion() + 1)
        .setClaimant(Script.ME)
        .setArrivalMs(script.nowMs + Script.LEASE_MS)
        .build();
  }

  /** The set of a doc, with a number of docs, just written. */
  private Doc set(Doc doc, int docs) {
    return Doc.newBuilder()
        .setNamespace(NAMESPACE)
        .setKey(doc.getKey())
        .setVersion(doc.getVersion())
        .setClaimant(doc.getClaimant())
        .setArrivalMs(doc.getArrivalMs())
        .setModifiedMs(script.nowMs)
        .setDocs(docs)
        .build();
  }

  /** A set without docs that was just claimed. */
  private Doc emptySet(String key, int version) {
    return set(
        Doc.newBuilder()
            .setKey(key)
            .setVersion(version)
            .setClaimant(Script.ME)
            .setArrivalMs(script.nowMs + Script.LEASE_MS)
            .build(),
        0);
  }

  /** Claims the set of the only doc of a key. */
  private Doc take(Doc doc) {
    Doc claimed = claimed(doc);
    script.feed(claim(doc.getKey()), answer(claimed));
    return claimed;
  }

  /** The answer to a claim of a set that consists of a doc. */
  private Result.Builder answer(Doc claimed) {
    return script.ok().addDocs(claimed).addSets(set(claimed, 1));
  }

  private static DocRef ref(Doc doc) {
    return DocRef.newBuilder()
        .setNamespace(doc.getNamespace())
        .setId(doc.getId())
        .setVersion(doc.getVersion())
        .build();
  }

  private static DocRef setRef(String key, int version) {
    return DocRef.newBuilder().setNamespace(NAMESPACE).setKey(key).setVersion(version).build();
  }

  private static Modify deletion(Doc doc, Id claimant) {
    return Modify.newBuilder().setClaimant(claimant).addDocDeletes(ref(doc)).build();
  }

  private static Modify depend(DocRef ref) {
    return Modify.newBuilder().setClaimant(Script.ME).addDocDepends(ref).build();
  }

  private static DocData.Builder change(Doc doc) {
    return data(doc.getId().getLow(), "").toBuilder()
        .clearSecondaryKey()
        .setVersion(doc.getVersion());
  }

  private static Modify changes(DocData.Builder... changes) {
    Modify.Builder modify = Modify.newBuilder().setClaimant(Script.ME);
    for (DocData.Builder change : changes) {
      modify.addDocChanges(change);
    }
    return modify.build();
  }

  private static DocData.Builder lease(String key, int version, long byMs) {
    return DocData.newBuilder()
        .setNamespace(NAMESPACE)
        .setKey(key)
        .setVersion(version)
        .setByMs(byMs)
        .setMode(ChangeMode.CHANGE_LEASE);
  }

  private Result.Builder refused(Failure.Builder... failures) {
    Result.Builder refused = script.answer(ResultCode.RESULT_DEPENDENCY);
    for (Failure.Builder failure : failures) {
      refused.addFailures(failure);
    }
    return refused;
  }

  private static Failure.Builder failure(ItemKind kind, int index, int version) {
    return Failure.newBuilder().setItemKind(kind).setIndex(index).setExistingVersion(version);
  }

  private static Failure.Builder heldByAnother(ItemKind kind, int index, int version, String key) {
    return failure(kind, index, version).setClaimed(true).setExistingName(key);
  }

  // Claims and leases.

  @Test
  void shouldNoticeAClaimOfASetThatSomebodyElseHolds() {
    Doc doc = take(insert(5, "k"));
    Doc twice = claimed(doc).toBuilder().setClaimant(SOMEBODY_ELSE).build();
    assertBroken(
        Invariant.ONE_HOLDER, SET, () -> script.feed(by(SOMEBODY_ELSE, claim("k")), answer(twice)));
  }

  @Test
  void shouldNoticeAWriteToASetThatSomebodyElseHolds() {
    Doc doc = take(insert(5, "k"));
    assertBroken(
        Invariant.ONE_HOLDER,
        name(5),
        () -> script.feed(deletion(doc, SOMEBODY_ELSE), script.ok()));
  }

  @Test
  void shouldNoticeAnInsertIntoASetThatSomebodyElseHolds() {
    take(insert(5, "k"));
    Modify insertion = insertion(6, "k").toBuilder().setClaimant(SOMEBODY_ELSE).build();
    Result.Builder lie = script.ok().addDocs(reported(inserted(6, "k", 2)));
    assertBroken(Invariant.ONE_HOLDER, name(6), () -> script.feed(insertion, lie));
  }

  @Test
  void shouldLetAnybodyWriteToASetWhoseLeaseIsOver() {
    Doc doc = take(insert(5, "k"));
    script.nowMs += Script.LEASE_MS;
    script.feed(deletion(doc, SOMEBODY_ELSE), script.ok());
    assertThat(script.ledger.docCount()).isZero();
  }

  @Test
  void shouldNoticeAClaimThatShowsSomeOfTheDocsOfASet() {
    insert(5, "k");
    Doc doc = insert(6, "k", 1);
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_SETS,
        SET,
        () -> script.feed(claim("k"), script.ok().addDocs(claimed(doc)).addSets(set(doc, 2))));
  }

  @Test
  void shouldNoticeAClaimThatTakesOnlyOneOfTwoSets() {
    Doc first = insert(5, "k");
    insert(6, "l");
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_SETS,
        SET,
        () -> script.feed(claim("k", "l"), answer(claimed(first))));
  }

  @Test
  void shouldNoticeAClaimOfSeveralSetsOfWhichSomebodyElseHoldsOne() {
    take(insert(5, "k"));
    Doc free = insert(6, "l");
    assertBroken(
        Invariant.ONE_HOLDER,
        SET,
        () -> script.feed(by(SOMEBODY_ELSE, claim("l", "k")), answer(claimed(free))));
  }

  @Test
  void shouldNoticeAClaimThatFindsNothing() {
    insert(5, "k");
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_SETS,
        SET,
        () -> script.feed(claim("k"), script.answer(ResultCode.RESULT_EMPTY)));
  }

  @Test
  void shouldClaimASetThatWasNeverWritten() {
    script.feed(claim("k"), script.ok().addSets(emptySet("k", 1)));
    Result.Builder lie = script.ok().addSets(emptySet("k", 1));
    assertBroken(Invariant.SET_VERSIONS_BY_ONE, SET, () -> script.feed(claim("k"), lie));
  }

  @Test
  void shouldNoticeAHeldSetThatIsNotNamed() {
    take(insert(5, "k"));
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_SETS,
        SET,
        () -> script.feed(by(SOMEBODY_ELSE, claim("k")), refused()));
  }

  @Test
  void shouldHoldASetExactlyAsLongAsTheTask() {
    Task task = script.insert("q", 9, script.nowMs + 7);
    ClaimDocs claim = claim("k").toBuilder().clearLeaseMs().setTask(Script.ref(task)).build();
    Doc longer = emptySet("k", 1);
    assertBroken(
        Invariant.DOCS_AS_THEY_STAND, SET, () -> script.feed(claim, script.ok().addSets(longer)));
  }

  @Test
  void shouldHoldNoSetWhenTheTaskHasChanged() {
    Task task = script.insert("q", 9, script.nowMs + 7);
    Task other = task.toBuilder().setVersion(1).build();
    ClaimDocs claim = claim("k").toBuilder().clearLeaseMs().setTask(Script.ref(other)).build();
    script.feed(claim, refused(failure(ItemKind.ITEM_TASK, 0, 0)));
    assertBroken(
        Invariant.ONE_HOLDER,
        "@4",
        () -> script.feed(claim, script.ok().addSets(emptySet("k", 1))));
  }

  // Modifies.

  @Test
  void shouldNoticeASetThatMovesTwiceInOneModify() {
    Doc first = insert(5, "k");
    Doc second = insert(6, "k", 1);
    Doc atOne = first.toBuilder().setVersion(1).build();
    Result.Builder lie =
        script.ok().addDocs(reported(inserted(5, "k", 3))).addDocs(reported(inserted(6, "k", 3)));
    assertBroken(
        Invariant.SET_VERSIONS_BY_ONE,
        name(5),
        () -> script.feed(changes(change(atOne), change(second)), lie));
  }

  @Test
  void shouldNoticeASetThatACommitDoesNotRelease() {
    Doc held = take(insert(5, "k"));
    Result.Builder lie = script.ok().addDocs(reported(claimed(held)));
    assertBroken(
        Invariant.DOCS_AS_THEY_STAND, name(5), () -> script.feed(changes(change(held)), lie));
  }

  @Test
  void shouldHoldASetUntilTheLatestOfSeveralArrivals() {
    Doc first = insert(5, "k");
    Doc second = insert(6, "k", 1);
    Doc atOne = first.toBuilder().setVersion(1).build();
    Doc shown = inserted(5, "k", 2).toBuilder().setClaimant(Script.ME).build();
    Doc lie = shown.toBuilder().setArrivalMs(script.nowMs + 3).build();
    assertBroken(
        Invariant.DOCS_AS_THEY_STAND,
        name(5),
        () ->
            script.feed(
                changes(change(atOne).setByMs(9), change(second).setByMs(3)),
                script
                    .ok()
                    .addDocs(reported(lie))
                    .addDocs(reported(lie).toBuilder().setId(Script.id(6)))));
  }

  @Test
  void shouldNoticeALeaseOfASetAtAnotherVersion() {
    Doc held = take(insert(5, "k"));
    assertBroken(
        Invariant.DEPENDENCIES_EXACT,
        SET,
        () -> script.feed(changes(lease("k", 0, 50)), script.ok().addDocs(set(claimed(held), 1))));
  }

  @Test
  void shouldNoticeALeaseThatIsNotAsLongAsGranted() {
    Doc held = take(insert(5, "k"));
    Doc longer = set(claimed(held), 1).toBuilder().setArrivalMs(script.nowMs + 51).build();
    assertBroken(
        Invariant.DOCS_AS_THEY_STAND,
        SET,
        () -> script.feed(changes(lease("k", 1, 50)), script.ok().addDocs(longer)));
  }

  @Test
  void shouldNoticeADependOnASetThatIsNotStored() {
    assertBroken(
        Invariant.DEPENDENCIES_EXACT, SET, () -> script.feed(depend(setRef("k", 0)), script.ok()));
  }

  @Test
  void shouldLetADocTakeItsVersionFromItsSet() {
    take(insert(5, "k"));
    Doc doc = inserted(5, "k", 0);
    Modify modify = changes(change(doc)).toBuilder().addDocDepends(setRef("k", 1)).build();
    Doc written = inserted(5, "k", 2);
    script.feed(modify, script.ok().addDocs(reported(written)));
  }

  @Test
  void shouldNoticeAPlaceThatIsTakenTwice() {
    insert(5, "k");
    Modify insertion =
        Modify.newBuilder()
            .setClaimant(Script.ME)
            .addDocInserts(data(6, "k").toBuilder().setSecondaryKey("s5"))
            .build();
    Doc second = inserted(6, "k", 1).toBuilder().setSecondaryKey("s5").build();
    assertBroken(
        Invariant.DEPENDENCIES_EXACT,
        name(6),
        () -> script.feed(insertion, script.ok().addDocs(reported(second))));
  }

  @Test
  void shouldExpectTheNameOfWhatIsInTheWay() {
    insert(5, "k");
    Modify insertion =
        Modify.newBuilder()
            .setClaimant(Script.ME)
            .addDocInserts(data(6, "k").toBuilder().setSecondaryKey("s5"))
            .build();
    assertBroken(
        Invariant.DEPENDENCIES_EXACT,
        "@3",
        () -> script.feed(insertion, refused(failure(ItemKind.ITEM_DOC_INSERT, 0, 0))));
  }

  @Test
  void shouldNoticeAFailureThatIsLeftOut() {
    Doc doc = take(insert(5, "k"));
    Modify modify =
        deletion(doc, SOMEBODY_ELSE).toBuilder().addDocDepends(setRef("none", 0)).build();
    assertBroken(
        Invariant.DEPENDENCIES_EXACT,
        "@4",
        () -> script.feed(modify, refused(heldByAnother(ItemKind.ITEM_DOC_DELETE, 0, 1, "k"))));
  }

  // Reports.

  @Test
  void shouldNoticeAVersionThatIsLeftOut() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setVersion(3).build();
    assertBroken(
        Invariant.SET_VERSIONS_BY_ONE, name(5), () -> script.feed(claim("k"), answer(lie)));
  }

  @Test
  void shouldNoticeAnotherContent() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setValue(ByteString.copyFromUtf8("what is knows")).build();
    assertBroken(Invariant.DOCS_AS_WRITTEN, name(5), () -> script.feed(claim("k"), answer(lie)));
  }

  @Test
  void shouldNoticeAKeyThatAChangeReplaces() {
    Doc doc = insert(5, "k");
    Doc lie = reported(inserted(5, "k", 1)).toBuilder().setSecondaryKey("other").build();
    DocData.Builder change = change(doc).setSecondaryKey("other");
    assertBroken(
        Invariant.DOCS_AS_WRITTEN,
        name(5),
        () -> script.feed(changes(change), script.ok().addDocs(lie)));
  }

  @Test
  void shouldNoticeAnotherHolder() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setClaimant(SOMEBODY_ELSE).build();
    assertBroken(Invariant.DOCS_AS_THEY_STAND, name(5), () -> script.feed(claim("k"), answer(lie)));
  }

  @Test
  void shouldNoticeAWrittenDocThatIsNotTold() {
    assertBroken(Invariant.ALL_OR_NONE, "@2", () -> script.feed(insertion(5, "k"), script.ok()));
  }

  @Test
  void shouldNoticeADocThatAModifyDependsOnInVain() {
    Doc doc = insert(5, "k");
    DocRef former = ref(doc.toBuilder().setVersion(7).build());
    assertBroken(
        Invariant.DEPENDENCIES_EXACT, name(5), () -> script.feed(depend(former), script.ok()));
  }

  @Test
  void shouldNoticeARefusalWithoutReason() {
    Doc doc = insert(5, "k");
    assertBroken(
        Invariant.DEPENDENCIES_EXACT,
        "@3",
        () ->
            script.feed(
                deletion(doc, Script.ME), refused(failure(ItemKind.ITEM_DOC_DELETE, 0, 0))));
  }

  // The second time.

  @Test
  void shouldNoticeARetryThatTellsAnotherVersion() {
    Modify insertion = insertion(5, "k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = inserted(5, "k", 0);
    script.feed(insertion, script.ok().addDocs(reported(doc)));
    Doc later = take(doc);
    assertBroken(
        Invariant.FIRST_ANSWER,
        Tasks.name(9, 9) + "/1",
        () -> script.feed(insertion, script.ok().addDocs(reported(later))));
  }

  @Test
  void shouldNoticeARetryThatTellsALostSetAgain() {
    ClaimDocs claim = claim("k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = claimed(insert(5, "k"));
    script.feed(claim, answer(doc));
    script.feed(deletion(doc, Script.ME), script.ok());
    assertBroken(
        Invariant.FIRST_ANSWER, Tasks.name(9, 9) + "/1", () -> script.feed(claim, answer(doc)));
  }

  @Test
  void shouldTellThatAClaimIsLost() {
    ClaimDocs claim = claim("k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = claimed(insert(5, "k"));
    script.feed(claim, answer(doc));
    script.feed(deletion(doc, Script.ME), script.ok());
    script.feed(claim, script.answer(ResultCode.RESULT_CLAIM_LOST));
    assertThat(script.ledger.docCount()).isZero();
  }

  // Listings.

  private static ReadWatcher listing(Script script, ListDocs query) {
    UnsafeBuffer bytes = new UnsafeBuffer(query.toByteArray());
    return script.ledger.onRead(new Request(0, Request.LIST_DOCS, bytes, null));
  }

  private ReadWatcher listing(String keyEnd) {
    ListDocs query = ListDocs.newBuilder().setNamespace(NAMESPACE).setKeyEnd(keyEnd).build();
    return listing(script, query);
  }

  private void show(ReadWatcher listing, Doc... docs) {
    Result.Builder page = Result.newBuilder().setCode(ResultCode.RESULT_OK);
    for (Doc doc : docs) {
      page.addDocs(doc);
    }
    listing.onSlice(Script.decoded(page.build()));
  }

  private void list(ReadWatcher listing, Doc... docs) {
    show(listing, docs);
    listing.onEnd();
  }

  @Test
  void shouldMissADocThatIsNotListed() {
    apply(insertion(5, "k"));
    insert(5, "k");
    insert(6, "k", 1);
    assertBroken(Invariant.NAMESPACES_COUNT, "docs", () -> script.ledger.full(script.machine, 0));
    Doc only = inserted(5, "k", 1);
    assertBroken(Invariant.DOCS_STAY, name(6), () -> list(listing(""), only));
  }

  private void apply(Message command) {
    script.apply(script.machine, command);
  }

  @Test
  void shouldNoticeADocThatIsListedAndGone() {
    Doc doc = insert(5, "k");
    script.feed(deletion(doc, Script.ME), script.ok());
    assertBroken(Invariant.DOCS_STAY, name(5), () -> list(listing(""), doc));
  }

  @Test
  void shouldNoticeDocsOutOfOrder() {
    Doc first = insert(5, "a");
    Doc second = insert(6, "b");
    list(listing(""), first, second);
    assertBroken(Invariant.DOCS_IN_ORDER, name(5), () -> list(listing(""), second, first));
    assertBroken(Invariant.DOCS_IN_ORDER, name(5), () -> list(listing(""), first, first, second));
  }

  @Test
  void shouldNoticeADocAtTheEndOfARangeOrBehindALimit() {
    Doc first = insert(5, "a");
    Doc second = insert(6, "b");
    list(listing("b"), first);
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(6), () -> list(listing("b"), first, second));
    ListDocs one = ListDocs.newBuilder().setNamespace(NAMESPACE).setLimit(1).build();
    list(listing(script, one), first);
    assertBroken(
        Invariant.DOCS_LISTED_ONCE, name(6), () -> list(listing(script, one), first, second));
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(5), () -> list(listing(script, one), second));
  }

  @Test
  void shouldNoticeADocThatIsNotFoundByItsId() {
    Doc first = insert(5, "a");
    Doc second = insert(6, "b");
    ListDocs query =
        ListDocs.newBuilder()
            .setNamespace(NAMESPACE)
            .addIds(second.getId())
            .addIds(Script.id(7))
            .addIds(first.getId())
            .build();
    list(listing(script, query), second, first);
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(6), () -> list(listing(script, query), first));
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(5), () -> list(listing(script, query), second));
    assertBroken(
        Invariant.DOCS_IN_ORDER,
        name(6),
        () -> list(listing(script, query), second, first, second));
  }

  @Test
  void shouldExpectOfAListingThatTakesItsTimeWhatStaysAndNothingElse() {
    Doc stays = insert(5, "b");
    Doc goes = insert(6, "c");
    ReadWatcher listing = listing("x");
    Doc comes = insert(7, "d");
    script.feed(deletion(goes, Script.ME), script.ok());
    list(listing, stays);

    ReadWatcher another = listing("x");
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(7), () -> list(another, stays));
    assertThat(comes.getVersion()).isZero();
  }

  @Test
  void shouldNoticeADocThatCameAfterTheListingHadBegun() {
    Doc stays = insert(5, "b");
    ReadWatcher listing = listing("x");
    Doc comes = insert(6, "c");
    assertBroken(Invariant.DOCS_LISTED_ONCE, name(6), () -> list(listing, stays, comes));
  }

  @Test
  void shouldNoticeNamespacesThatAreMiscounted() {
    Doc doc = take(insert(5, "k"));
    NamespaceStats.Builder stats =
        NamespaceStats.newBuilder().setName(NAMESPACE).setDocs(1).setClaimed(1);
    count(stats);
    assertBroken(Invariant.NAMESPACES_COUNT, NAMESPACE, () -> count(stats.clone().setClaimed(0)));
    assertBroken(Invariant.NAMESPACES_COUNT, "the namespaces", () -> count());
    script.feed(deletion(doc, Script.ME), script.ok());
    assertBroken(Invariant.NAMESPACES_COUNT, NAMESPACE, () -> count(stats.clone().setClaimed(0)));
  }

  private void count(NamespaceStats.Builder... all) {
    UnsafeBuffer query = new UnsafeBuffer(ListNamespaces.getDefaultInstance().toByteArray());
    ReadWatcher listing =
        script.ledger.onRead(new Request(0, Request.LIST_NAMESPACES, query, null));
    Result.Builder page = Result.newBuilder().setCode(ResultCode.RESULT_OK);
    page.setLogTimeMs(script.nowMs);
    for (NamespaceStats.Builder each : all) {
      page.addNamespaces(each);
    }
    listing.onSlice(Script.decoded(page.build()));
    listing.onEnd();
  }
}
