package io.entroq.api.worker;

import io.entroq.api.Doc;
import io.entroq.api.DocClaimResult;
import io.entroq.api.DocModification;
import io.entroq.api.DocSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A doc set that is held with a task. Immutable.
 *
 * @param set the set at the newest version known to be held
 * @param docs those of its docs that were claimed with it
 */
record HeldSet(DocSet.Ref set, Set<Doc.Id> docs) {
  HeldSet {
    docs = Set.copyOf(docs);
  }

  static List<HeldSet> of(DocClaimResult.Claimed claimed) {
    return claimed.sets().stream()
        .map(set -> new HeldSet(set.ref(), idsOf(set, claimed.docs())))
        .toList();
  }

  private static Set<Doc.Id> idsOf(DocSet set, List<Doc> docs) {
    return docs.stream()
        .filter(doc -> doc.key().equals(set.key()))
        .map(Doc::id)
        .filter(id -> id.namespace().equals(set.namespace()))
        .collect(Collectors.toSet());
  }

  HeldSet atVersion(int version) {
    return new HeldSet(new DocSet.Ref(set.namespace(), set.key(), version), docs);
  }

  /**
   * Names held sets and their docs at the newest versions, and releases the sets unless the
   * modification names them itself.
   */
  static DocModification atNewestVersions(DocModification docs, List<HeldSet> sets) {
    if (sets.isEmpty()) {
      return docs;
    }
    List<DocSet.LeaseChange> leases = new ArrayList<>();
    for (DocSet.LeaseChange change : docs.setLeases()) {
      leases.add(new DocSet.LeaseChange(newest(change.set(), sets), change.lease()));
    }
    List<DocSet.Ref> depends = docs.setDepends().stream().map(set -> newest(set, sets)).toList();
    for (HeldSet held : sets) {
      boolean isNamed =
          leases.stream().anyMatch(change -> change.set().equals(held.set))
              || depends.contains(held.set);
      if (!isNamed) {
        leases.add(new DocSet.LeaseChange(held.set, Duration.ZERO));
      }
    }
    return new DocModification(
        docs.inserts(),
        docs.changes().stream().map(doc -> doc.withDoc(newest(doc.doc(), sets))).toList(),
        docs.deletes().stream().map(doc -> newest(doc, sets)).toList(),
        docs.depends().stream().map(doc -> newest(doc, sets)).toList(),
        leases,
        depends);
  }

  private static DocSet.Ref newest(DocSet.Ref set, List<HeldSet> sets) {
    return sets.stream().map(HeldSet::set).filter(set::isSameSet).findFirst().orElse(set);
  }

  private static Doc.Ref newest(Doc.Ref doc, List<HeldSet> sets) {
    return sets.stream()
        .filter(held -> held.docs.contains(doc.id()))
        .findFirst()
        .map(held -> new Doc.Ref(doc.id(), held.set.version()))
        .orElse(doc);
  }
}
