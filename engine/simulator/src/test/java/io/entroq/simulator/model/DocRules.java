package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Doc;
import io.entroq.codec.wire.log.DocData;
import io.entroq.codec.wire.log.DocRef;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a Modify needs of docs and does to them (contract 2.8). One instance per command. */
final class DocRules {
  /** From this level on there are docs. */
  static final int LEVEL = 4;

  private final State state;
  private final Modify modify;
  private final long nowMs;

  DocRules(State state, Modify modify, long nowMs) {
    this.state = state;
    this.modify = modify;
    this.nowMs = nowMs;
  }

  /** Whether the Modify speaks of docs at a level that does not have them. */
  boolean comeTooEarly() {
    return state.level < LEVEL
        && modify.getDocInsertsCount()
                + modify.getDocChangesCount()
                + modify.getDocDeletesCount()
                + modify.getDocDependsCount()
            > 0;
  }

  /** The first item that is wrong whatever else the request says, or null. */
  Result.Builder misuse() {
    Result.Builder misuse = misusedInsert();
    Set<ModelDoc.Name> named = new HashSet<>();
    for (int i = 0; i < modify.getDocChangesCount() && misuse == null; i++) {
      misuse = misused(named, name(modify.getDocChanges(i)), ItemKind.ITEM_DOC_CHANGE, i);
    }
    for (int i = 0; i < modify.getDocDeletesCount() && misuse == null; i++) {
      misuse = misused(named, name(modify.getDocDeletes(i)), ItemKind.ITEM_DOC_DELETE, i);
    }
    for (int i = 0; i < modify.getDocDependsCount() && misuse == null; i++) {
      misuse = misused(named, name(modify.getDocDepends(i)), ItemKind.ITEM_DOC_DEPEND, i);
    }
    return misuse;
  }

  private Result.Builder misusedInsert() {
    Set<ModelDoc.Name> inserted = new HashSet<>();
    for (int i = 0; i < modify.getDocInsertsCount(); i++) {
      DocData insert = modify.getDocInserts(i);
      Result.Builder misuse = misused(inserted, name(insert), ItemKind.ITEM_DOC_INSERT, i);
      if (misuse != null) {
        return misuse;
      }
      ModelDoc existing = state.docs.find(name(insert));
      if (existing != null && !existing.hasText(insert.getId())) {
        return ModifyRules.misuse(ResultCode.RESULT_KEY_COLLISION, ItemKind.ITEM_DOC_INSERT, i);
      }
    }
    return null;
  }

  private static Result.Builder misused(
      Set<ModelDoc.Name> named, ModelDoc.Name name, ItemKind kind, int index) {
    return named.add(name)
        ? null
        : ModifyRules.misuse(ResultCode.RESULT_DUPLICATE_ITEM, kind, index);
  }

  private static ModelDoc.Name name(DocData doc) {
    return new ModelDoc.Name(doc.getNamespace(), Key.of(doc.getId()));
  }

  private static ModelDoc.Name name(DocRef doc) {
    return new ModelDoc.Name(doc.getNamespace(), Key.of(doc.getId()));
  }

  /** Every item that fails. */
  List<Failure> failures() {
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < modify.getDocInsertsCount(); i++) {
      if (state.docs.find(name(modify.getDocInserts(i))) != null) {
        failures.add(failure(ItemKind.ITEM_DOC_INSERT, i, false));
      }
    }
    for (int i = 0; i < modify.getDocChangesCount(); i++) {
      DocData change = modify.getDocChanges(i);
      ModelDoc doc = meant(name(change), change.getId(), change.getVersion());
      checkWrite(failures, doc, ItemKind.ITEM_DOC_CHANGE, i);
    }
    for (int i = 0; i < modify.getDocDeletesCount(); i++) {
      DocRef delete = modify.getDocDeletes(i);
      ModelDoc doc = meant(name(delete), delete.getId(), delete.getVersion());
      checkWrite(failures, doc, ItemKind.ITEM_DOC_DELETE, i);
    }
    for (int i = 0; i < modify.getDocDependsCount(); i++) {
      DocRef depend = modify.getDocDepends(i);
      if (meant(name(depend), depend.getId(), depend.getVersion()) == null) {
        failures.add(failure(ItemKind.ITEM_DOC_DEPEND, i, false));
      }
    }
    return failures;
  }

  private void checkWrite(List<Failure> failures, ModelDoc doc, ItemKind kind, int index) {
    boolean isClaimed = doc != null && doc.isOtherwiseClaimed(modify.getClaimant(), nowMs);
    if (doc == null || isClaimed) {
      failures.add(failure(kind, index, isClaimed));
    }
  }

  private static Failure failure(ItemKind kind, int index, boolean isClaimed) {
    return Failure.newBuilder().setItemKind(kind).setIndex(index).setClaimed(isClaimed).build();
  }

  /** The doc of that name, text and version, or null. */
  private ModelDoc meant(ModelDoc.Name name, Id id, int version) {
    ModelDoc doc = state.docs.find(name);
    boolean isMeant = doc != null && doc.hasText(id) && doc.fields().getVersion() == version;
    return isMeant ? doc : null;
  }

  /** Does all of it; what was inserted, then what was changed. */
  List<ModelDoc> commit(long sequence) {
    List<ModelDoc> written = new ArrayList<>();
    modify.getDocInsertsList().forEach(insert -> written.add(insert(insert, sequence)));
    modify.getDocChangesList().forEach(change -> written.add(change(change)));
    modify.getDocDeletesList().forEach(delete -> state.docs.remove(name(delete)));
    return written;
  }

  /** A new doc is nobody's and there at once; its version is 1. */
  private ModelDoc insert(DocData insert, long sequence) {
    Doc.Builder doc =
        Doc.newBuilder()
            .setNamespace(insert.getNamespace())
            .setId(insert.getId())
            .setVersion(1)
            .setKey(insert.getKey())
            .setSecondaryKey(insert.getSecondaryKey())
            .setArrivalMs(nowMs)
            .setCreatedMs(nowMs)
            .setModifiedMs(nowMs);
    return state.docs.insert(withValue(doc, insert).build(), sequence);
  }

  /** A key that is not given stays; who asks holds the doc as far as its arrival is to come. */
  private ModelDoc change(DocData change) {
    Doc before = state.docs.find(name(change)).fields();
    long arrivalMs = ModifyRules.arrival(change.getArrivalMs(), nowMs);
    Doc.Builder doc =
        before.toBuilder()
            .setVersion(before.getVersion() + 1)
            .setArrivalMs(arrivalMs)
            .setModifiedMs(nowMs)
            .clearClaimant();
    if (arrivalMs > nowMs) {
      ClaimantRules.set(doc, modify.getClaimant());
    }
    if (!change.getKey().isEmpty()) {
      doc.setKey(change.getKey());
    }
    if (!change.getSecondaryKey().isEmpty()) {
      doc.setSecondaryKey(change.getSecondaryKey());
    }
    return state.docs.replace(withValue(doc, change).build());
  }

  private static Doc.Builder withValue(Doc.Builder doc, DocData data) {
    return doc.setValueKind(data.getValueKind()).setValue(data.getValue());
  }
}
