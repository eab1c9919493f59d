package io.entroq.engine.state;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.KeySet;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.collections.IntArrayList;

/**
 * Checks the doc items of a Modify (contract 2.8): finds the docs and reports every failure to the
 * {@link ModifyCheck}. Changes nothing.
 */
final class DocCheck {

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final DocTable table;
  private final ModifyDecoder modify;
  private final ModifyCheck failures;
  private final KeySet insertedIds = new KeySet();
  private final KeySet namedIds = new KeySet();
  private final Bytes idText = new Bytes();
  private final IntArrayList found = new IntArrayList();
  private long nowMs;

  DocCheck(Stores stores, DocTable table, ModifyDecoder modify, ModifyCheck failures) {
    this.docs = stores.docs;
    this.namespaces = stores.namespaces;
    this.table = table;
    this.modify = modify;
    this.failures = failures;
  }

  void check(long timeMs) {
    nowMs = timeMs;
    found.clear();
    insertedIds.clear();
    namedIds.clear();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      checkInsert(i, modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      checkChange(i, modify.docChange(i));
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      checkDelete(i, modify.docDelete(i));
    }
    for (int i = 0; i < modify.docDependCount(); i++) {
      checkDepend(i, modify.docDepend(i));
    }
  }

  private void checkInsert(int index, DocDataDecoder insert) {
    if (!isFirst(insertedIds, insert)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.DOC_INSERT, index);
    }
    int doc = find(insert);
    if (doc == Slab.NONE) {
      return;
    }
    if (isNamed(doc, insert)) {
      failures.fail(ItemKinds.DOC_INSERT, index, false, Slab.NONE);
    } else {
      failures.refuse(ResultCodes.KEY_COLLISION, ItemKinds.DOC_INSERT, index);
    }
  }

  private void checkChange(int index, DocDataDecoder change) {
    int doc = reference(ItemKinds.DOC_CHANGE, index, change);
    if (doc == Slab.NONE) {
      failures.fail(ItemKinds.DOC_CHANGE, index, false, Slab.NONE);
    } else if (isHeldByAnother(doc)) {
      failures.fail(ItemKinds.DOC_CHANGE, index, true, Slab.NONE);
    } else if (docs.version(doc) == Integer.MAX_VALUE) {
      failures.refuse(ResultCodes.VERSION_EXHAUSTED, ItemKinds.DOC_CHANGE, index);
    }
  }

  private void checkDelete(int index, DocItem delete) {
    int doc = reference(ItemKinds.DOC_DELETE, index, delete);
    if (doc == Slab.NONE) {
      failures.fail(ItemKinds.DOC_DELETE, index, false, Slab.NONE);
    } else if (isHeldByAnother(doc)) {
      failures.fail(ItemKinds.DOC_DELETE, index, true, Slab.NONE);
    }
  }

  private void checkDepend(int index, DocItem depend) {
    if (reference(ItemKinds.DOC_DEPEND, index, depend) == Slab.NONE) {
      failures.fail(ItemKinds.DOC_DEPEND, index, false, Slab.NONE);
    }
  }

  /** The doc that an item names, if it has the version of the item. */
  private int reference(int kind, int index, DocItem item) {
    if (!isFirst(namedIds, item)) {
      failures.refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
    }
    int doc = find(item);
    if (doc != Slab.NONE && (docs.version(doc) != item.version() || !isNamed(doc, item))) {
      doc = Slab.NONE;
    }
    found.addInt(doc);
    return doc;
  }

  /** Hashes namespace and id to one key; a collision is as unlikely as for ids with a text. */
  private boolean isFirst(KeySet ids, DocItem item) {
    long name = Mix.bytes(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
    return ids.add(item.idHigh() ^ Mix.mix(name), item.idLow() + name);
  }

  private int find(DocItem item) {
    int namespace =
        namespaces.find(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
    return docs.find(namespace, item.idHigh(), item.idLow());
  }

  private boolean isNamed(int doc, DocItem item) {
    docs.idText(doc, idText);
    return idText.matches(modify.buffer(), item.idTextOffset(), item.idTextLength());
  }

  private boolean isHeldByAnother(int doc) {
    return table.isHeldByAnother(doc, modify.claimantHigh(), modify.claimantLow(), nowMs);
  }

  /** The doc of a change, after a check that passed. */
  int changed(int index) {
    return found.getInt(index);
  }

  /** The doc of a delete, after a check that passed. */
  int deleted(int index) {
    return found.getInt(modify.docChangeCount() + index);
  }
}
