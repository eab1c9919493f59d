package io.entroq.api.fake;

import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocFailures;
import io.entroq.api.DocId;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.DocRef;
import io.entroq.api.EntroQException;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The docs of a {@link FakeEntroQ}, which calls under its lock and says what time it is. */
final class FakeDocs {
  private static final Comparator<String> BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private static final Comparator<Doc> ORDER =
      Comparator.comparing(Doc::key, BYTES).thenComparing(Doc::secondaryKey, BYTES);

  private final Map<DocId, Doc> docs = new LinkedHashMap<>();

  void refuseDuplicates(DocModification modification) {
    Set<DocId> seen = new HashSet<>();
    Stream.of(
            modification.changes().stream().map(DocChange::doc),
            modification.deletes().stream(),
            modification.depends().stream())
        .flatMap(refs -> refs)
        .map(DocRef::id)
        .filter(id -> !seen.add(id))
        .findFirst()
        .ifPresent(FakeDocs::refuseDuplicate);
    seen.clear();
    modification.inserts().stream()
        .flatMap(insert -> id(insert).stream())
        .filter(id -> !seen.add(id))
        .findFirst()
        .ifPresent(FakeDocs::refuseDuplicate);
  }

  private static void refuseDuplicate(DocId id) {
    throw new EntroQException.InvalidArgument("doc " + id + " stands twice in one modification");
  }

  private static Optional<DocId> id(DocInsert insert) {
    return insert.id().map(id -> new DocId(insert.namespace(), id));
  }

  DocFailures check(DocModification modification, String claimant, Instant now) {
    List<DocRef> changes = modification.changes().stream().map(DocChange::doc).toList();
    Predicate<DocRef> isHeld = ref -> fits(ref) && isOthers(docs.get(ref.id()), claimant, now);
    return new DocFailures(
        modification.inserts().stream()
            .flatMap(insert -> id(insert).stream())
            .filter(docs::containsKey)
            .toList(),
        changes.stream().filter(ref -> !fits(ref)).toList(),
        modification.deletes().stream().filter(ref -> !fits(ref)).toList(),
        modification.depends().stream().filter(ref -> !fits(ref)).toList(),
        Stream.concat(changes.stream(), modification.deletes().stream()).filter(isHeld).toList());
  }

  private boolean fits(DocRef ref) {
    Doc doc = docs.get(ref.id());
    return doc != null && doc.version() == ref.version();
  }

  private static boolean isOthers(Doc doc, String claimant, Instant now) {
    return doc.isHeldAt(now) && !doc.claimant().equals(claimant);
  }

  Doc insert(DocInsert insert, Instant now) {
    DocId id = id(insert).orElseGet(() -> new DocId(insert.namespace(), TaskId.random().text()));
    Doc doc =
        new Doc(id, 1, "", now, insert.key(), insert.secondaryKey(), insert.value(), now, now);
    docs.put(id, doc);
    return doc;
  }

  /** Until when it is held has been found out. */
  Doc change(DocChange change, Instant until, String claimant, Instant now) {
    Doc old = docs.get(change.doc().id());
    String key = change.key().isEmpty() ? old.key() : change.key();
    String secondaryKey =
        change.secondaryKey().isEmpty() ? old.secondaryKey() : change.secondaryKey();
    String holder = until.isAfter(now) ? claimant : "";
    return put(old, holder, until, key, secondaryKey, change.value(), now);
  }

  void delete(DocRef ref) {
    docs.remove(ref.id());
  }

  private Doc put(
      Doc old,
      String claimant,
      Instant until,
      String key,
      String secondaryKey,
      Value value,
      Instant now) {
    Doc doc =
        new Doc(
            old.id(),
            old.version() + 1,
            claimant,
            until,
            key,
            secondaryKey,
            value,
            old.created(),
            now);
    docs.put(doc.id(), doc);
    return doc;
  }

  DocClaimResult claim(DocClaim claim, String claimant, Instant until, Instant now) {
    List<Doc> found = in(claim.namespace()).filter(doc -> doc.key().equals(claim.key())).toList();
    List<DocRef> held =
        found.stream().filter(doc -> isOthers(doc, claimant, now)).map(Doc::ref).toList();
    return held.isEmpty()
        ? new DocClaimResult.Claimed(
            found.stream()
                .map(
                    doc ->
                        put(doc, claimant, until, doc.key(), doc.secondaryKey(), doc.value(), now))
                .toList())
        : new DocClaimResult.Held(held);
  }

  private Stream<Doc> in(String namespace) {
    return docs.values().stream()
        .filter(doc -> doc.id().namespace().equals(namespace))
        .sorted(ORDER);
  }

  List<Doc> read(DocQuery query) {
    Stream<Doc> found =
        query.ids().isEmpty()
            ? in(query.namespace())
                .filter(doc -> isInRange(query, doc.key()))
                .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
            : query.ids().stream()
                .flatMap(
                    id -> Optional.ofNullable(docs.get(new DocId(query.namespace(), id))).stream());
    return found.map(doc -> query.omitValues() ? withoutValue(doc) : doc).toList();
  }

  private static boolean isInRange(DocQuery query, String key) {
    return BYTES.compare(key, query.keyStart()) >= 0
        && (query.keyEnd().isEmpty() || BYTES.compare(key, query.keyEnd()) < 0);
  }

  private static Doc withoutValue(Doc doc) {
    return new Doc(
        doc.id(),
        doc.version(),
        doc.claimant(),
        doc.arrivalTime(),
        doc.key(),
        doc.secondaryKey(),
        Value.absent(),
        doc.created(),
        doc.modified());
  }

  Map<String, NamespaceStats> stats(NamespaceQuery query, Instant now) {
    Map<String, List<Doc>> byNamespace =
        docs.values().stream()
            .filter(doc -> query.matches(doc.id().namespace()))
            .collect(
                Collectors.groupingBy(
                    doc -> doc.id().namespace(), TreeMap::new, Collectors.toList()));
    Map<String, NamespaceStats> stats = new TreeMap<>();
    byNamespace.entrySet().stream()
        .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
        .forEach(entry -> stats.put(entry.getKey(), stats(entry.getKey(), entry.getValue(), now)));
    return stats;
  }

  private static NamespaceStats stats(String name, List<Doc> in, Instant now) {
    return new NamespaceStats(
        name, in.size(), in.stream().filter(doc -> doc.isHeldAt(now)).count());
  }
}
