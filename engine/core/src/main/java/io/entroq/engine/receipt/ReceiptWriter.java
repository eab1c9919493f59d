package io.entroq.engine.receipt;

import io.entroq.codec.result.ResultRules;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.BufferUtil;
import org.agrona.ExpandableDirectByteBuffer;

/** Builds a receipt while its request is executed, then stores it in an arena. */
public final class ReceiptWriter {

  private static final int CAPACITY_BYTES = 4096;

  private final ExpandableDirectByteBuffer scratch = new ExpandableDirectByteBuffer(CAPACITY_BYTES);
  private int end;
  private boolean isModify;

  /** Begins a receipt. */
  public void begin(long number, long requestSequence, int bodyCrc, boolean isClaim) {
    scratch.setMemory(0, Receipt.HEADER_BYTES, (byte) 0);
    scratch.putLong(Receipt.NUMBER, number);
    scratch.putLong(Receipt.REQUEST_SEQUENCE, requestSequence);
    scratch.putInt(Receipt.BODY_CRC, bodyCrc);
    scratch.putInt(Receipt.MARKS, isClaim ? Receipt.MARK_CLAIM : 0);
    end = Receipt.HEADER_BYTES;
    isModify = false;
  }

  /**
   * Makes this the receipt of a Modify, which keeps what a retry does not repeat. Call before
   * adding entries.
   */
  public void ofModify() {
    isModify = true;
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

  public void doc(DocStore docs, int doc) {
    count(Receipt.DOCS);
    entry(docs.idHigh(doc), docs.idLow(doc), docs.version(doc), docs.insertSequence(doc));
    written(0, docs.createdMs(doc));
  }

  private void written(int claims, long createdMs) {
    if (isModify) {
      scratch.putInt(end + Receipt.ENTRY_CLAIMS, claims);
      scratch.putLong(end + Receipt.ENTRY_CREATED, createdMs);
    }
    end += Receipt.writtenBytes(isModify);
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

  /** Adds a failed item; version -1 and no queue if it is not an insert. */
  public void failure(int kind, int index, boolean claimed, int existingVersion, Bytes queue) {
    count(Receipt.FAILURES);
    scratch.putInt(end + Receipt.FAILURE_KIND, kind);
    scratch.putInt(end + Receipt.FAILURE_INDEX, index);
    scratch.putInt(end + Receipt.FAILURE_CLAIMED, claimed ? 1 : 0);
    scratch.putInt(end + Receipt.FAILURE_VERSION, existingVersion);
    scratch.putInt(end + Receipt.FAILURE_QUEUE_LENGTH, queue.length());
    int at = end + Receipt.FAILURE_QUEUE;
    int padded = Receipt.align(queue.length());
    scratch.setMemory(at, padded, (byte) 0);
    scratch.putBytes(at, queue.buffer(), queue.offset(), queue.length());
    end = at + padded;
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
            + (scratch.getInt(Receipt.INSERTED)
                    + scratch.getInt(Receipt.CHANGED)
                    + scratch.getInt(Receipt.DOCS))
                * Receipt.writtenBytes(isModify)
            + scratch.getInt(Receipt.CLAIMED) * Receipt.CLAIMED_BYTES;
    boolean hasMore =
        scratch.getInt(Receipt.FAILURES) > 0
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
