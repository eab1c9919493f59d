package io.entroq.engine.receipt;

import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import org.agrona.DirectBuffer;

/** Presents a stored doc or doc set, or what a receipt kept of one. */
public final class DocFlyweight implements DocView, Effects.DocViewer {

  private final DocStore docs;
  private final DocSetStore sets;
  private final NamespaceStore namespaces;
  private final Claimants claimants;
  private final Bytes namespace = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes claimantText = new Bytes();
  private final Bytes key = new Bytes();
  private final Bytes secondaryKey = new Bytes();
  private final Bytes value = new Bytes();
  private long idHigh;
  private long idLow;
  private int version;
  private long arrivalMs;
  private long claimantHigh;
  private long claimantLow;
  private int valueKind;
  private long createdMs;
  private long modifiedMs;
  private int docCount;

  public DocFlyweight(
      DocStore docs, DocSetStore sets, NamespaceStore namespaces, Claimants claimants) {
    this.docs = docs;
    this.sets = sets;
    this.namespaces = namespaces;
    this.claimants = claimants;
  }

  /** Presents a stored doc, with or without its value. */
  public DocView wrap(int doc, boolean withValue) {
    clear();
    lock(docs.set(doc));
    idHigh = docs.idHigh(doc);
    idLow = docs.idLow(doc);
    createdMs = docs.createdMs(doc);
    modifiedMs = docs.modifiedMs(doc);
    docs.idText(doc, idText);
    docs.key(doc, key);
    docs.secondaryKey(doc, secondaryKey);
    if (withValue) {
      valueKind = docs.valueKind(doc);
      docs.value(doc, value);
    }
    return this;
  }

  @Override
  public DocView doc(int doc) {
    return wrap(doc, true);
  }

  @Override
  public DocView set(int set) {
    return wrapSet(set);
  }

  /** Presents a stored set. */
  public DocView wrapSet(int set) {
    clear();
    lock(set);
    sets.key(set, key);
    modifiedMs = sets.modifiedMs(set);
    docCount = sets.docCount(set);
    return this;
  }

  private void lock(int set) {
    namespaces.name(sets.namespace(set), namespace);
    version = sets.version(set);
    arrivalMs = sets.arrivalMs(set);
    claimantHigh = sets.claimantHigh(set);
    claimantLow = sets.claimantLow(set);
    if (sets.hasClaimantText(set)) {
      claimants.text(claimantHigh, claimantLow, claimantText);
    }
  }

  private void clear() {
    idHigh = 0;
    idLow = 0;
    claimantHigh = 0;
    claimantLow = 0;
    valueKind = 0;
    createdMs = 0;
    docCount = 0;
    idText.clear();
    claimantText.clear();
    secondaryKey.clear();
    value.clear();
  }

  /**
   * Presents a doc or set that has changed since, from the entry of a receipt. {@link #named} or
   * {@link #identified}, and {@link #claimant}, add what the entry does not have.
   */
  public DocFlyweight wrapReceipt(Receipt receipt, Bytes itsNamespace, Bytes itsKey) {
    clear();
    refer(namespace, itsNamespace);
    refer(key, itsKey);
    idHigh = receipt.idHigh();
    idLow = receipt.idLow();
    version = receipt.version();
    arrivalMs = receipt.docArrivalMs();
    modifiedMs = receipt.logTimeMs();
    if (receipt.isSet()) {
      docCount = receipt.setDocs();
    } else {
      createdMs = receipt.createdMs();
    }
    return this;
  }

  /** Adds the id text and secondary key of a doc, which never change. */
  public void identified(int doc) {
    docs.idText(doc, idText);
    docs.secondaryKey(doc, secondaryKey);
  }

  /** Adds an id text and a secondary key. */
  public void named(Bytes itsIdText, Bytes itsSecondaryKey) {
    refer(idText, itsIdText);
    refer(secondaryKey, itsSecondaryKey);
  }

  private static void refer(Bytes part, Bytes to) {
    part.set(to.buffer(), to.offset(), to.length());
  }

  /** Its claimant; the text is empty if the key determines it. */
  public void claimant(long high, long low, DirectBuffer text, int offset, int length) {
    claimantHigh = high;
    claimantLow = low;
    claimantText.set(text, offset, length);
  }

  @Override
  public DirectBuffer namespaceBuffer() {
    return namespace.buffer();
  }

  @Override
  public int namespaceOffset() {
    return namespace.offset();
  }

  @Override
  public int namespaceLength() {
    return namespace.length();
  }

  @Override
  public long idHigh() {
    return idHigh;
  }

  @Override
  public long idLow() {
    return idLow;
  }

  @Override
  public DirectBuffer idTextBuffer() {
    return idText.buffer();
  }

  @Override
  public int idTextOffset() {
    return idText.offset();
  }

  @Override
  public int idTextLength() {
    return idText.length();
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public long arrivalMs() {
    return arrivalMs;
  }

  @Override
  public long claimantHigh() {
    return claimantHigh;
  }

  @Override
  public long claimantLow() {
    return claimantLow;
  }

  @Override
  public DirectBuffer claimantTextBuffer() {
    return claimantText.buffer();
  }

  @Override
  public int claimantTextOffset() {
    return claimantText.offset();
  }

  @Override
  public int claimantTextLength() {
    return claimantText.length();
  }

  @Override
  public DirectBuffer keyBuffer() {
    return key.buffer();
  }

  @Override
  public int keyOffset() {
    return key.offset();
  }

  @Override
  public int keyLength() {
    return key.length();
  }

  @Override
  public DirectBuffer secondaryKeyBuffer() {
    return secondaryKey.buffer();
  }

  @Override
  public int secondaryKeyOffset() {
    return secondaryKey.offset();
  }

  @Override
  public int secondaryKeyLength() {
    return secondaryKey.length();
  }

  @Override
  public int valueKind() {
    return valueKind;
  }

  @Override
  public DirectBuffer valueBuffer() {
    return value.buffer();
  }

  @Override
  public int valueOffset() {
    return value.offset();
  }

  @Override
  public int valueLength() {
    return value.length();
  }

  @Override
  public long createdMs() {
    return createdMs;
  }

  @Override
  public long modifiedMs() {
    return modifiedMs;
  }

  @Override
  public int docCount() {
    return docCount;
  }
}
