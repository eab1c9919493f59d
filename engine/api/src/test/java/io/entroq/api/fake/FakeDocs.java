package io.entroq.api.fake;

import io.entroq.api.Arrival;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocQuery;
import io.entroq.api.DocSet;
import io.entroq.api.EntroQException;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The docs of a {@link FakeEntroQ}, which calls under its lock and says what time it is. */
final class FakeDocs {
  private static final Comparator<String> BYTES =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  private static final Comparator<Doc> ORDER =
      Comparator.comparing(Doc::key, BYTES)
          .thenComparing(Doc::secondaryKey, BYTES)
          .thenComparing(doc -> doc.id().id(), BYTES);

  /** Names a set. */
  private record Key(String namespace, String key) {
    static Key of(Doc doc) {
      return new Key(doc.id().namespace(), doc.key());
    }

    static Key of(DocInsert insert) {
      return new Key(insert.namespace(), insert.key());
    }

    static Key of(DocSet.Ref set) {
      return new Key(set.namespace(), set.key());
    }
  }

  /** What all docs of a set share. */
  private record Lock(int version, String claimant, Instant until) {
    boolean isOthers(String requester, Instant now) {
      return until.isAfter(now) && !claimant.isEmpty() && !claimant.equals(requester);
    }
  }

  /** Docs with versions and leases of their own, which nobody reads: the set's count. */
  private final Map<Doc.Id, Doc> docs = new LinkedHashMap<>();

  private final Map<Key, Lock> locks = new HashMap<>();

  void refuseDuplicates(DocModification modification) {
    Set<Object> seen = new HashSet<>();
    Stream.of(
            modification.inserts().stream().flatMap(insert -> id(insert).stream()),
            modification.changes().stream().map(change -> change.doc().id()),
            modification.deletes().stream().map(Doc.Ref::id),
            modification.depends().stream().map(Doc.Ref::id),
            modification.setLeases().stream().map(change -> Key.of(change.set())),
            modification.setDepends().stream().map(Key::of))
        .flatMap(Function.identity())
        .filter(named -> !seen.add(named))
        .findFirst()
        .ifPresent(FakeDocs::refuseDuplicate);
    modification.inserts().stream()
        .filter(insert -> !seen.add(List.of(Key.of(insert), insert.secondaryKey())))
        .findFirst()
        .ifPresent(FakeDocs::refuseDuplicate);
  }

  private static void refuseDuplicate(Object named) {
    throw new EntroQException.InvalidArgument("doc " + named + " stands twice in one modification");
  }

  private static Optional<Doc.Id> id(DocInsert insert) {
    return insert.id().map(id -> new Doc.Id(insert.namespace(), id));
  }

  ModifyResult.DocFailures check(DocModification modification, String claimant, Instant now) {
    Set<Key> named =
        Stream.concat(
                modification.setLeases().stream().map(DocSet.LeaseChange::set),
                modification.setDepends().stream())
            .map(Key::of)
            .collect(Collectors.toSet());
    List<Doc.Ref> changes = modification.changes().stream().map(DocChange::doc).toList();
    List<DocSet.Ref> leases =
        modification.setLeases().stream().map(DocSet.LeaseChange::set).toList();
    List<Doc.Ref> writes =
        Stream.concat(changes.stream(), modification.deletes().stream())
            .filter(ref -> fits(ref, named))
            .toList();
    Set<Key> held = new LinkedHashSet<>();
    modification.inserts().forEach(insert -> held.add(Key.of(insert)));
    writes.forEach(ref -> held.add(Key.of(docs.get(ref.id()))));
    leases.stream().filter(this::fits).forEach(set -> held.add(Key.of(set)));
    held.removeIf(key -> !lock(key).isOthers(claimant, now));
    return new ModifyResult.DocFailures(
        modification.inserts().stream().flatMap(insert -> inTheWay(insert).stream()).toList(),
        changes.stream().filter(ref -> !fits(ref, named)).toList(),
        modification.deletes().stream().filter(ref -> !fits(ref, named)).toList(),
        modification.depends().stream().filter(ref -> !fits(ref, named)).toList(),
        writes.stream().filter(ref -> held.contains(Key.of(docs.get(ref.id())))).toList(),
        leases.stream().filter(set -> !fits(set)).map(this::current).toList(),
        modification.setDepends().stream().filter(set -> !fits(set)).toList(),
        held.stream().map(this::ref).toList());
  }

  /** By id, or by its place in the set. */
  private Optional<Doc.Id> inTheWay(DocInsert insert) {
    return id(insert)
        .filter(docs::containsKey)
        .or(
            () ->
                docs.values().stream()
                    .filter(
                        doc ->
                            Key.of(doc).equals(Key.of(insert))
                                && doc.secondaryKey().equals(insert.secondaryKey()))
                    .map(Doc::id)
                    .findFirst());
  }

  private boolean fits(Doc.Ref ref, Set<Key> named) {
    Doc doc = docs.get(ref.id());
    return doc != null
        && (lock(Key.of(doc)).version == ref.version()
            || (ref.version() == 0 && named.contains(Key.of(doc))));
  }

  private boolean fits(DocSet.Ref set) {
    Lock lock = locks.get(Key.of(set));
    return lock != null && lock.version == set.version();
  }

  private Lock lock(Key key) {
    return locks.getOrDefault(key, new Lock(0, "", Instant.EPOCH));
  }

  private DocSet.Ref ref(Key key) {
    return new DocSet.Ref(key.namespace, key.key, lock(key).version);
  }

  private DocSet.Ref current(DocSet.Ref set) {
    return ref(Key.of(set));
  }

  /** What a modification that fits has changed. */
  record Written(List<Doc> inserted, List<Doc> changed, List<DocSet> sets) {}

  Written write(
      DocModification modification,
      Function<Arrival, Instant> resolve,
      String claimant,
      Instant now) {
    Map<Key, Instant> touched = new LinkedHashMap<>();
    List<Doc.Id> inserted = new ArrayList<>();
    for (DocInsert insert : modification.inserts()) {
      Doc.Id id =
          id(insert).orElseGet(() -> new Doc.Id(insert.namespace(), TaskId.random().text()));
      docs.put(
          id,
          new Doc(id, 0, "", now, insert.key(), insert.secondaryKey(), insert.value(), now, now));
      inserted.add(id);
      touch(touched, Key.of(insert), resolve.apply(insert.arrival()));
    }
    for (DocChange change : modification.changes()) {
      Doc old = docs.get(change.doc().id());
      docs.put(old.id(), with(old, change.value(), now));
      touch(touched, Key.of(old), resolve.apply(change.arrival()));
    }
    for (Doc.Ref delete : modification.deletes()) {
      touch(touched, Key.of(docs.remove(delete.id())), now);
    }
    for (DocSet.LeaseChange change : modification.setLeases()) {
      touch(touched, Key.of(change.set()), now.plus(change.lease()));
    }
    touched.forEach(
        (key, until) -> {
          int version = locks.containsKey(key) ? lock(key).version + 1 : 0;
          boolean isHeld = until.isAfter(now);
          locks.put(key, new Lock(version, isHeld ? claimant : "", isHeld ? until : now));
        });
    return new Written(
        inserted.stream().map(this::shown).toList(),
        modification.changes().stream().map(change -> shown(change.doc().id())).toList(),
        modification.setLeases().stream().map(change -> set(Key.of(change.set()))).toList());
  }

  private static void touch(Map<Key, Instant> touched, Key key, Instant until) {
    touched.merge(key, until, (a, b) -> a.isAfter(b) ? a : b);
  }

  private static Doc with(Doc old, Value value, Instant now) {
    return new Doc(
        old.id(),
        old.version(),
        old.claimant(),
        old.arrivalTime(),
        old.key(),
        old.secondaryKey(),
        value,
        old.created(),
        now);
  }

  /** A doc as others see it: with the version and the lease of its set. */
  private Doc shown(Doc.Id id) {
    Doc doc = docs.get(id);
    Lock lock = lock(Key.of(doc));
    return new Doc(
        id,
        lock.version,
        lock.claimant,
        lock.until,
        doc.key(),
        doc.secondaryKey(),
        doc.value(),
        doc.created(),
        doc.modified());
  }

  private DocSet set(Key key) {
    Lock lock = lock(key);
    int size = (int) docs.values().stream().filter(doc -> Key.of(doc).equals(key)).count();
    return new DocSet(key.namespace, key.key, lock.version, lock.claimant, lock.until, size);
  }

  DocClaimResult claim(DocClaim claim, String claimant, Instant until, Instant now) {
    Set<Key> keys = new LinkedHashSet<>();
    for (DocClaim.Target set : claim.sets()) {
      if (!keys.add(new Key(set.namespace(), set.key()))) {
        throw new EntroQException.InvalidArgument(
            "doc claim names set \"%s\" in \"%s\" more than once"
                .formatted(set.key(), set.namespace()));
      }
    }
    List<Key> held = keys.stream().filter(key -> lock(key).isOthers(claimant, now)).toList();
    if (!held.isEmpty()) {
      return new DocClaimResult.Held(
          held.stream().map(this::ref).toList(),
          held.stream().flatMap(this::in).map(Doc::ref).toList());
    }
    keys.forEach(key -> locks.put(key, new Lock(lock(key).version + 1, claimant, until)));
    return new DocClaimResult.Claimed(
        claim.sets().stream()
            .filter(set -> !set.omitDocs())
            .flatMap(set -> in(new Key(set.namespace(), set.key())))
            .toList(),
        keys.stream().map(this::set).toList());
  }

  private Stream<Doc> in(Key key) {
    return in(key.namespace).filter(doc -> doc.key().equals(key.key));
  }

  private Stream<Doc> in(String namespace) {
    return docs.values().stream()
        .filter(doc -> doc.id().namespace().equals(namespace))
        .map(doc -> shown(doc.id()))
        .sorted(ORDER);
  }

  List<Doc> read(DocQuery query) {
    Stream<Doc> found =
        query.ids().isEmpty()
            ? in(query.namespace())
                .filter(doc -> isWanted(query, doc.key()))
                .limit(query.limit() == 0 ? Long.MAX_VALUE : query.limit())
            : query.ids().stream()
                .map(id -> new Doc.Id(query.namespace(), id))
                .filter(docs::containsKey)
                .map(this::shown);
    return found.map(doc -> query.omitValues() ? withoutValue(doc) : doc).toList();
  }

  private static boolean isWanted(DocQuery query, String key) {
    if (!query.keyExact().isEmpty()) {
      return key.equals(query.keyExact());
    }
    return BYTES.compare(key, query.keyStart()) >= 0
        && (query.keyEnd().isEmpty() || BYTES.compare(key, query.keyEnd()) < 0);
  }

  private static Doc withoutValue(Doc doc) {
    return with(doc, Value.absent(), doc.modified());
  }

  Map<String, NamespaceStats> stats(NamespaceQuery query, Instant now) {
    Map<String, List<Doc>> byNamespace =
        docs.values().stream()
            .filter(doc -> query.matches(doc.id().namespace()))
            .map(doc -> shown(doc.id()))
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
