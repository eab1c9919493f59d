package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListDocs;
import io.entroq.codec.wire.log.ListNamespaces;
import io.entroq.codec.wire.log.Modify;
import io.entroq.engine.listing.DocCursor;
import io.entroq.engine.listing.NamespaceCursor;
import io.entroq.engine.listing.NamespaceVisitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listings of docs and namespaces, contract 2.8 and 2.9. */
class DocListingTest extends StateTestBase {

  /** Enough for a few docs. */
  private static final int SLICE = 100;

  @BeforeEach
  void insertSome() {
    apply(
        modify(ANN)
            .addDocInserts(doc("users", 1, "b").setSecondaryKey("2"))
            .addDocInserts(doc("users", 2, "c"))
            .addDocInserts(doc("users", 3, "b").setSecondaryKey("1"))
            .addDocInserts(doc("users", 4, "a"))
            .addDocInserts(doc("users", 5, ""))
            .addDocInserts(doc("carts", 6, "b")));
  }

  private static DocCursor cursor(ListDocs.Builder query) {
    ListDocsDecoder decoder = new ListDocsDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.build().toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    return new DocCursor(decoder);
  }

  private List<Long> list(ListDocs.Builder query) {
    DocCursor cursor = cursor(query);
    List<Long> listed = new ArrayList<>();
    while (slice(cursor, listed)) {
      // Goes on where it stands.
    }
    assertThat(cursor.isDone()).isTrue();
    return listed;
  }

  private boolean slice(DocCursor cursor, List<Long> listed) {
    return machine.listDocs(cursor, SLICE, doc -> listed.add(doc.idLow()));
  }

  private static ListDocs.Builder in(String namespace) {
    return ListDocs.newBuilder().setNamespace(namespace);
  }

  @Test
  void shouldListARangeOfKeysInTheirOrder() {
    assertThat(list(in("users"))).containsExactly(5L, 4L, 3L, 1L, 2L);
    assertThat(list(in("users").setKeyStart("a").setKeyEnd("c"))).containsExactly(4L, 3L, 1L);
    assertThat(list(in("users").setKeyStart("a0"))).containsExactly(3L, 1L, 2L);
    assertThat(list(in("users").setKeyStart("c").setKeyEnd("b"))).isEmpty();
    assertThat(list(in("nowhere"))).isEmpty();
    assertThat(list(in(""))).isEmpty();
  }

  @Test
  void shouldListTheDocsOfOneKey() {
    apply(modify(ANN).addDocInserts(doc("users", 6, "b0")));
    assertThat(list(in("users").setKeyExact("b"))).containsExactly(3L, 1L);
    assertThat(list(in("users").setKeyExact("b").setLimit(1))).containsExactly(3L);
    assertThat(list(in("users").setKeyExact("b").setKeyStart("c").setKeyEnd("d")))
        .as("the range does not apply")
        .containsExactly(3L, 1L);
    assertThat(list(in("users").setKeyExact("b").addIds(task(5)))).containsExactly(5L);
    assertThat(list(in("users").setKeyExact("z"))).isEmpty();
  }

  @Test
  void shouldLimitARangeButNotIds() {
    assertThat(list(in("users").setLimit(2))).containsExactly(5L, 4L);
    assertThat(list(in("users").setLimit(-1))).hasSize(5);
    assertThat(list(in("users").setLimit(1).setKeyStart("c").addIds(task(4)).addIds(task(1))))
        .containsExactly(4L, 1L);
  }

  @Test
  void shouldPassOverIdsThatAreNotThere() {
    Id odd = task(2).toBuilder().setText("odd").build();
    assertThat(list(in("users").addIds(task(6)).addIds(odd).addIds(task(5)))).containsExactly(5L);
  }

  @Test
  void shouldLeaveValuesOutOnRequest() {
    List<Integer> kinds = new ArrayList<>();
    apply(modify(ANN).addDocInserts(doc("carts", 7, "c").setValueKindValue(1)));
    for (boolean omits : new boolean[] {false, true}) {
      DocCursor cursor = cursor(in("carts").setKeyStart("c").setOmitValues(omits));
      machine.listDocs(cursor, SLICE, doc -> kinds.add(doc.valueKind()));
    }
    assertThat(kinds).containsExactly(1, 0);
  }

  @Test
  void shouldShowOnceWhatStaysAndLeaveOutWhatComes() {
    Modify.Builder inserts = modify(ANN);
    for (int id = 100; id < 1_000; id++) {
      inserts.addDocInserts(doc("many", id, "key" + id));
    }
    apply(inserts);
    DocCursor cursor = cursor(in("many"));
    List<Long> listed = new ArrayList<>();
    for (int id = 1_000; slice(cursor, listed); id++) {
      apply(
          modify(ANN)
              .addDocInserts(doc("many", id, "key" + (id - 900)).setSecondaryKey("new"))
              .addDocDeletes(docRef("many", id - 900, 0)));
    }
    assertThat(listed).doesNotHaveDuplicates();
    assertThat(listed).allMatch(id -> id < 1_000);
    assertThat(listed).containsAll(LongStream.range(800, 1_000).boxed().toList());
  }

  @Test
  void shouldEndWhenTheNamespaceGoes() {
    DocCursor cursor = cursor(in("carts"));
    apply(modify(ANN).addDocDeletes(docRef("carts", 6, 0)));
    assertThat(slice(cursor, new ArrayList<>())).isFalse();
    assertThat(cursor.isDone()).isTrue();
  }

  @Test
  void shouldStopInFrontOfADocThatIsNotTaken() {
    DocCursor cursor = cursor(in("users"));
    assertThat(machine.listDocs(cursor, SLICE, doc -> doc.idLow() != 4)).isFalse();
    assertThat(cursor.isDone()).isFalse();
    List<Long> rest = new ArrayList<>();
    while (slice(cursor, rest)) {
      // Goes on where it stands.
    }
    assertThat(rest).containsExactly(4L, 3L, 1L, 2L);
  }

  // Namespaces.

  private Map<String, String> namespaces(ListNamespaces.Builder query, long nowMs) {
    ListNamespacesDecoder decoder = new ListNamespacesDecoder();
    UnsafeBuffer buffer = new UnsafeBuffer(query.build().toByteArray());
    decoder.wrap(buffer, 0, buffer.capacity());
    NamespaceCursor cursor = new NamespaceCursor(decoder);
    Map<String, String> listed = new TreeMap<>();
    NamespaceVisitor sink =
        (name, offset, length, docs, claimed) ->
            listed.put(name.getStringWithoutLengthUtf8(offset, length), docs + "/" + claimed)
                == null;
    while (machine.listNamespaces(cursor, nowMs, 1, sink)) {
      // Goes on where it stands.
    }
    return listed;
  }

  @Test
  void shouldCountDocsAndThoseThatAreHeld() {
    apply(claimDocs(BOB, "users", "b").build());
    apply(claimDocs(NOBODY, "carts", "b").build());
    ListNamespaces.Builder all = ListNamespaces.newBuilder();
    apply(claimDocs(BOB, "users", "without docs").build());
    assertThat(namespaces(all, nowMs)).isEqualTo(Map.of("users", "5/2", "carts", "1/0"));
    assertThat(namespaces(all, nowMs + LEASE_MS)).isEqualTo(Map.of("users", "5/0", "carts", "1/0"));
  }

  @Test
  void shouldFindNamespacesByPrefixOrName() {
    insertSomeMore("users/eu");
    assertThat(namespaces(ListNamespaces.newBuilder().addMatchPrefix("users"), nowMs))
        .containsOnlyKeys("users", "users/eu");
    assertThat(
            namespaces(
                ListNamespaces.newBuilder().addMatchExact("carts").addMatchExact("users/e"), nowMs))
        .containsOnlyKeys("carts");
    assertThat(namespaces(ListNamespaces.newBuilder().setLimit(2), nowMs)).hasSize(2);
    assertThat(namespaces(ListNamespaces.newBuilder().addMatchPrefix(""), nowMs)).hasSize(3);
  }

  private void insertSomeMore(String namespace) {
    apply(modify(ANN).addDocInserts(doc(namespace, 1, "k")));
  }

  @Test
  void shouldListNoNamespaceWithoutDocs() {
    apply(claimDocs(BOB, "only a lock", "k").build());
    assertThat(namespaces(ListNamespaces.newBuilder().addMatchExact("only a lock"), nowMs))
        .isEmpty();
    apply(modify(ANN).addDocDeletes(docRef("carts", 6, 0)));
    assertThat(namespaces(ListNamespaces.newBuilder(), nowMs)).containsOnlyKeys("users");
  }
}
