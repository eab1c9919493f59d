package io.entroq.service.validation;

import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocID;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.service.call.Protocol;

/** What the docs and doc sets of a Modify must have. */
final class DocRules {
  /** Bytes of an id. */
  private static final int ID_BYTES_MAX = 64;

  private static final int NAMESPACE_BYTES_MAX = 1_024;

  /** Bytes of a key and of a secondary key. */
  private static final int KEY_BYTES_MAX = 256;

  private static final String CHANGE = "change of doc";

  private DocRules() {}

  /** The number of operations on docs and doc sets. */
  static int count(ModifyRequest modify) {
    return modify.getDocInsertsCount()
        + modify.getDocChangesCount()
        + modify.getDocDeletesCount()
        + modify.getDocDependsCount();
  }

  static void check(ModifyRequest modify, Protocol protocol) {
    for (int i = 0; i < modify.getDocInsertsCount(); i++) {
      insert(modify.getDocInserts(i), protocol);
    }
    for (int i = 0; i < modify.getDocChangesCount(); i++) {
      change(modify.getDocChanges(i), protocol);
    }
    for (int i = 0; i < modify.getDocDeletesCount(); i++) {
      delete(modify.getDocDeletes(i));
    }
    for (int i = 0; i < modify.getDocDependsCount(); i++) {
      depend(modify.getDocDepends(i), protocol);
    }
  }

  private static void insert(DocData data, Protocol protocol) {
    if (data.getNamespace().isEmpty()) {
      throw Invalid.because("insert of doc \"%s\" must name a namespace", data.getId());
    }
    requireShort(data.getNamespace(), data.getId(), data);
    ArrivalRules.check(protocol, data.getAtMs(), "insert of doc", data.getId());
  }

  /** Checks the lengths of all names of a doc, with the keys of its data. */
  private static void requireShort(String namespace, String id, DocData data) {
    Invalid.requireShort("doc id", id, ID_BYTES_MAX);
    requireShort(namespace, data.getKey());
    Invalid.requireShort("doc secondary key", data.getSecondaryKey(), KEY_BYTES_MAX);
  }

  /** Checks the lengths of the names of a set. */
  static void requireShort(String namespace, String key) {
    Invalid.requireShort("doc namespace", namespace, NAMESPACE_BYTES_MAX);
    Invalid.requireShort("doc key", key, KEY_BYTES_MAX);
  }

  private static void change(DocChange change, Protocol protocol) {
    DocID old = change.getOldId();
    boolean isLease = change.getMode() == ChangeMode.CHANGE_LEASE;
    String name = isLease ? old.getKey() : old.getId();
    ArrivalRules.checkMode(protocol, change.getMode(), change.getModeValue(), CHANGE, name);
    if (change.getMode() == ChangeMode.CHANGE_RESET_CLAIMS) {
      throw Invalid.because("%s %s: a doc has no claim count to reset", CHANGE, name);
    }
    if (change.getMode() == ChangeMode.CHANGE_TAKE_BACK) {
      throw Invalid.because("%s %s: only tasks can be taken back", CHANGE, name);
    }
    if (isLease) {
      requireSet(old);
    } else {
      requireDoc(old, "change");
    }
    if (!change.hasNewData()) {
      throw Invalid.because("%s %s carries no data", CHANGE, name);
    }
    DocData data = change.getNewData();
    if (!data.getNamespace().isEmpty() && !data.getNamespace().equals(old.getNamespace())) {
      throw Invalid.because(
          "doc change cannot move namespaces: \"%s\" -> \"%s\"",
          old.getNamespace(), data.getNamespace());
    }
    if (isLease) {
      requireArrivalOnly(old, data);
    } else {
      requireShort(old.getNamespace(), old.getId(), data);
    }
    ArrivalRules.check(protocol, data.getAtMs(), CHANGE, name);
  }

  private static void requireSet(DocID set) {
    if (set.hasId()) {
      throw Invalid.because("doc lease names a doc by ID; name its set by key");
    }
    if (set.getKey().isEmpty()) {
      throw Invalid.because("doc lease names no set");
    }
    if (!set.getSecondaryKey().isEmpty()) {
      throw Invalid.because("doc lease names a set, which has no secondary key");
    }
    requireVersion(set, "lease");
  }

  private static void requireArrivalOnly(DocID set, DocData data) {
    boolean isSame = data.getKey().isEmpty() || data.getKey().equals(set.getKey());
    if (!isSame
        || !data.getSecondaryKey().isEmpty()
        || !data.getId().isEmpty()
        || data.hasContent()
        || data.hasRaw()) {
      throw Invalid.because(
          "lease of doc set \"%s\" in namespace \"%s\" may set only its arrival time",
          set.getKey(), set.getNamespace());
    }
  }

  private static void delete(DocID doc) {
    requireDoc(doc, "delete");
  }

  private static void depend(DocID doc, Protocol protocol) {
    if (!doc.hasKey()) {
      requireDoc(doc, "depend");
      return;
    }
    if (!protocol.isTwo()) {
      throw Invalid.needsTwo("doc depend names a set by key, which is", protocol);
    }
    if (doc.getKey().isEmpty()) {
      throw Invalid.because("doc depend names no doc or set");
    }
    if (!doc.getSecondaryKey().isEmpty()) {
      throw Invalid.because("doc depend names a set, which has no secondary key");
    }
    requireVersion(doc, "depend");
  }

  private static void requireDoc(DocID doc, String operation) {
    if (doc.hasKey()) {
      throw Invalid.unimplemented("doc " + operation + " naming a doc by key");
    }
    if (doc.getId().isEmpty()) {
      throw Invalid.because("doc %s names no doc", operation);
    }
    requireVersion(doc, operation);
  }

  private static void requireVersion(DocID doc, String operation) {
    if (doc.getVersion() < 0) {
      throw Invalid.because(
          "%s of doc %s: version %d is negative",
          operation, doc.hasKey() ? doc.getKey() : doc.getId(), doc.getVersion());
    }
  }
}
