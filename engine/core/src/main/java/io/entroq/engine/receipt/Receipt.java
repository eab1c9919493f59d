package io.entroq.engine.receipt;

import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.doc.DocSetStore;
import io.entroq.engine.doc.DocStore;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads one receipt: the result of a request, and the ids and versions in its reply. The entries
 * are in this order: inserted tasks, changed tasks, docs and doc sets, decided tasks, claimed
 * tasks, failures; or, for a full queue, its size and limit.
 *
 * <p>A decided task is one of which the state, not the request, decided what became of it: one of
 * the fails of a Modify, or a change that a policy takes for a failure. The latter also has its
 * place among the changed tasks.
 *
 * <p>A claimed task has its former arrival time and claimant, so that it can be returned. A task or
 * doc that a Modify wrote has what a retry does not repeat: number of claims and creation time of a
 * task, creation time and arrival time of a doc. A ClaimDocs that succeeded has only sets: they
 * have their docs for as long as they are unchanged.
 */
public final class Receipt {

  /** Code of a claim that is still parked. */
  public static final int CODE_PARKED = 0;

  static final int WAITER = 0;
  static final int CODE = 4;
  static final int NUMBER = 8;
  static final int REQUEST_SEQUENCE = 16;
  static final int STEP_SEQUENCE = 24;
  static final int LOG_TIME = 32;
  static final int BODY_CRC = 40;
  static final int INSERTED = 44;
  static final int CHANGED = 48;
  static final int CLAIMED = 52;
  static final int FAILURES = 56;
  static final int ITEM_KIND = 60;
  static final int ITEM_INDEX = 64;
  static final int LENGTH = 68;
  static final int MARKS = 72;
  static final int DOCS = 76;
  static final int HEADER_BYTES = 80;

  /** The request is a Claim. */
  static final int MARK_CLAIM = 1;

  /** The reply, which has claimed tasks, was sent. */
  static final int MARK_DELIVERED = 2;

  /** The request is a Modify; with neither mark it is a ClaimDocs. */
  static final int MARK_MODIFY = 4;

  static final int ENTRY_ID_HIGH = 0;
  static final int ENTRY_ID_LOW = 8;
  static final int ENTRY_VERSION = 16;
  static final int ENTRY_HAD_TEXT = 20;
  static final int ENTRY_INSERT_SEQUENCE = 24;

  // Entries of tasks that a Modify wrote.
  static final int ENTRY_CLAIMS = 20;
  static final int ENTRY_CREATED = 32;
  static final int WRITTEN_BYTES = 40;

  // Entries of docs and sets. A set has no id, and its number of docs as creation time.
  static final int ENTRY_SET_INDEX = 20;
  static final int ENTRY_DOC_ARRIVAL = 40;
  static final int DOC_BYTES = 48;

  // Entries of claimed tasks.
  static final int ENTRY_ARRIVAL = 32;
  static final int ENTRY_CLAIMANT_HIGH = 40;
  static final int ENTRY_CLAIMANT_LOW = 48;
  static final int CLAIMED_BYTES = 56;

  // Entries of decided tasks, each followed by the name of its queue, padded to a multiple of 4.
  static final int DECIDED_ARRIVAL = 40;
  static final int DECIDED_EXPIRES = 48;
  static final int DECIDED_DEAD_AT = 56;
  static final int DECIDED_KIND = 64;
  static final int DECIDED_INDEX = 68;
  static final int DECIDED_ATTEMPT = 72;
  static final int DECIDED_LAPSES = 76;
  static final int DECIDED_REASON = 80;
  static final int DECIDED_NAME_LENGTH = 84;
  static final int DECIDED_BYTES = 88;

  static final int FULL_TASKS = 80;
  static final int FULL_TASKS_MAX = 88;
  static final int FULL_BYTES = 16;

  static final int FAILURE_KIND = 0;
  static final int FAILURE_INDEX = 4;
  static final int FAILURE_CLAIMED = 8;
  static final int FAILURE_VERSION = 12;
  static final int FAILURE_ID_HIGH = 16;
  static final int FAILURE_ID_LOW = 24;
  static final int FAILURE_NAME_LENGTH = 32;
  static final int FAILURE_ID_TEXT_LENGTH = 36;
  static final int FAILURE_BYTES = 40;

  private UnsafeBuffer buffer;
  private int base;
  private int at;

  /** Reads the receipt in a block of an arena. */
  public Receipt wrap(Arena arena, long block) {
    buffer = arena.buffer(block);
    base = arena.offset(block);
    at = base + HEADER_BYTES;
    return this;
  }

  public int waiter() {
    return buffer.getInt(base + WAITER);
  }

  public int code() {
    return buffer.getInt(base + CODE);
  }

  public long number() {
    return buffer.getLong(base + NUMBER);
  }

  /** The sequence of the request's command. */
  public long requestSequence() {
    return buffer.getLong(base + REQUEST_SEQUENCE);
  }

  public long logTimeMs() {
    return buffer.getLong(base + LOG_TIME);
  }

  public int bodyCrc() {
    return buffer.getInt(base + BODY_CRC);
  }

  /** True for a Claim, false for a Modify or ClaimDocs. */
  public boolean isClaim() {
    return (buffer.getInt(base + MARKS) & MARK_CLAIM) != 0;
  }

  /** True if the reply, which has claimed tasks, is known to have been sent. */
  public boolean isDelivered() {
    return (buffer.getInt(base + MARKS) & MARK_DELIVERED) != 0;
  }

  /** Marks the reply, which has claimed tasks, as sent. */
  public void markDelivered() {
    Invariant.check(claimedCount() > 0, "what has left gave tasks", requestSequence(), code());
    buffer.putInt(base + MARKS, buffer.getInt(base + MARKS) | MARK_DELIVERED);
  }

  public int insertedCount() {
    return buffer.getInt(base + INSERTED);
  }

  public int changedCount() {
    return buffer.getInt(base + CHANGED);
  }

  public int claimedCount() {
    return buffer.getInt(base + CLAIMED);
  }

  /** Number of docs and doc sets. */
  public int docCount() {
    return buffer.getInt(base + DOCS);
  }

  /** Number of failed items; 0 if the request was done. */
  public int failureCount() {
    return code() == ResultCodes.OK ? 0 : buffer.getInt(base + FAILURES);
  }

  /**
   * Number of decided tasks: first the copies of inserts, in order, then those that a policy
   * decided about. They are counted where a refusal counts failed items.
   */
  public int decidedCount() {
    return code() == ResultCodes.OK ? buffer.getInt(base + FAILURES) : 0;
  }

  public int itemKind() {
    return buffer.getInt(base + ITEM_KIND);
  }

  public int itemIndex() {
    return buffer.getInt(base + ITEM_INDEX);
  }

  /** Tasks of the full queue, or of the request in it; only if the code is one of a queue limit. */
  public long queueTasks() {
    return buffer.getLong(base + FULL_TASKS);
  }

  /** The limit, likewise. */
  public long queueTasksMax() {
    return buffer.getLong(base + FULL_TASKS_MAX);
  }

  /** Removes the claimed tasks, which come last; a Claim gets the given code. */
  public void dropClaimed(int codeOfClaim) {
    if (isClaim()) {
      buffer.putInt(base + CODE, codeOfClaim);
    }
    int claimed = buffer.getInt(base + CLAIMED);
    Invariant.check(claimed > 0, "claimed tasks to drop", requestSequence(), claimed);
    buffer.putInt(base + MARKS, buffer.getInt(base + MARKS) & ~MARK_DELIVERED);
    buffer.putInt(base + CLAIMED, 0);
    int length = buffer.getInt(base + LENGTH) - claimed * CLAIMED_BYTES;
    Invariant.check(length >= HEADER_BYTES, "a receipt keeps its header", length, claimed);
    buffer.putInt(base + LENGTH, length);
  }

  // The entries in order: each call of a next method skips one.

  /** Goes back to the first entry. */
  public void rewind() {
    at = base + HEADER_BYTES;
  }

  /** Goes to an inserted or changed task, counted from 0 over both. */
  public void rewindToWritten(int index) {
    at = base + HEADER_BYTES + index * WRITTEN_BYTES;
  }

  /** Goes to the first doc or doc set. */
  public void rewindToDocs() {
    at = base + HEADER_BYTES + (insertedCount() + changedCount()) * WRITTEN_BYTES;
  }

  /** Goes to the first decided task. */
  public void rewindToDecided() {
    rewindToDocs();
    at += docCount() * DOC_BYTES;
  }

  /** Goes to the first claimed task. */
  public void rewindToClaimed() {
    rewindToDecided();
    for (int i = 0; i < decidedCount(); i++) {
      nextDecided();
    }
  }

  /** Goes to the first failure. */
  public void rewindToFailures() {
    rewindToClaimed();
    at += claimedCount() * CLAIMED_BYTES;
  }

  /** The present entry, for {@link #backTo}. */
  public int mark() {
    return at - base;
  }

  /** Goes to an entry. */
  public void backTo(int mark) {
    at = base + mark;
  }

  /** Skips an inserted or changed task. */
  public void nextWritten() {
    at += WRITTEN_BYTES;
  }

  /** Skips a doc or doc set. */
  public void nextDoc() {
    at += DOC_BYTES;
  }

  /** Skips a decided task. */
  public void nextDecided() {
    at += DECIDED_BYTES + align(buffer.getInt(at + DECIDED_NAME_LENGTH));
  }

  /** Goes to the first decided task of an item; false if it has none. */
  public boolean findDecided(int itemKind, int itemIndex) {
    rewindToDecided();
    for (int i = 0; i < decidedCount(); i++) {
      if (buffer.getInt(at + DECIDED_KIND) == itemKind
          && buffer.getInt(at + DECIDED_INDEX) == itemIndex) {
        return true;
      }
      nextDecided();
    }
    return false;
  }

  /** The list of the Modify that a decided task is from: inserts, changes or fails. */
  public int decidedKind() {
    return buffer.getInt(at + DECIDED_KIND);
  }

  /** The position of its item in that list, from 0. */
  public int decidedIndex() {
    return buffer.getInt(at + DECIDED_INDEX);
  }

  /** When a decided task is available again. */
  public long decidedArrivalMs() {
    return buffer.getLong(at + DECIDED_ARRIVAL);
  }

  public long decidedExpiresMs() {
    return buffer.getLong(at + DECIDED_EXPIRES);
  }

  public long decidedDeadAtMs() {
    return buffer.getLong(at + DECIDED_DEAD_AT);
  }

  public int decidedAttempt() {
    return buffer.getInt(at + DECIDED_ATTEMPT);
  }

  public int decidedLapses() {
    return buffer.getInt(at + DECIDED_LAPSES);
  }

  public int decidedReason() {
    return buffer.getInt(at + DECIDED_REASON);
  }

  /** The queue of a decided task, which is not always the one that it was in before. */
  public void decidedQueue(Bytes into) {
    into.set(buffer, at + DECIDED_BYTES, buffer.getInt(at + DECIDED_NAME_LENGTH));
  }

  public void nextClaimed() {
    at += CLAIMED_BYTES;
  }

  public void nextFailure() {
    int texts =
        buffer.getInt(at + FAILURE_NAME_LENGTH) + buffer.getInt(at + FAILURE_ID_TEXT_LENGTH);
    at += FAILURE_BYTES + align(texts);
  }

  public long idHigh() {
    return buffer.getLong(at + ENTRY_ID_HIGH);
  }

  public long idLow() {
    return buffer.getLong(at + ENTRY_ID_LOW);
  }

  public int version() {
    return buffer.getInt(at + ENTRY_VERSION);
  }

  /** Number of claims of a written task. */
  public int claims() {
    return buffer.getInt(at + ENTRY_CLAIMS);
  }

  /** Creation time of a written task or a doc, in milliseconds since the epoch. */
  public long createdMs() {
    return buffer.getLong(at + ENTRY_CREATED);
  }

  /** Whether the entry of a doc is one of a doc set. */
  public boolean isSet() {
    return (idHigh() | idLow()) == 0;
  }

  /** Number of docs of a set. */
  public int setDocs() {
    return (int) buffer.getLong(at + ENTRY_CREATED);
  }

  /** Position of the set in the ClaimDocs, from 0; also of the set of a doc. 0 for a Modify. */
  public int setIndex() {
    return buffer.getInt(at + ENTRY_SET_INDEX);
  }

  /** The arrival time of the set, also for a doc, in milliseconds since the epoch. */
  public long docArrivalMs() {
    return buffer.getLong(at + ENTRY_DOC_ARRIVAL);
  }

  /**
   * The slot of the entry's task if it is unchanged, or {@link Slab#NONE}. A task inserted again
   * with the same id is another one, even if its version is the same.
   */
  public int findUnchanged(TaskStore tasks) {
    int task = tasks.find(idHigh(), idLow());
    boolean isUnchanged =
        task != Slab.NONE
            && tasks.version(task) == version()
            && tasks.insertSequence(task) == buffer.getLong(at + ENTRY_INSERT_SEQUENCE);
    return isUnchanged ? task : Slab.NONE;
  }

  /**
   * The slot of the entry's doc, if it has not been deleted since, or {@link Slab#NONE}; {@code
   * namespace} may be {@link Slab#NONE}. The doc and its set are unchanged if the version is.
   */
  public int find(DocStore docs, int namespace) {
    int doc = docs.find(namespace, idHigh(), idLow());
    boolean isSame =
        doc != Slab.NONE && docs.insertSequence(doc) == buffer.getLong(at + ENTRY_INSERT_SEQUENCE);
    return isSame ? doc : Slab.NONE;
  }

  /** Whether a set, which may be {@link Slab#NONE}, is that of the entry, and unchanged. */
  public boolean isUnchanged(DocSetStore sets, int set) {
    return set != Slab.NONE
        && sets.version(set) == version()
        && sets.createdSequence(set) == buffer.getLong(at + ENTRY_INSERT_SEQUENCE);
  }

  /** The arrival time that a claimed task had before. */
  public long formerArrivalMs() {
    return buffer.getLong(at + ENTRY_ARRIVAL);
  }

  public long formerClaimantHigh() {
    return buffer.getLong(at + ENTRY_CLAIMANT_HIGH);
  }

  public long formerClaimantLow() {
    return buffer.getLong(at + ENTRY_CLAIMANT_LOW);
  }

  public boolean formerClaimantHadText() {
    return buffer.getInt(at + ENTRY_HAD_TEXT) != 0;
  }

  /** Reads a failure, which refers to the receipt. */
  public FailedItem failure(FailedItem into) {
    into.begin(
        buffer.getInt(at + FAILURE_KIND),
        buffer.getInt(at + FAILURE_INDEX),
        buffer.getInt(at + FAILURE_CLAIMED) != 0);
    into.existingVersion(buffer.getInt(at + FAILURE_VERSION));
    into.existingId(buffer.getLong(at + FAILURE_ID_HIGH), buffer.getLong(at + FAILURE_ID_LOW));
    int nameLength = buffer.getInt(at + FAILURE_NAME_LENGTH);
    int name = at + FAILURE_BYTES;
    into.existingName().set(buffer, name, nameLength);
    int idTextLength = buffer.getInt(at + FAILURE_ID_TEXT_LENGTH);
    into.existingIdText().set(buffer, name + nameLength, idTextLength);
    return into;
  }

  /** A hash of the receipt without the slot of a parked claim, which is not state. */
  public long contentHash() {
    return Mix.bytes(buffer, base + CODE, buffer.getInt(base + LENGTH) - CODE);
  }

  static int align(int length) {
    return (length + 3) & ~3;
  }
}
