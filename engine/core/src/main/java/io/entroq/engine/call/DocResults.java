package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocFailures;
import io.entroq.api.DocId;
import io.entroq.api.DocInsert;
import io.entroq.api.DocModification;
import io.entroq.api.DocRef;
import io.entroq.codec.result.ItemKinds;
import java.util.ArrayList;
import java.util.List;

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
    for (DocInsert insert : docs.inserts()) {
      bytes += ID_BYTES_LEAST + insert.key().length() + insert.value().size();
    }
    for (DocChange change : docs.changes()) {
      bytes += ID_BYTES_LEAST + change.key().length() + change.value().size();
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

  /** The docs because of which the modification failed. */
  DocFailures failures(ReplyReader reply) {
    List<DocId> collisions = new ArrayList<>();
    List<DocRef> changes = new ArrayList<>();
    List<DocRef> deletes = new ArrayList<>();
    List<DocRef> depends = new ArrayList<>();
    List<DocRef> claims = new ArrayList<>();
    for (int i = 0; i < reply.failureCount(); i++) {
      int index = reply.failureIndex(i);
      boolean isClaimed = reply.isFailureClaimed(i);
      switch (reply.failureKind(i)) {
        case ItemKinds.DOC_INSERT -> collisions.add(id(docs.inserts().get(index)));
        case ItemKinds.DOC_CHANGE ->
            (isClaimed ? claims : changes).add(docs.changes().get(index).doc());
        case ItemKinds.DOC_DELETE -> (isClaimed ? claims : deletes).add(docs.deletes().get(index));
        case ItemKinds.DOC_DEPEND -> depends.add(docs.depends().get(index));
        default -> {
          // Tasks are ModifyRequest's.
        }
      }
    }
    return new DocFailures(collisions, changes, deletes, depends, claims);
  }

  private static DocId id(DocInsert insert) {
    return new DocId(insert.namespace(), insert.id().orElseThrow());
  }
}
