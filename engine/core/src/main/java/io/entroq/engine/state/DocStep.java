package io.entroq.engine.state;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.DocFlyweight;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import org.agrona.collections.IntArrayList;

/**
 * Commits the items of a Modify about docs and doc sets after its checks (contract 2.8); nothing
 * here can fail. Each set that it writes to moves on by one version, however many items concern it.
 */
final class DocStep {

  private final DocStore docs;
  private final DocSetStore sets;
  private final NamespaceStore namespaces;
  private final DocTable table;
  private final DocCheck check;
  private final ModifyDecoder modify;
  private final ReplyWriter answers;
  private final Bytes namespace = new Bytes();
  private final Bytes key = new Bytes();
  private final Bytes secondaryKey = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes value = new Bytes();

  /** The sets that this step writes to, in the order of their first items. */
  private final IntArrayList touched = new IntArrayList();

  /** Inserted docs, then changed docs, and leased sets as complements. */
  private final IntArrayList written = new IntArrayList();

  /** A set with a higher order has been written by this step. */
  private long orderBefore;

  private long nowMs;

  DocStep(
      Stores stores, DocTable table, DocCheck check, ModifyDecoder modify, ReplyWriter answers) {
    this.docs = stores.docs;
    this.sets = stores.docSets;
    this.namespaces = stores.namespaces;
    this.table = table;
    this.check = check;
    this.modify = modify;
    this.answers = answers;
  }

  void commit(long timeMs) {
    nowMs = timeMs;
    orderBefore = sets.lastOrder();
    touched.clear();
    written.clear();
    int docsAfter = docs.size() + modify.docInsertCount() - modify.docDeleteCount();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      insert(modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      DocDataDecoder change = modify.docChange(i);
      if (DocCheck.isLease(change)) {
        lease(check.changed(i), change);
      } else {
        change(check.changed(i), change);
      }
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      delete(check.deleted(i));
    }
    Invariant.check(
        docs.size() == docsAfter,
        "a Modify adds what it inserts and removes what it deletes",
        docsAfter,
        docs.size());
    finish();
  }

  /** The answers show each set as all items together leave it. */
  private void finish() {
    Invariant.check(
        sets.lastOrder() == orderBefore + touched.size(),
        "each set is written once",
        orderBefore,
        touched.size());
    for (int i = 0; i < touched.size(); i++) {
      table.restartUsedUp(touched.getInt(i), answers.stepSequence());
      table.attach(touched.getInt(i), nowMs);
    }
    for (int i = 0; i < written.size(); i++) {
      int item = written.getInt(i);
      if (item >= 0) {
        answers.writtenDoc(item);
      } else {
        answers.writtenSet(~item);
      }
    }
    table.forgetUnused(touched.size(), nowMs);
  }

  private void insert(DocDataDecoder insert) {
    key.set(modify.buffer(), insert.keyOffset(), insert.keyLength());
    secondaryKey.set(modify.buffer(), insert.secondaryKeyOffset(), insert.secondaryKeyLength());
    idText.set(modify.buffer(), insert.idTextOffset(), insert.idTextLength());
    int set = check.findSet(insert);
    if (set == Slab.NONE) {
      namespace.set(modify.buffer(), insert.namespaceOffset(), insert.namespaceLength());
      set = table.create(namespace, key, answers.stepSequence(), nowMs);
      touched.addInt(set);
    } else {
      touch(set);
    }
    int doc = docs.add(set, insert.idHigh(), insert.idLow());
    content(doc, insert);
    docs.insertSequence(doc, answers.stepSequence());
    docs.createdMs(doc, nowMs);
    docs.modifiedMs(doc, nowMs);
    table.inserted(doc);
    hold(set, insert);
    written.addInt(doc);
  }

  private void change(int doc, DocDataDecoder change) {
    int set = docs.set(doc);
    touch(set);
    table.beginChange(doc);
    docs.key(doc, key);
    docs.secondaryKey(doc, secondaryKey);
    docs.idText(doc, idText);
    content(doc, change);
    docs.modifiedMs(doc, nowMs);
    table.endChange(doc);
    hold(set, change);
    written.addInt(doc);
  }

  private void content(int doc, DocDataDecoder data) {
    value.set(modify.buffer(), data.valueOffset(), data.valueLength());
    docs.content(doc, key, secondaryKey, idText, data.valueKind(), value);
  }

  private void lease(int set, DocDataDecoder lease) {
    touch(set);
    hold(set, lease);
    written.addInt(~set);
  }

  private void delete(int doc) {
    touch(docs.set(doc));
    table.delete(doc);
  }

  private void touch(int set) {
    if (sets.order(set) <= orderBefore) {
      table.detach(set, nowMs);
      touched.addInt(set);
    }
  }

  private void hold(int set, DocDataDecoder item) {
    table.hold(
        set,
        leaseEndMs(item),
        modify.claimantHigh(),
        modify.claimantLow(),
        modify.buffer(),
        modify.claimantTextOffset(),
        modify.claimantTextLength());
  }

  /** Until when an item holds its set; not in the future if it does not. */
  private long leaseEndMs(DocDataDecoder item) {
    if (item.byMs() == 0) {
      return item.arrivalMs();
    }
    return item.byMs() < 0 ? nowMs : ArrivalTime.saturatedSum(nowMs, item.byMs());
  }

  // Requests that come again.

  /** Repeats the written docs and sets of a reply. */
  void repeat(Receipt receipt) {
    receipt.rewindToDocs();
    for (int i = 0; i < receipt.docCount(); i++) {
      DocDataDecoder item = item(i);
      namespace.set(modify.buffer(), item.namespaceOffset(), item.namespaceLength());
      if (receipt.isSet()) {
        repeatSet(receipt, item);
      } else {
        repeatDoc(receipt, item, i < modify.docInsertCount());
      }
      receipt.nextDoc();
    }
  }

  /** Inserted docs come before changed ones. */
  private DocDataDecoder item(int index) {
    int inserts = modify.docInsertCount();
    return index < inserts ? modify.docInsert(index) : modify.docChange(index - inserts);
  }

  private void repeatSet(Receipt receipt, DocDataDecoder lease) {
    int set = check.findSet(lease);
    DocFlyweight view = answers.docView();
    if (receipt.isUnchanged(sets, set)) {
      view.wrapSet(set);
    } else {
      key.set(modify.buffer(), lease.keyOffset(), lease.keyLength());
      view.wrapReceipt(receipt, namespace, key);
      holder(receipt, view);
    }
    answers.sink().onDoc(view);
  }

  private void repeatDoc(Receipt receipt, DocDataDecoder item, boolean isInsert) {
    int owner = namespaces.find(namespace.buffer(), namespace.offset(), namespace.length());
    int doc = receipt.find(docs, owner);
    DocFlyweight view = answers.docView();
    if (doc != Slab.NONE && sets.version(docs.set(doc)) == receipt.version()) {
      answers.sink().onDoc(view.wrap(doc, false));
      return;
    }
    key.clear();
    secondaryKey.clear();
    if (isInsert) {
      key.set(modify.buffer(), item.keyOffset(), item.keyLength());
      secondaryKey.set(modify.buffer(), item.secondaryKeyOffset(), item.secondaryKeyLength());
    } else if (doc != Slab.NONE) {
      docs.key(doc, key);
      docs.secondaryKey(doc, secondaryKey);
    }
    idText.set(modify.buffer(), item.idTextOffset(), item.idTextLength());
    view.wrapReceipt(receipt, namespace, key).named(idText, secondaryKey);
    holder(receipt, view);
    answers.sink().onDoc(view);
  }

  private void holder(Receipt receipt, DocFlyweight view) {
    if (receipt.docArrivalMs() > receipt.logTimeMs()) {
      view.claimant(
          modify.claimantHigh(),
          modify.claimantLow(),
          modify.buffer(),
          modify.claimantTextOffset(),
          modify.claimantTextLength());
    }
  }
}
