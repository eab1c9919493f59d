package io.entroq.engine.receipt;

import io.entroq.codec.result.ResultRules;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import org.agrona.BufferUtil;
import org.agrona.ExpandableDirectByteBuffer;

/** Builds a receipt while its request is executed, then stores it in an arena. */
public final class ReceiptWriter {

  private static final int CAPACITY_BYTES = 4096;

  private final ExpandableDirectByteBuffer scratch = new ExpandableDirectByteBuffer(CAPACITY_BYTES);
  private int end;

  /** Bytes of decided tasks, whose entries differ in size. */
  private int decidedBytes;

  /** Begins a receipt. */
  public void begin(long number, long requestSequence, int bodyCrc, boolean isClaim) {
    scratch.setMemory(0, Receipt.HEADER_BYTES, (byte) 0);
    scratch.putLong(Receipt.NUMBER, number);
    scratch.putLong(Receipt.REQUEST_SEQUENCE, requestSequence);
    scratch.putInt(Receipt.BODY_CRC, bodyCrc);
    scratch.putInt(Receipt.MARKS, isClaim ? Receipt.MARK_CLAIM : 0);
    end = Receipt.HEADER_BYTES;
    decidedBytes = 0;
  }

  /** Makes this the receipt of a Modify. Call before adding entries. */
  public void ofModify() {
    scratch.putInt(Receipt.MARKS, scratch.getInt(Receipt.MARKS) | Receipt.MARK_MODIFY);
  }

  /** Sets the result and its step. */
  public void answered(int code, long stepSequence, long logTimeMs) {
    scratch.putInt(Receipt.CODE, code);
    scratch.putLong(Receipt.STEP_SEQUENCE, stepSequence);
    scratch.putLong(Receipt.LOG_TIME, logTimeMs);
  }

  /** Sets the slot of the parked claim. */
  public void parked(int waiter) {
    scratch.putInt(Receipt.WAITER, waiter);
  }

  /** Sets the item that caused a refusal. */
  public void item(int kind, int index) {
    scratch.putInt(Receipt.ITEM_KIND, kind);
    scratch.putInt(Receipt.ITEM_INDEX, index);
  }

  public void inserted(TaskStore tasks, int task) {
    count(Receipt.INSERTED);
    entry(tasks, task);
    written(tasks.claims(task), tasks.createdMs(task));
  }

  public void changed(TaskStore tasks, int task) {
    count(Receipt.CHANGED);
    entry(tasks, task);
    written(tasks.claims(task), tasks.createdMs(task));
  }

  /**
   * Adds a doc.
   *
   * @param setIndex position of its set in a ClaimDocs, from 0; 0 for a Modify
   */
  public void doc(DocStore docs, DocSetStore sets, int doc, int setIndex) {
    int set = docs.set(doc);
    entry(docs.idHigh(doc), docs.idLow(doc), sets.version(set), docs.insertSequence(doc));
    doc(setIndex, docs.createdMs(doc), sets.arrivalMs(set));
  }

  /** Adds a doc set. */
  public void set(DocSetStore sets, int set, int setIndex) {
    entry(0, 0, sets.version(set), sets.createdSequence(set));
    doc(setIndex, sets.docCount(set), sets.arrivalMs(set));
  }

  private void doc(int setIndex, long created, long arrivalMs) {
    count(Receipt.DOCS);
    scratch.putInt(end + Receipt.ENTRY_SET_INDEX, setIndex);
    scratch.putLong(end + Receipt.ENTRY_CREATED, created);
    scratch.putLong(end + Receipt.ENTRY_DOC_ARRIVAL, arrivalMs);
    end += Receipt.DOC_BYTES;
  }

  private void written(int claims, long createdMs) {
    scratch.putInt(end + Receipt.ENTRY_CLAIMS, claims);
    scratch.putLong(end + Receipt.ENTRY_CREATED, createdMs);
    end += Receipt.WRITTEN_BYTES;
  }

  /**
   * Adds a decided task, or a copy of an insert.
   *
   * @param kind the list that its item is in: inserts, changes or fails
   * @param queueName the queue that it is in now
   */
  public void decided(
      TaskStore tasks, int task, TaskAttributes attributes, int kind, int index, Bytes queueName) {
    count(Receipt.FAILURES);
    entry(tasks, task);
    scratch.putInt(end + Receipt.ENTRY_CLAIMS, tasks.claims(task));
    scratch.putLong(end + Receipt.ENTRY_CREATED, tasks.createdMs(task));
    scratch.putLong(end + Receipt.DECIDED_ARRIVAL, tasks.arrivalMs(task));
    scratch.putLong(end + Receipt.DECIDED_EXPIRES, attributes.expiresMs());
    scratch.putLong(end + Receipt.DECIDED_DEAD_AT, attributes.deadAtMs());
    scratch.putInt(end + Receipt.DECIDED_KIND, kind);
    scratch.putInt(end + Receipt.DECIDED_INDEX, index);
    scratch.putInt(end + Receipt.DECIDED_ATTEMPT, tasks.attempt(task));
    scratch.putInt(end + Receipt.DECIDED_LAPSES, attributes.lapses());
    scratch.putInt(end + Receipt.DECIDED_REASON, attributes.reason());
    int nameLength = queueName.length();
    scratch.putInt(end + Receipt.DECIDED_NAME_LENGTH, nameLength);
    int padded = Receipt.align(nameLength);
    scratch.setMemory(end + Receipt.DECIDED_BYTES, padded, (byte) 0);
    put(end + Receipt.DECIDED_BYTES, queueName);
    decidedBytes += Receipt.DECIDED_BYTES + padded;
    end += Receipt.DECIDED_BYTES + padded;
  }

  /** Adds a claimed task; {@link #former} follows. */
  public void claimed(TaskStore tasks, int task) {
    count(Receipt.CLAIMED);
    entry(tasks, task);
    end += Receipt.CLAIMED_BYTES;
  }

  private void entry(TaskStore tasks, int task) {
    entry(tasks.idHigh(task), tasks.idLow(task), tasks.version(task), tasks.insertSequence(task));
  }

  private void entry(long idHigh, long idLow, int version, long insertSequence) {
    scratch.putLong(end + Receipt.ENTRY_ID_HIGH, idHigh);
    scratch.putLong(end + Receipt.ENTRY_ID_LOW, idLow);
    scratch.putInt(end + Receipt.ENTRY_VERSION, version);
    scratch.putInt(end + Receipt.ENTRY_HAD_TEXT, 0);
    scratch.putLong(end + Receipt.ENTRY_INSERT_SEQUENCE, insertSequence);
  }

  /** Sets the former arrival time and claimant of the task added last. */
  public void former(long arrivalMs, long claimantHigh, long claimantLow, boolean hadText) {
    Invariant.check(scratch.getInt(Receipt.CLAIMED) > 0, "a task was added", end, arrivalMs);
    int entry = end - Receipt.CLAIMED_BYTES;
    scratch.putInt(entry + Receipt.ENTRY_HAD_TEXT, hadText ? 1 : 0);
    scratch.putLong(entry + Receipt.ENTRY_ARRIVAL, arrivalMs);
    scratch.putLong(entry + Receipt.ENTRY_CLAIMANT_HIGH, claimantHigh);
    scratch.putLong(entry + Receipt.ENTRY_CLAIMANT_LOW, claimantLow);
  }

  public void failure(FailedItem item) {
    count(Receipt.FAILURES);
    scratch.putInt(end + Receipt.FAILURE_KIND, item.kind());
    scratch.putInt(end + Receipt.FAILURE_INDEX, item.index());
    scratch.putInt(end + Receipt.FAILURE_CLAIMED, item.isClaimed() ? 1 : 0);
    scratch.putInt(end + Receipt.FAILURE_VERSION, item.existingVersion());
    scratch.putLong(end + Receipt.FAILURE_ID_HIGH, item.existingIdHigh());
    scratch.putLong(end + Receipt.FAILURE_ID_LOW, item.existingIdLow());
    int nameLength = item.existingName().length();
    int idTextLength = item.existingIdText().length();
    scratch.putInt(end + Receipt.FAILURE_NAME_LENGTH, nameLength);
    scratch.putInt(end + Receipt.FAILURE_ID_TEXT_LENGTH, idTextLength);
    int at = end + Receipt.FAILURE_BYTES;
    int padded = Receipt.align(nameLength + idTextLength);
    scratch.setMemory(at, padded, (byte) 0);
    put(at, item.existingName());
    put(at + nameLength, item.existingIdText());
    end = at + padded;
  }

  private void put(int at, Bytes text) {
    scratch.putBytes(at, text.buffer(), text.offset(), text.length());
  }

  /** Sets size and limit of a full queue; there are no entries. */
  public void queueFull(long tasks, long tasksMax) {
    scratch.putLong(Receipt.FULL_TASKS, tasks);
    scratch.putLong(Receipt.FULL_TASKS_MAX, tasksMax);
    Invariant.check(end == Receipt.HEADER_BYTES, "a full queue has no entries", end, tasks);
    end = Receipt.HEADER_BYTES + Receipt.FULL_BYTES;
  }

  private void count(int counter) {
    scratch.putInt(counter, scratch.getInt(counter) + 1);
  }

  /** Stores the receipt in a new block of the arena. */
  public long store(Arena arena) {
    // Readers skip entries by count and size: with a wrong length they misread what follows.
    Invariant.check(isOfCountedLength(), "a receipt is as long as its entries", end, number());
    scratch.putInt(Receipt.LENGTH, end);
    long block = arena.allocate(end);
    arena.buffer(block).putBytes(arena.offset(block), scratch, 0, end);
    return block;
  }

  private boolean isOfCountedLength() {
    int counted =
        Receipt.HEADER_BYTES
            + (scratch.getInt(Receipt.INSERTED) + scratch.getInt(Receipt.CHANGED))
                * Receipt.WRITTEN_BYTES
            + scratch.getInt(Receipt.DOCS) * Receipt.DOC_BYTES
            + decidedBytes
            + scratch.getInt(Receipt.CLAIMED) * Receipt.CLAIMED_BYTES;
    boolean hasMore =
        (decidedBytes == 0 && scratch.getInt(Receipt.FAILURES) > 0)
            || ResultRules.isOfQueueLimit(scratch.getInt(Receipt.CODE));
    return hasMore ? end > counted : end == counted;
  }

  private long number() {
    return scratch.getLong(Receipt.NUMBER);
  }

  public void close() {
    BufferUtil.free(scratch.byteBuffer());
  }
}
