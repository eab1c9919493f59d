package io.entroq.simulator.check;

import static io.entroq.simulator.check.Script.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import io.entroq.api.Durability;
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
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.simulator.call.ReadWatcher;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each invariant of docs is violated by a lie, as those of tasks are in {@link InvariantTest}. */
@Timeout(30)
class DocInvariantTest {
  private static final String NAMESPACE = "users";
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

  private Doc inserted(long low, String key) {
    DocData data = data(low, key);
    return Doc.newBuilder()
        .setNamespace(NAMESPACE)
        .setId(data.getId())
        .setVersion(1)
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

  private static Doc reportedDocs(Doc doc) {
    return doc.toBuilder().clearValue().clearValueKind().build();
  }

  private Doc insert(long low, String key) {
    Doc doc = inserted(low, key);
    script.feed(insertion(low, key), script.ok().addDocs(reportedDocs(doc)));
    return doc;
  }

  private static ClaimDocs claim(String key) {
    return ClaimDocs.newBuilder()
        .setClaimant(Script.ME)
        .addSets(DocSet.newBuilder().setNamespace(NAMESPACE).setKey(key))
        .setLeaseMs(Script.LEASE_MS)
        .build();
  }

  private Doc claimed(Doc doc) {
    return doc.toBuilder()
        .setVersion(doc.getVersion() + 1)
        .setClaimant(Script.ME)
        .setArrivalMs(script.nowMs + Script.LEASE_MS)
        .setModifiedMs(script.nowMs)
        .build();
  }

  private Doc take(Doc doc) {
    Doc claimed = claimed(doc);
    script.feed(claim(doc.getKey()), script.ok().addDocs(claimed));
    return claimed;
  }

  private static DocRef ref(Doc doc) {
    return DocRef.newBuilder()
        .setNamespace(doc.getNamespace())
        .setId(doc.getId())
        .setVersion(doc.getVersion())
        .build();
  }

  private static Modify deletion(Doc doc, Id claimant) {
    return Modify.newBuilder().setClaimant(claimant).addDocDeletes(ref(doc)).build();
  }

  // Claims and leases.

  @Test
  void shouldNoticeAClaimOfADocThatSomebodyElseHolds() {
    Doc doc = take(insert(5, "k"));
    ClaimDocs claim = claim("k").toBuilder().setClaimant(SOMEBODY_ELSE).build();
    Doc twice = claimed(doc).toBuilder().setClaimant(SOMEBODY_ELSE).build();
    assertBroken(
        Invariant.ONE_HOLDER, name(5), () -> script.feed(claim, script.ok().addDocs(twice)));
  }

  @Test
  void shouldNoticeAChangeOfADocThatSomebodyElseHolds() {
    Doc doc = take(insert(5, "k"));
    assertBroken(
        Invariant.ONE_HOLDER,
        name(5),
        () -> script.feed(deletion(doc, SOMEBODY_ELSE), script.ok()));
  }

  @Test
  void shouldLetAnybodyWriteADocWhoseLeaseIsOver() {
    Doc doc = take(insert(5, "k"));
    script.nowMs += Script.LEASE_MS;
    script.feed(deletion(doc, SOMEBODY_ELSE), script.ok());
    assertThat(script.ledger.docCount()).isZero();
  }

  @Test
  void shouldNoticeAClaimThatTakesSomeOfTheDocsOfAKey() {
    Doc doc = insert(5, "k");
    insert(6, "k");
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_KEYS,
        name(5),
        () -> script.feed(claim("k"), script.ok().addDocs(claimed(doc))));
  }

  @Test
  void shouldNoticeAClaimThatFindsNothingWhereSomethingIs() {
    insert(5, "k");
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_KEYS,
        name(5),
        () -> script.feed(claim("k"), script.answer(ResultCode.RESULT_EMPTY)));
  }

  @Test
  void shouldNoticeAHeldDocThatIsNotNamed() {
    Doc doc = take(insert(5, "k"));
    ClaimDocs claim = claim("k").toBuilder().setClaimant(SOMEBODY_ELSE).build();
    assertBroken(
        Invariant.CLAIMS_TAKE_WHOLE_KEYS,
        name(5),
        () -> script.feed(claim, script.answer(ResultCode.RESULT_DEPENDENCY)));
    assertThat(doc.getVersion()).isEqualTo(2);
  }

  // Reports.

  @Test
  void shouldNoticeAVersionThatIsLeftOut() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setVersion(3).build();
    assertBroken(
        Invariant.DOC_VERSIONS_BY_ONE,
        name(5),
        () -> script.feed(claim("k"), script.ok().addDocs(lie)));
  }

  @Test
  void shouldNoticeAnotherContent() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setValue(ByteString.copyFromUtf8("what is knows")).build();
    assertBroken(
        Invariant.DOCS_AS_WRITTEN,
        name(5),
        () -> script.feed(claim("k"), script.ok().addDocs(lie)));
  }

  @Test
  void shouldNoticeAKeyThatIsLost() {
    Doc doc = insert(5, "k");
    DocData change =
        DocData.newBuilder().setNamespace(NAMESPACE).setId(doc.getId()).setVersion(1).build();
    Doc lie =
        reportedDocs(doc).toBuilder()
            .setVersion(2)
            .setArrivalMs(script.nowMs)
            .clearSecondaryKey()
            .build();
    Modify modify = Modify.newBuilder().setClaimant(Script.ME).addDocChanges(change).build();
    assertBroken(
        Invariant.DOCS_AS_WRITTEN, name(5), () -> script.feed(modify, script.ok().addDocs(lie)));
  }

  @Test
  void shouldNoticeAnotherHolder() {
    Doc doc = insert(5, "k");
    Doc lie = claimed(doc).toBuilder().setClaimant(SOMEBODY_ELSE).build();
    assertBroken(
        Invariant.DOCS_AS_THEY_STAND,
        name(5),
        () -> script.feed(claim("k"), script.ok().addDocs(lie)));
  }

  @Test
  void shouldNoticeAWrittenDocThatIsNotTold() {
    assertBroken(Invariant.ALL_OR_NONE, "@2", () -> script.feed(insertion(5, "k"), script.ok()));
  }

  @Test
  void shouldNoticeADocThatAModifyDependsOnInVain() {
    Doc doc = insert(5, "k");
    DocRef former = ref(doc.toBuilder().setVersion(7).build());
    Modify modify = Modify.newBuilder().setClaimant(Script.ME).addDocDepends(former).build();
    assertBroken(Invariant.DEPENDENCIES_EXACT, name(5), () -> script.feed(modify, script.ok()));
  }

  @Test
  void shouldNoticeARefusalWithoutReason() {
    Doc doc = insert(5, "k");
    Failure failure = Failure.newBuilder().setItemKind(ItemKind.ITEM_DOC_DELETE).build();
    Result.Builder lie = script.answer(ResultCode.RESULT_DEPENDENCY).addFailures(failure);
    assertBroken(
        Invariant.DEPENDENCIES_EXACT, "@3", () -> script.feed(deletion(doc, Script.ME), lie));
  }

  // The second time.

  @Test
  void shouldNoticeARetryThatTellsAnotherVersion() {
    Modify insertion = insertion(5, "k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = inserted(5, "k");
    script.feed(insertion, script.ok().addDocs(reportedDocs(doc)));
    Doc later = take(doc);
    assertBroken(
        Invariant.FIRST_ANSWER,
        Tasks.name(9, 9) + "/1",
        () -> script.feed(insertion, script.ok().addDocs(reportedDocs(later))));
  }

  @Test
  void shouldNoticeARetryThatTellsALostDocAgain() {
    ClaimDocs claim = claim("k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = claimed(insert(5, "k"));
    script.feed(claim, script.ok().addDocs(doc));
    script.feed(deletion(doc, Script.ME), script.ok());
    assertBroken(
        Invariant.FIRST_ANSWER,
        Tasks.name(9, 9) + "/1",
        () -> script.feed(claim, script.ok().addDocs(doc)));
  }

  @Test
  void shouldTellThatAClaimIsLost() {
    ClaimDocs claim = claim("k").toBuilder().setIdentity(Script.identity(9, 1)).build();
    Doc doc = claimed(insert(5, "k"));
    script.feed(claim, script.ok().addDocs(doc));
    script.feed(deletion(doc, Script.ME), script.ok());
    script.feed(claim, script.answer(ResultCode.RESULT_CLAIM_LOST));
    assertThat(script.ledger.docCount()).isZero();
  }

  // Listings.

  private static ReadWatcher listing(Script script, ListDocs query) {
    UnsafeBuffer bytes = new UnsafeBuffer(query.toByteArray());
    return script.ledger.listDocs(bytes, 0, bytes.capacity());
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
    insert(6, "k");
    assertBroken(Invariant.NAMESPACES_COUNT, "docs", () -> script.ledger.full(script.machine, 0));
    Doc only = inserted(5, "k");
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
    assertThat(comes.getVersion()).isOne();
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
    ReadWatcher listing = script.ledger.listNamespaces(query, 0, query.capacity());
    Result.Builder page = Result.newBuilder().setCode(ResultCode.RESULT_OK);
    page.setLogTimeMs(script.nowMs);
    for (NamespaceStats.Builder each : all) {
      page.addNamespaces(each);
    }
    listing.onSlice(Script.decoded(page.build()));
    listing.onEnd();
  }
}
