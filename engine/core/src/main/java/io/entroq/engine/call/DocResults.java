package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocSet;
import io.entroq.api.ModifyResult;
import io.entroq.codec.result.ItemKinds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Decodes the docs in the result of a modification. */
final class DocResults {
  private static final int ID_BYTES_LEAST = Long.BYTES;

  private final DocModification docs;

  /**
   * @param docs every insert has an id
   */
  DocResults(DocModification docs) {
    this.docs = docs;
  }

  /** A lower bound of the encoded length of the docs, in bytes. */
  long bytesAtLeast() {
    long bytes = (long) ID_BYTES_LEAST * (docs.deletes().size() + docs.depends().size());
    for (DocSet.LeaseChange change : docs.setLeases()) {
      bytes += change.set().namespace().length() + change.set().key().length();
    }
    for (DocSet.Ref set : docs.setDepends()) {
      bytes += set.namespace().length() + set.key().length();
    }
    for (DocInsert insert : docs.inserts()) {
      bytes += ID_BYTES_LEAST + insert.key().length() + insert.value().size();
    }
    for (DocChange change : docs.changes()) {
      bytes += ID_BYTES_LEAST + change.value().size();
    }
    return bytes;
  }

  List<Doc> inserted(ReplyReader reply) {
    List<Doc> inserted = new ArrayList<>(docs.inserts().size());
    for (int i = 0; i < docs.inserts().size(); i++) {
      inserted.add(reply.doc(i, docs.inserts().get(i).value()));
    }
    return inserted;
  }

  /** The result lists changed docs after inserted ones. */
  List<Doc> changed(ReplyReader reply) {
    List<Doc> changed = new ArrayList<>(docs.changes().size());
    for (int i = 0; i < docs.changes().size(); i++) {
      changed.add(reply.doc(docs.inserts().size() + i, docs.changes().get(i).value()));
    }
    return changed;
  }

  /** The result lists sets after changed docs. */
  List<DocSet> changedSets(ReplyReader reply) {
    int first = docs.inserts().size() + docs.changes().size();
    List<DocSet> changed = new ArrayList<>(docs.setLeases().size());
    for (int i = 0; i < docs.setLeases().size(); i++) {
      changed.add(reply.docSet(reply.result().doc(first + i)));
    }
    return changed;
  }

  /** The docs and sets because of which the modification failed. */
  ModifyResult.DocFailures failures(ReplyReader reply) {
    List<Doc.Id> collisions = new ArrayList<>();
    List<Doc.Ref> changes = new ArrayList<>();
    List<Doc.Ref> deletes = new ArrayList<>();
    List<Doc.Ref> depends = new ArrayList<>();
    List<Doc.Ref> claims = new ArrayList<>();
    List<DocSet.Ref> setChanges = new ArrayList<>();
    List<DocSet.Ref> setDepends = new ArrayList<>();
    Set<DocSet.Ref> setClaims = new LinkedHashSet<>();
    for (int i = 0; i < reply.failureCount(); i++) {
      int index = reply.failureIndex(i);
      boolean isClaimed = reply.isFailureClaimed(i);
      switch (reply.failureKind(i)) {
        case ItemKinds.DOC_INSERT -> {
          DocInsert insert = docs.inserts().get(index);
          if (isClaimed) {
            addHeld(setClaims, insert.namespace(), reply, i);
          } else {
            collisions.add(
                new Doc.Id(insert.namespace(), reply.existingDoc(i, insert.id().orElseThrow())));
          }
        }
        case ItemKinds.DOC_CHANGE -> {
          boolean isSet = index >= docs.changes().size();
          if (isSet) {
            DocSet.Ref set = docs.setLeases().get(index - docs.changes().size()).set();
            if (isClaimed) {
              addHeld(setClaims, set.namespace(), reply, i);
            } else {
              setChanges.add(new DocSet.Ref(set.namespace(), set.key(), reply.existingVersion(i)));
            }
          } else {
            Doc.Ref doc = docs.changes().get(index).doc();
            (isClaimed ? claims : changes).add(doc);
            addHeldIf(isClaimed, setClaims, doc, reply, i);
          }
        }
        case ItemKinds.DOC_DELETE -> {
          Doc.Ref doc = docs.deletes().get(index);
          (isClaimed ? claims : deletes).add(doc);
          addHeldIf(isClaimed, setClaims, doc, reply, i);
        }
        case ItemKinds.DOC_DEPEND -> {
          if (index >= docs.depends().size()) {
            setDepends.add(docs.setDepends().get(index - docs.depends().size()));
          } else {
            depends.add(docs.depends().get(index));
          }
        }
        default -> {
          // Tasks are ModifyRequest's.
        }
      }
    }
    return new ModifyResult.DocFailures(
        collisions,
        changes,
        deletes,
        depends,
        claims,
        setChanges,
        setDepends,
        List.copyOf(setClaims));
  }

  private static void addHeldIf(
      boolean isClaimed, Set<DocSet.Ref> sets, Doc.Ref doc, ReplyReader reply, int failure) {
    if (isClaimed) {
      addHeld(sets, doc.id().namespace(), reply, failure);
    }
  }

  /** Each set once, unless its key is empty: such a set cannot be named. */
  private static void addHeld(
      Set<DocSet.Ref> sets, String namespace, ReplyReader reply, int failure) {
    String key = reply.existingName(failure);
    if (!key.isEmpty()) {
      sets.add(new DocSet.Ref(namespace, key, reply.existingVersion(failure)));
    }
  }
}
