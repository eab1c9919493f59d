package io.entroq.engine.state;

import io.entroq.codec.command.DocDataDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;

/** Commits the doc items of a Modify after its checks (contract 2.8); nothing here can fail. */
final class DocStep {

  private static final int FIRST_VERSION = 1;

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final DocTable table;
  private final DocCheck check;
  private final ModifyDecoder modify;
  private final ReplyWriter answers;
  private final Bytes key = new Bytes();
  private final Bytes secondaryKey = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes value = new Bytes();
  private long nowMs;

  DocStep(
      Stores stores, DocTable table, DocCheck check, ModifyDecoder modify, ReplyWriter answers) {
    this.docs = stores.docs;
    this.namespaces = stores.namespaces;
    this.table = table;
    this.check = check;
    this.modify = modify;
    this.answers = answers;
  }

  void commit(long timeMs) {
    nowMs = timeMs;
    int docsBefore = docs.size();
    for (int i = 0; i < modify.docInsertCount(); i++) {
      insert(modify.docInsert(i));
    }
    for (int i = 0; i < modify.docChangeCount(); i++) {
      change(check.changed(i), modify.docChange(i));
    }
    for (int i = 0; i < modify.docDeleteCount(); i++) {
      table.delete(check.deleted(i));
    }
    Invariant.check(
        docs.size() == docsBefore + modify.docInsertCount() - modify.docDeleteCount(),
        "a Modify adds what it inserts and removes what it deletes",
        docsBefore,
        docs.size());
  }

  private void insert(DocDataDecoder insert) {
    int namespace =
        namespaces.findOrAdd(modify.buffer(), insert.namespaceOffset(), insert.namespaceLength());
    int doc = docs.add(namespace, insert.idHigh(), insert.idLow());
    key.set(modify.buffer(), insert.keyOffset(), insert.keyLength());
    secondaryKey.set(modify.buffer(), insert.secondaryKeyOffset(), insert.secondaryKeyLength());
    idText.set(modify.buffer(), insert.idTextOffset(), insert.idTextLength());
    content(doc, insert);
    docs.insertSequence(doc, answers.stepSequence());
    docs.version(doc, FIRST_VERSION);
    docs.createdMs(doc, nowMs);
    docs.modifiedMs(doc, nowMs);
    docs.arrivalMs(doc, nowMs);
    table.intoOrder(doc);
    table.attach(doc, nowMs);
    answers.writtenDoc(doc);
  }

  private void change(int doc, DocDataDecoder change) {
    table.detach(doc);
    docs.key(doc, key);
    docs.secondaryKey(doc, secondaryKey);
    docs.idText(doc, idText);
    if (change.keyLength() > 0) {
      key.set(modify.buffer(), change.keyOffset(), change.keyLength());
    }
    if (change.secondaryKeyLength() > 0) {
      secondaryKey.set(modify.buffer(), change.secondaryKeyOffset(), change.secondaryKeyLength());
    }
    boolean isMoved = !docs.hasKeys(doc, key, secondaryKey);
    if (isMoved) {
      table.outOfOrder(doc);
    }
    content(doc, change);
    if (isMoved) {
      table.intoOrder(doc);
    }
    docs.version(doc, docs.version(doc) + 1);
    docs.modifiedMs(doc, nowMs);
    hold(doc, ArrivalTime.ms(change.byMs(), change.arrivalMs(), nowMs));
    table.attach(doc, nowMs);
    answers.writtenDoc(doc);
  }

  private void content(int doc, DocDataDecoder data) {
    value.set(modify.buffer(), data.valueOffset(), data.valueLength());
    docs.content(doc, key, secondaryKey, idText, data.valueKind(), value);
  }

  private void hold(int doc, long arrivalMs) {
    docs.arrivalMs(doc, arrivalMs);
    if (arrivalMs > nowMs) {
      table.claimant(
          doc,
          modify.claimantHigh(),
          modify.claimantLow(),
          modify.buffer(),
          modify.claimantTextOffset(),
          modify.claimantTextLength());
    } else {
      table.noClaimant(doc);
    }
  }
}
