package io.entroq.codec.command;

import org.agrona.DirectBuffer;

/**
 * Reads a Modify. Everything that it returns, the decoders of its items included, is valid until
 * the next wrap.
 */
public final class ModifyDecoder {
  private static final int IDENTITY_TAG = 1 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int FACADE_TAG = 2 << 3 | WireReader.VARINT;
  private static final int CLAIMANT_TAG = 3 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int INSERTS_TAG = 4 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int CHANGES_TAG = 5 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DELETES_TAG = 6 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DEPENDS_TAG = 7 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int THEN_CLAIM_TAG = 8 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DOC_INSERTS_TAG = 9 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DOC_CHANGES_TAG = 10 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DOC_DELETES_TAG = 11 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int DOC_DEPENDS_TAG = 12 << 3 | WireReader.LENGTH_DELIMITED;
  private static final int QUEUE_TASKS_MAX_FIELD = 13;
  private static final int QUEUE_TASKS_MAX_TAG = QUEUE_TASKS_MAX_FIELD << 3 | WireReader.VARINT;

  private final WireReader reader = new WireReader();
  private final BodyCrc bodyCrc = new BodyCrc(QUEUE_TASKS_MAX_FIELD);
  private final IdentityDecoder identity = new IdentityDecoder();
  private final IdDecoder claimant = new IdDecoder();
  private final ItemList<InsertDecoder> inserts = new ItemList<>(InsertDecoder::new);
  private final ItemList<ChangeDecoder> changes = new ItemList<>(ChangeDecoder::new);
  private final ItemList<TaskRefDecoder> deletes = new ItemList<>(TaskRefDecoder::new);
  private final ItemList<TaskRefDecoder> depends = new ItemList<>(TaskRefDecoder::new);
  private final ItemList<DocDataDecoder> docInserts = new ItemList<>(DocDataDecoder::new);
  private final ItemList<DocDataDecoder> docChanges = new ItemList<>(DocDataDecoder::new);
  private final ItemList<DocRefDecoder> docDeletes = new ItemList<>(DocRefDecoder::new);
  private final ItemList<DocRefDecoder> docDepends = new ItemList<>(DocRefDecoder::new);
  private final ClaimDecoder thenClaim = new ClaimDecoder(reader);
  private int length;
  private boolean isV0;
  private boolean hasThenClaim;
  private long queueTasksMax;

  /** A decoder of nothing until it is wrapped. */
  public ModifyDecoder() {}

  /**
   * Reads and checks a whole Modify.
   *
   * @throws MalformedMessageException if it is not one; then nothing of this decoder may be used
   */
  public void wrap(DirectBuffer buffer, int offset, int length) {
    reader.wrap(buffer, offset, length);
    clear();
    this.length = length;
    read();
    identity.checkRequest(reader);
    claimant.check(reader, "Modify.claimant");
    if (hasThenClaim) {
      thenClaim.checkInner();
    }
  }

  private void clear() {
    identity.clear();
    claimant.clear();
    inserts.clear();
    changes.clear();
    deletes.clear();
    depends.clear();
    docInserts.clear();
    docChanges.clear();
    docDeletes.clear();
    docDepends.clear();
    if (hasThenClaim) {
      thenClaim.clear();
    }
    isV0 = false;
    hasThenClaim = false;
    queueTasksMax = 0;
  }

  private void read() {
    while (reader.hasNext()) {
      int tag = reader.tag("Modify");
      switch (tag) {
        case IDENTITY_TAG -> identity.read(reader, "Modify.identity");
        case FACADE_TAG -> isV0 = reader.enumeration("Modify.facade", 1) == 1;
        case CLAIMANT_TAG -> claimant.read(reader, "Modify.claimant");
        case INSERTS_TAG -> inserts.add().read(reader);
        case CHANGES_TAG -> changes.add().read(reader);
        case DELETES_TAG -> deletes.add().read(reader, "Modify.deletes");
        case DEPENDS_TAG -> depends.add().read(reader, "Modify.depends");
        case THEN_CLAIM_TAG -> {
          hasThenClaim = true;
          thenClaim.readInner();
        }
        case DOC_INSERTS_TAG -> docInserts.add().readInsert(reader, "Modify.doc_inserts");
        case DOC_CHANGES_TAG -> docChanges.add().read(reader, "Modify.doc_changes");
        case DOC_DELETES_TAG -> docDeletes.add().read(reader, "Modify.doc_deletes");
        case DOC_DEPENDS_TAG -> docDepends.add().read(reader, "Modify.doc_depends");
        case QUEUE_TASKS_MAX_TAG -> queueTasksMax = reader.positive("Modify.queue_tasks_max");
        default -> reader.skip(tag, QUEUE_TASKS_MAX_FIELD, "Modify");
      }
    }
  }

  /** What all offsets refer to: a view of the buffer that was wrapped, at the same offsets. */
  public DirectBuffer buffer() {
    return reader.buffer();
  }

  /** Whether the next four say anything; if not, they are 0. */
  public boolean hasIdentity() {
    return identity.isPresent();
  }

  /** Upper half of the client. */
  public long clientHigh() {
    return identity.clientHigh();
  }

  /** Lower half of the client. */
  public long clientLow() {
    return identity.clientLow();
  }

  /** Number of the request, from 1. */
  public long requestNumber() {
    return identity.number();
  }

  /** Every reply to a number below this one has arrived. From 1 to the number. */
  public long ackedBelow() {
    return identity.ackedBelow();
  }

  /** CRC32C over the message without its identity and {@link #queueTasksMax}. */
  public int bodyCrc() {
    return bodyCrc.compute(reader, length);
  }

  /** Whether it came through the v0 API. */
  public boolean isV0() {
    return isV0;
  }

  /** Upper half of the requester's key; both halves 0: nobody. */
  public long claimantHigh() {
    return claimant.high();
  }

  /** Lower half of the requester's key. */
  public long claimantLow() {
    return claimant.low();
  }

  /** Where the requester's text begins. */
  public int claimantTextOffset() {
    return claimant.textOffset();
  }

  /** Bytes of the requester's text; 0: the key gives it back. */
  public int claimantTextLength() {
    return claimant.textLength();
  }

  /** How many tasks to make. */
  public int insertCount() {
    return inserts.count();
  }

  /** The insert at an index from 0. */
  public InsertDecoder insert(int index) {
    return inserts.get(index);
  }

  /** How many tasks to change. */
  public int changeCount() {
    return changes.count();
  }

  /** The change at an index from 0. */
  public ChangeDecoder change(int index) {
    return changes.get(index);
  }

  /** How many tasks to delete. */
  public int deleteCount() {
    return deletes.count();
  }

  /** The delete at an index from 0. */
  public TaskRefDecoder delete(int index) {
    return deletes.get(index);
  }

  /** How many tasks to depend on. */
  public int dependCount() {
    return depends.count();
  }

  /** The dependency at an index from 0. */
  public TaskRefDecoder depend(int index) {
    return depends.get(index);
  }

  /** How many docs to make. */
  public int docInsertCount() {
    return docInserts.count();
  }

  /** The doc to make at an index from 0. */
  public DocDataDecoder docInsert(int index) {
    return docInserts.get(index);
  }

  /** How many docs to change. */
  public int docChangeCount() {
    return docChanges.count();
  }

  /** The doc to change at an index from 0. */
  public DocDataDecoder docChange(int index) {
    return docChanges.get(index);
  }

  /** How many docs to delete. */
  public int docDeleteCount() {
    return docDeletes.count();
  }

  /** The doc to delete at an index from 0. */
  public DocRefDecoder docDelete(int index) {
    return docDeletes.get(index);
  }

  /** How many docs to depend on. */
  public int docDependCount() {
    return docDepends.count();
  }

  /** The doc to depend on at an index from 0. */
  public DocRefDecoder docDepend(int index) {
    return docDepends.get(index);
  }

  /** Whether it names docs in whatever way. */
  public boolean hasDocs() {
    return (docInserts.count() | docChanges.count() | docDeletes.count() | docDepends.count()) != 0;
  }

  /** Whether to claim in the same step. */
  public boolean hasThenClaim() {
    return hasThenClaim;
  }

  /** That claim: only its queues, lease and limit say anything. */
  public ClaimDecoder thenClaim() {
    return thenClaim;
  }

  /** How many tasks a queue may have that this puts tasks into; 0: any number. */
  public long queueTasksMax() {
    return queueTasksMax;
  }
}
