package io.entroq.engine.state;

import io.entroq.engine.doc.DocStore;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import org.agrona.DirectBuffer;

/** Presents a stored doc, or what a receipt kept of one. */
final class DocFlyweight implements DocView {

  private static final int NOT_STORED = -1;

  private final DocStore docs;
  private final NamespaceStore namespaces;
  private final Claimants claimants;
  private final Bytes namespace = new Bytes();
  private final Bytes idText = new Bytes();
  private final Bytes claimantText = new Bytes();
  private final Bytes key = new Bytes();
  private final Bytes secondaryKey = new Bytes();
  private final Bytes value = new Bytes();
  private int slot;
  private boolean showsValue;
  private long receiptIdHigh;
  private long receiptIdLow;
  private int receiptVersion;
  private long receiptTimeMs;
  private long receiptArrivalMs;
  private long receiptClaimantHigh;
  private long receiptClaimantLow;
  private long receiptCreatedMs;

  DocFlyweight(Stores stores) {
    this.docs = stores.docs;
    this.namespaces = stores.namespaces;
    this.claimants = stores.claimants;
  }

  /** Presents a stored doc, with or without its value. */
  DocView wrap(int doc, boolean withValue) {
    slot = doc;
    showsValue = withValue;
    namespaces.name(docs.namespace(doc), namespace);
    docs.idText(doc, idText);
    docs.key(doc, key);
    docs.secondaryKey(doc, secondaryKey);
    claimantText.clear();
    if (docs.hasClaimantText(doc)) {
      claimants.text(docs.claimantHigh(doc), docs.claimantLow(doc), claimantText);
    }
    value.clear();
    if (withValue) {
      docs.value(doc, value);
    }
    return this;
  }

  /**
   * Presents a doc that has changed since, from a receipt. {@link #created}, {@link #arrival} and
   * {@link #claimant} add further fields.
   */
  DocFlyweight wrapReceipt(Bytes inNamespace, long idHigh, long idLow, int version, long timeMs) {
    slot = NOT_STORED;
    showsValue = false;
    namespace.set(inNamespace.buffer(), inNamespace.offset(), inNamespace.length());
    receiptIdHigh = idHigh;
    receiptIdLow = idLow;
    receiptVersion = version;
    receiptTimeMs = timeMs;
    receiptArrivalMs = 0;
    receiptClaimantHigh = 0;
    receiptClaimantLow = 0;
    receiptCreatedMs = 0;
    idText.clear();
    claimantText.clear();
    key.clear();
    secondaryKey.clear();
    value.clear();
    return this;
  }

  void created(long createdMs) {
    receiptCreatedMs = createdMs;
  }

  /** The end of its lease, or the time since which it had no claimant. */
  void arrival(long arrivalMs) {
    receiptArrivalMs = arrivalMs;
  }

  /** Its claimant; the text is empty if the key determines it. */
  void claimant(long high, long low, DirectBuffer text, int offset, int length) {
    receiptClaimantHigh = high;
    receiptClaimantLow = low;
    claimantText.set(text, offset, length);
  }

  private boolean isStored() {
    return slot != NOT_STORED;
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
    return isStored() ? docs.idHigh(slot) : receiptIdHigh;
  }

  @Override
  public long idLow() {
    return isStored() ? docs.idLow(slot) : receiptIdLow;
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
    return isStored() ? docs.version(slot) : receiptVersion;
  }

  @Override
  public long arrivalMs() {
    return isStored() ? docs.arrivalMs(slot) : receiptArrivalMs;
  }

  @Override
  public long claimantHigh() {
    return isStored() ? docs.claimantHigh(slot) : receiptClaimantHigh;
  }

  @Override
  public long claimantLow() {
    return isStored() ? docs.claimantLow(slot) : receiptClaimantLow;
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
    return showsValue ? docs.valueKind(slot) : 0;
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
    return isStored() ? docs.createdMs(slot) : receiptCreatedMs;
  }

  @Override
  public long modifiedMs() {
    return isStored() ? docs.modifiedMs(slot) : receiptTimeMs;
  }
}
