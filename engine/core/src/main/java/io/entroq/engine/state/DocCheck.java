package io.entroq.engine.state;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.DocRefDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.KeyTree;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.KeySet;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.collections.IntArrayList;

/**
 * Checks the items of a Modify about docs and doc sets (contract 2.8): finds them and reports every
 * failure to the {@link ModifyCheck}. Changes nothing.
 */
final class DocCheck {

  private final DocStore docs;
  private final DocSetStore sets;
  private final NamespaceStore namespaces;
  private final KeyTree tree;
  private final DocTable table;
  private final ModifyDecoder modify;
  private final ModifyCheck failures;

  /** Ids of docs, places of inserts and keys of leases that the Modify has named. */
  private final KeySet ids = new KeySet();

  private final KeySet places = new KeySet();
  private final KeySet leases = new KeySet();

  /** Stored sets that the Modify leases or depends on. */
  private final KeySet namedSets = new KeySet();

  private final Bytes idText = new Bytes();
  private final Bytes key = new Bytes();
  private final Bytes secondaryKey = new Bytes();

  /** The docs of changes, or the sets of leases; then the docs of deletes. */
  private final IntArrayList found = new IntArrayList();

  private long nowMs;

  DocCheck(Stores stores, DocTable table, ModifyDecoder modify, ModifyCheck failures) {
    this.docs = stores.docs;
    this.sets = stores.docSets;
    this.namespaces = stores.namespaces;
    this.tree = stores.keyTree;
    this.table = table;
    this.modify = modify;
    this.failures = failures;
  }

  void check(long timeMs) {
    nowMs = timeMs;
    found.clear();
    ids.clear();
    places.clear();
    leases.clear();
    findNamedSets();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      checkInsert(i, modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      DocDataDecoder change = modify.docChange(i);
      if (isLease(change)) {
        checkLease(i, change);
      } else {
        checkWrite(ItemKinds.DOC_CHANGE, i, change);
      }
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      checkWrite(ItemKinds.DOC_DELETE, i, modify.docDelete(i));
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      checkDepend(i, modify.docDepend(i));
    }
  }

  /** Whether a change is one of the lease of a set. */
  static boolean isLease(DocDataDecoder change) {
    return change.mode() == ChangeModes.LEASE;
  }

  private static boolean isSet(DocItem item) {
    return (item.idHigh() | item.idLow()) == 0;
  }

  private void findNamedSets() {
    namedSets.clear();
    for (int i = 0; i < modify.docChangeCount(); i++) {
      if (isLease(modify.docChange(i))) {
        namedSets.add(0, findSet(modify.docChange(i)));
      }
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      if (isSet(modify.docDepend(i))) {
        namedSets.add(0, findSet(modify.docDepend(i)));
      }
    }
  }

  private void checkInsert(int index, DocDataDecoder insert) {
    if (!isFirst(ids, insert) || !isFirstOfPlace(insert)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.DOC_INSERT, index);
    }
    int doc = find(insert);
    if (doc != Slab.NONE && !isNamed(doc, insert)) {
      failures.refuse(ResultCodes.KEY_COLLISION, ItemKinds.DOC_INSERT, index);
    } else if (doc != Slab.NONE) {
      failures.failDoc(ItemKinds.DOC_INSERT, index, false, Slab.NONE, Slab.NONE);
    } else {
      checkPlace(index, insert);
    }
  }

  private void checkPlace(int index, DocDataDecoder insert) {
    int set = findSet(insert);
    if (set == Slab.NONE) {
      return;
    }
    key.set(modify.buffer(), insert.keyOffset(), insert.keyLength());
    secondaryKey.set(modify.buffer(), insert.secondaryKeyOffset(), insert.secondaryKeyLength());
    int occupant = tree.find(sets.namespace(set), key, secondaryKey);
    if (occupant != Slab.NONE) {
      failures.failDoc(ItemKinds.DOC_INSERT, index, false, set, occupant);
    } else {
      checkSet(ItemKinds.DOC_INSERT, index, set);
    }
  }

  private void checkLease(int index, DocDataDecoder lease) {
    int set = findSet(lease);
    found.addInt(set);
    if (!leases.add(nameHash(lease), keyHash(lease))) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.DOC_CHANGE, index);
    }
    if (set == Slab.NONE || sets.version(set) != lease.version()) {
      failures.failDoc(ItemKinds.DOC_CHANGE, index, false, set, Slab.NONE);
    } else {
      checkSet(ItemKinds.DOC_CHANGE, index, set);
    }
  }

  /** Checks a change or delete of a doc. */
  private void checkWrite(int kind, int index, DocItem item) {
    int doc = named(kind, index, item);
    found.addInt(doc);
    int set = doc == Slab.NONE ? Slab.NONE : docs.set(doc);
    if (set == Slab.NONE || !isOfVersion(set, item.version())) {
      failures.failDoc(kind, index, false, set, Slab.NONE);
    } else {
      checkSet(kind, index, set);
    }
  }

  /** An item may leave the version to another one that names the set. */
  private boolean isOfVersion(int set, int version) {
    return sets.version(set) == version || (version == 0 && namedSets.contains(0, set));
  }

  private void checkSet(int kind, int index, int set) {
    if (table.isHeldByAnother(set, modify.claimantHigh(), modify.claimantLow(), nowMs)) {
      failures.failDoc(kind, index, true, set, Slab.NONE);
    } else if (sets.version(set) == Integer.MAX_VALUE && kind != ItemKinds.DOC_DELETE) {
      failures.refuse(ResultCodes.VERSION_EXHAUSTED, kind, index);
    }
  }

  private void checkDepend(int index, DocRefDecoder depend) {
    int set;
    boolean isMet;
    if (isSet(depend)) {
      set = findSet(depend);
      isMet = set != Slab.NONE && sets.version(set) == depend.version();
    } else {
      int doc = named(ItemKinds.DOC_DEPEND, index, depend);
      set = doc == Slab.NONE ? Slab.NONE : docs.set(doc);
      isMet = set != Slab.NONE && isOfVersion(set, depend.version());
    }
    if (!isMet) {
      failures.failDoc(ItemKinds.DOC_DEPEND, index, false, set, Slab.NONE);
    }
  }

  /** The doc that an item names, if there is one. */
  private int named(int kind, int index, DocItem item) {
    if (!isFirst(ids, item)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
    }
    int doc = find(item);
    return doc == Slab.NONE || isNamed(doc, item) ? doc : Slab.NONE;
  }

  /** Hashes namespace and id to one key; a collision is as unlikely as for ids with a text. */
  private boolean isFirst(KeySet seen, DocItem item) {
    long name = nameHash(item);
    return seen.add(item.idHigh() ^ Mix.mix(name), item.idLow() + name);
  }

  private boolean isFirstOfPlace(DocDataDecoder insert) {
    long secondary =
        Mix.bytes(modify.buffer(), insert.secondaryKeyOffset(), insert.secondaryKeyLength());
    return places.add(nameHash(insert) ^ Mix.mix(keyHash(insert)), keyHash(insert) + secondary);
  }

  private long nameHash(DocItem item) {
    return Mix.bytes(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
  }

  private long keyHash(DocItem item) {
    return Mix.bytes(modify.buffer(), item.keyOffset(), item.keyLength());
  }

  private int find(DocItem item) {
    return docs.find(namespace(item), item.idHigh(), item.idLow());
  }

  /** The stored set of the namespace and key of an item, or {@link Slab#NONE}. */
  int findSet(DocItem item) {
    return sets.find(namespace(item), modify.buffer(), item.keyOffset(), item.keyLength());
  }

  private int namespace(DocItem item) {
    return namespaces.find(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
  }

  private boolean isNamed(int doc, DocItem item) {
    docs.idText(doc, idText);
    return idText.matches(modify.buffer(), item.idTextOffset(), item.idTextLength());
  }

  /** The doc of a change, or the set of a lease, after a check that passed. */
  int changed(int index) {
    return found.getInt(index);
  }

  /** The doc of a delete, after a check that passed. */
  int deleted(int index) {
    return found.getInt(modify.docChangeCount() + index);
  }
}
