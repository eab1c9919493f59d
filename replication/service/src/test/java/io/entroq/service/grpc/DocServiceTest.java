package io.entroq.service.grpc;

import static io.entroq.service.grpc.ServedQueue.refusal;
import static io.entroq.service.grpc.ServedQueue.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import com.google.protobuf.Value;
import io.entroq.codec.wire.published.v1.ClaimDocsRequest;
import io.entroq.codec.wire.published.v1.Doc;
import io.entroq.codec.wire.published.v1.DocChange;
import io.entroq.codec.wire.published.v1.DocData;
import io.entroq.codec.wire.published.v1.DocQuery;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.codec.wire.published.v1.ModifyResponse;
import io.entroq.codec.wire.published.v1.NamespaceStat;
import io.entroq.codec.wire.published.v1.NamespacesRequest;
import io.entroq.codec.wire.published.v1.QueuesRequest;
import io.grpc.Status;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Docs of the v1 API over the wire, contract 2.8 and 2.9. */
class DocServiceTest {
  private static final ByteString CLIENT = ByteString.copyFromUtf8("0123456789abcdef");

  private final ServedQueue served = new ServedQueue();
  private final V1 v1 = new V1(served.client);
  private final V1Docs docs = new V1Docs(served.client);

  @AfterEach
  void close() {
    served.close();
  }

  @Test
  void shouldInsertWithTimesOfItsOwn() {
    long before = System.currentTimeMillis();
    Doc doc = docs.insert(V1Docs.data("n", "k", "s").setId("named").setContent(text("x")));
    assertThat(doc)
        .isEqualTo(
            Doc.newBuilder()
                .setNamespace("n")
                .setId("named")
                .setKey("k")
                .setSecondaryKey("s")
                .setContent(text("x"))
                .setAtMs(doc.getAtMs())
                .setCreatedMs(doc.getCreatedMs())
                .setModifiedMs(doc.getModifiedMs())
                .build());
    for (long time : new long[] {doc.getAtMs(), doc.getCreatedMs(), doc.getModifiedMs()}) {
      assertThat(time).isBetween(before - 1_000, System.currentTimeMillis() + 1_000);
    }
    assertThat(docs.doc("n", "named")).isEqualTo(doc);
    assertThat(docs.insert(V1Docs.data("n", "k", "")).getId()).matches("[0-9a-f]{16}");
  }

  @Test
  void shouldTellAbsentFromNull() {
    Value nothing = Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
    Doc absent = docs.insert(V1Docs.data("n", "k", "a"));
    Doc isNull = docs.insert(V1Docs.data("n", "k", "b").setContent(nothing));
    assertThat(docs.doc("n", absent.getId()).hasContent()).isFalse();
    assertThat(docs.doc("n", isNull.getId()).getContent()).isEqualTo(nothing);
    Doc cleared = change(V1Docs.change(isNull)).getChangedDocs(0);
    assertThat(cleared.hasContent()).isFalse();
    assertThat(docs.doc("n", isNull.getId())).isEqualTo(cleared);
  }

  @Test
  void shouldHoldADocAsLongAsAChangeSays() {
    Doc doc = docs.insert(V1Docs.data("n", "k", "s"));
    long until = System.currentTimeMillis() + 60_000;
    DocChange.Builder hold = V1Docs.change(doc);
    hold.getNewDataBuilder().setAtMs(until).setContent(text("mine"));
    Doc held = change(hold).getChangedDocs(0);
    assertThat(held.getClaimant()).isEqualTo("me");
    assertThat(held.getAtMs()).isEqualTo(until);
    assertThat(held.getVersion()).isEqualTo(1);
    assertThat(held.getCreatedMs()).isEqualTo(doc.getCreatedMs());
    assertThat(docs.doc("n", doc.getId())).isEqualTo(held);

    Doc free = change(V1Docs.change(held)).getChangedDocs(0);
    assertThat(free.getClaimant()).isEmpty();
    assertThat(free.getAtMs()).isEqualTo(free.getModifiedMs());
    DocChange.Builder past = V1Docs.change(free);
    past.getNewDataBuilder().setAtMs(System.currentTimeMillis() - 5_000);
    Doc still = change(past).getChangedDocs(0);
    assertThat(still.getAtMs()).isEqualTo(still.getModifiedMs());
  }

  @Test
  void shouldKeepTheKeysOfADocForLife() {
    Doc doc = docs.insert(V1Docs.data("n", "k", "s"));
    DocChange.Builder silent = V1Docs.change(doc);
    silent.getNewDataBuilder().clearKey().clearSecondaryKey().clearNamespace().clearId();
    Doc kept = change(silent).getChangedDocs(0);
    assertThat(List.of(kept.getKey(), kept.getSecondaryKey())).containsExactly("k", "s");
    DocChange.Builder moving = V1Docs.change(kept);
    moving.getNewDataBuilder().setKey("k2").setSecondaryKey("s2");
    Doc moved = change(moving).getChangedDocs(0);
    assertThat(List.of(moved.getKey(), moved.getSecondaryKey())).containsExactly("k", "s");
    assertThat(docs.claim("me", "n", "k")).hasSize(1);
    assertThat(docs.claim("me", "n", "k2")).isEmpty();
  }

  @Test
  void shouldListByKeysWithinBoundsAndById() {
    for (String[] keys : new String[][] {{"b", "2"}, {"a", "1"}, {"c", ""}, {"b", "1"}}) {
      docs.insert(V1Docs.data("n", keys[0], keys[1]).setId(keys[0] + keys[1]).setContent(text("")));
    }
    docs.insert(V1Docs.data("other", "a", "1").setId("elsewhere"));

    assertThat(ids(query())).containsExactly("a1", "b1", "b2", "c");
    assertThat(ids(query().setKeyStart("b"))).containsExactly("b1", "b2", "c");
    assertThat(ids(query().setKeyStart("a").setKeyEnd("c"))).containsExactly("a1", "b1", "b2");
    assertThat(ids(query().setLimit(2))).containsExactly("a1", "b1");
    assertThat(ids(query().setLimit(-1))).hasSize(4);
    assertThat(ids(query().addIds("c").addIds("none").addIds("").addIds("a1").setLimit(1)))
        .containsExactly("c", "a1");
    assertThat(ids(query().addIds(""))).isEmpty();
    assertThat(ids(DocQuery.newBuilder().setNamespace("nowhere"))).isEmpty();
    assertThat(docs.docs(query())).allMatch(Doc::hasContent);
    assertThat(docs.docs(query().setOmitValues(true))).hasSize(4).noneMatch(Doc::hasContent);
    assertThat(ids(query().setKeyExact("b"))).containsExactly("b1", "b2");
    assertThat(ids(query().setKeyExact("b").setLimit(1))).containsExactly("b1");
    assertThat(ids(query().setKeyExact("none"))).isEmpty();
  }

  @Test
  void shouldClaimAllDocsOfAKey() {
    docs.insert(V1Docs.data("n", "k", "2").setContent(text("two")));
    docs.insert(V1Docs.data("n", "k", "1").setContent(text("one")));
    docs.insert(V1Docs.data("n", "k2", "1"));

    List<Doc> claimed = docs.claim("me", "n", "k");
    assertThat(claimed).extracting(Doc::getSecondaryKey).containsExactly("1", "2");
    assertThat(claimed).extracting(Doc::getVersion).containsOnly(2);
    assertThat(claimed).extracting(Doc::getClaimant).containsOnly("me");
    assertThat(claimed).extracting(Doc::getContent).containsExactly(text("one"), text("two"));
    // A claim writes the set, not its docs.
    assertThat(claimed).allMatch(doc -> doc.getModifiedMs() == doc.getCreatedMs());
    assertThat(docs.docs(query().setKeyEnd("k2"))).isEqualTo(claimed);

    assertThat(docs.claim("me", "n", "k")).extracting(Doc::getVersion).containsOnly(3);
    assertThat(docs.claim("me", "n", "none")).isEmpty();
    assertThat(docs.claim("me", "nowhere", "k")).isEmpty();
  }

  @Test
  void shouldCommitTasksAndDocsTogetherOrNeither() {
    Doc doc = docs.insert(V1Docs.data("n", "k", "s"));
    ModifyRequest.Builder both =
        ModifyRequest.newBuilder()
            .setClaimantId("me")
            .addInserts(V1.data("q"))
            .addDocInserts(V1Docs.data("n", "k", "new"))
            .addDocChanges(V1Docs.change(doc))
            .addDocDepends(V1Docs.ref(doc).setId("none"));
    assertThat(refusal(() -> v1.modify(both)).getStatus().getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(v1.queues(QueuesRequest.newBuilder())).isEmpty();
    assertThat(docs.docs(query())).containsExactly(doc);

    ModifyResponse done = v1.modify(both.clearDocDepends());
    assertThat(done.getInsertedCount()).isEqualTo(1);
    assertThat(done.getInsertedDocs(0).getSecondaryKey()).isEqualTo("new");
    // The set moves once, however many of its docs are written.
    assertThat(done.getInsertedDocs(0).getVersion()).isEqualTo(1);
    assertThat(done.getChangedDocs(0).getVersion()).isEqualTo(1);
    v1.modify(
        ModifyRequest.newBuilder()
            .addDocDepends(V1Docs.ref(done.getInsertedDocs(0)))
            .addDocDeletes(V1Docs.ref(done.getChangedDocs(0))));
    assertThat(docs.docs(query()))
        .extracting(Doc::getSecondaryKey, Doc::getVersion)
        .containsExactly(tuple("new", 2));
  }

  @Test
  void shouldCountDocsByNamespace() {
    docs.insert(V1Docs.data("a/1", "k", "s"));
    docs.insert(V1Docs.data("a/1", "k2", "s"));
    docs.insert(V1Docs.data("a/2", "k", "s"));
    Doc alone = docs.insert(V1Docs.data("b", "k", "s"));
    docs.claim("me", "a/1", "k");

    assertThat(docs.namespaces(NamespacesRequest.newBuilder()))
        .containsExactlyInAnyOrder(stat("a/1", 2, 1), stat("a/2", 1, 0), stat("b", 1, 0));
    assertThat(docs.namespaces(NamespacesRequest.newBuilder().addMatchPrefix("a/"))).hasSize(2);
    assertThat(docs.namespaces(NamespacesRequest.newBuilder().addMatchExact("b"))).hasSize(1);
    assertThat(docs.namespaces(NamespacesRequest.newBuilder().setLimit(1))).hasSize(1);
    v1.modify(ModifyRequest.newBuilder().addDocDeletes(V1Docs.ref(alone)));
    assertThat(docs.namespaces(NamespacesRequest.newBuilder().addMatchExact("b"))).isEmpty();
  }

  @Test
  void shouldAnswerWhatComesAgainAsBefore() {
    Doc doc = docs.insert(V1Docs.data("n", "k", "s"));
    ModifyRequest.Builder request =
        ModifyRequest.newBuilder()
            .setClaimantId("me")
            .setClientId(CLIENT)
            .setRequestNumber(1)
            .addInserts(V1.data("q"))
            .addDocInserts(V1Docs.data("n", "k1", "made once").setContent(text("x")))
            .addDocInserts(V1Docs.data("n", "k1", "made once too").setId("with a name"))
            .addDocChanges(V1Docs.change(doc));
    ModifyResponse first = v1.modify(request);
    assertThat(v1.modify(request)).isEqualTo(first);
    assertThat(first.getInsertedDocs(0).getId()).matches("[0-9a-f]{16}");
    assertThat(first.getInsertedDocs(1).getId()).isEqualTo("with a name");
    assertThat(docs.docs(query())).hasSize(3);

    ClaimDocsRequest.Builder claim =
        V1Docs.claim("me", "n", "k1", 30_000).setClientId(CLIENT).setRequestNumber(2);
    List<Doc> claimed = docs.claim(claim);
    assertThat(claimed).hasSize(2);
    assertThat(docs.claim(claim)).isEqualTo(claimed);
    // What has moved on is told by what the request says of it.
    Doc told = v1.modify(request).getInsertedDocs(1);
    assertThat(List.of(told.getId(), told.getKey(), told.getSecondaryKey()))
        .containsExactly("with a name", "k1", "made once too");
    assertThat(told.getVersion()).isZero();

    docs.claim("me", "n", "k1");
    Status lost = refusal(() -> docs.claim(claim)).getStatus();
    assertThat(lost.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(lost.getDescription()).contains("docs", "since been lost");
  }

  @Test
  void shouldClaimNoMoreThanAnAnswerHolds() {
    ModifyRequest.Builder request = ModifyRequest.newBuilder();
    ModifyRequest.Builder more = ModifyRequest.newBuilder().setClaimantId("me");
    for (int i = 0; i < 6; i++) {
      DocData.Builder large = V1Docs.data("n", "k", "s" + i);
      request.addDocInserts(large.setContent(text("x".repeat(1_000_000))));
      more.addDocInserts(large.clone().setSecondaryKey("t" + i));
    }
    v1.modify(request);
    assertThat(docs.claim("me", "n", "k")).hasSize(6);
    v1.modify(more);
    Status refused = refusal(() -> docs.claim("me", "n", "k")).getStatus();
    assertThat(refused.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(refused.getDescription()).contains("bytes", "Nothing was claimed");
    assertThat(docs.docs(query().setOmitValues(true))).extracting(Doc::getVersion).containsOnly(2);
    // Nor does a listing; but a part of one fits.
    assertThat(refusal(() -> docs.docs(query())).getStatus().getCode())
        .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(docs.docs(query().setLimit(9))).hasSize(9);
  }

  private ModifyResponse change(DocChange.Builder change) {
    return v1.modify(ModifyRequest.newBuilder().setClaimantId("me").addDocChanges(change));
  }

  private List<String> ids(DocQuery.Builder query) {
    return docs.docs(query).stream().map(Doc::getId).toList();
  }

  private static DocQuery.Builder query() {
    return DocQuery.newBuilder().setNamespace("n");
  }

  private static NamespaceStat stat(String name, int docs, int claimed) {
    return NamespaceStat.newBuilder().setName(name).setNumDocs(docs).setNumClaimed(claimed).build();
  }
}
