package io.entroq.simulator.check;

import io.entroq.simulator.check.Docs.Sets;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.ClaimantTexts;
import java.util.Arrays;

/**
 * The outcomes of requests. A receipt is drafted while its request is executed, then stored as a
 * block.
 */
final class Receipts {
  private static final int SIZE = 0;

  /** Type of the command and checksum of its body. */
  static final int BODY = 1;

  /** 0 while the claim is parked. */
  static final int CODE = 2;

  static final int REQUEST = 3;
  static final int WAITER = 4;
  static final int INSERTED = 5;
  static final int CHANGED = 6;
  static final int CLAIMED = 7;
  static final int FAILURES = 8;
  static final int ITEM_KIND = 9;
  static final int ITEM_INDEX = 10;
  static final int QUEUE_TASKS = 11;
  static final int QUEUE_TASKS_MAX = 12;

  /**
   * How many docs the answer contains: written, claimed, or held by another client. After a Modify,
   * also the sets whose leases it changed.
   */
  static final int DOCS = 13;

  /** How many sets the answer to a ClaimDocs contains: claimed, or held by another client. */
  static final int SETS = 14;

  /** 1 if the answer, with its claimed tasks, is known to be delivered; else 0. */
  static final int IS_DELIVERED = 15;

  /** 1 if it answers a Modify, whose repeated answers show everything that it wrote; else 0. */
  static final int IS_MODIFY = 16;

  /** The tasks of fails, after those changed. */
  static final int FAILED = 17;

  private static final int ENTRIES = 18;

  // An entry of a written or claimed task or doc.
  static final int VERSION = 2;
  static final int INSERTED_AT = 3;
  // Further cells of a written one.
  static final int ARRIVAL_MS = 4;
  static final int CLAIMANT_HIGH = 5;
  static final int CLAIMANT_LOW = 6;
  static final int CLAIMANT_TEXT = 7;
  static final int CREATED_MS = 8;
  static final int MODIFIED_MS = 9;

  /** 0 of a doc or set. */
  static final int CLAIMS = 10;

  /** 1 of a set, which is found by namespace and key; else 0. */
  static final int IS_SET = 11;

  static final int WRITTEN_CELLS = 12;

  // Further cells of a claimed one.
  static final int FORMER_ARRIVAL_MS = 4;
  static final int FORMER_HIGH = 5;
  static final int FORMER_LOW = 6;
  static final int FORMER_TEXT = 7;
  static final int CLAIMED_CELLS = 8;

  // An entry of a failed item.
  static final int KIND = 0;
  static final int INDEX = 1;
  static final int IS_CLAIMED = 2;
  static final int EXISTING_VERSION = 3;

  /** Hash of the name of a queue or of the key of a set. */
  static final int EXISTING_NAME = 4;

  /** Key and hash of the text of the id of the doc that has a place. */
  static final int EXISTING_HIGH = 5;

  static final int EXISTING_LOW = 6;
  static final int EXISTING_TEXT = 7;

  static final int FAILURE_CELLS = 8;

  private final Cells cells;
  private final Clients clients;
  private final ClaimantTexts holders;
  private final Docs docs;
  private long[] draft = new long[128];
  private int size;

  Receipts(Cells cells, Clients clients, ClaimantTexts holders, Docs docs) {
    this.cells = cells;
    this.clients = clients;
    this.holders = holders;
    this.docs = docs;
  }

  // Drafting.

  void begin(long body, long request) {
    Arrays.fill(draft, 0, ENTRIES, 0);
    draft[BODY] = body;
    draft[REQUEST] = request;
    size = ENTRIES;
  }

  void put(int cell, long value) {
    draft[cell] = value;
  }

  /** Adds a task in its current state, after a write. */
  void written(int count, int task) {
    draft[count]++;
    identify(task + Tasks.HIGH, task + Tasks.VERSION, task + Tasks.INSERTED_AT);
    describe(
        task + Tasks.ARRIVAL_MS,
        cells.get(task + Tasks.CREATED_MS),
        cells.get(task + Tasks.MODIFIED_MS));
    draft[size + CLAIMS] = cells.get(task + Tasks.CLAIMS);
    draft[size + IS_SET] = 0;
    size += WRITTEN_CELLS;
  }

  /** Adds a doc in its current state. */
  void doc(int doc) {
    int set = docs.setOf(doc);
    draft[DOCS]++;
    identify(doc + Docs.NAME_HIGH, set + Sets.VERSION, doc + Docs.INSERTED_AT);
    describe(
        set + Sets.ARRIVAL_MS, cells.get(doc + Docs.CREATED_MS), cells.get(doc + Docs.MODIFIED_MS));
    draft[size + CLAIMS] = 0;
    draft[size + IS_SET] = 0;
    size += WRITTEN_CELLS;
  }

  /** Adds a set in its current state, to the docs or to the sets. */
  void set(int count, int set) {
    draft[count]++;
    identify(set + Sets.NAMESPACE, set + Sets.VERSION, set + Sets.STORED_AT);
    describe(set + Sets.ARRIVAL_MS, 0, cells.get(set + Sets.MODIFIED_MS));
    draft[size + CLAIMS] = 0;
    draft[size + IS_SET] = 1;
    size += WRITTEN_CELLS;
  }

  /** Adds a claimed task in its current state, and its former arrival and claimant. */
  void claimed(int task, long arrivalMs, long high, long low, long text) {
    draft[CLAIMED]++;
    identify(task + Tasks.HIGH, task + Tasks.VERSION, task + Tasks.INSERTED_AT);
    draft[size + FORMER_ARRIVAL_MS] = arrivalMs;
    draft[size + FORMER_HIGH] = high;
    draft[size + FORMER_LOW] = low;
    draft[size + FORMER_TEXT] = text;
    size += CLAIMED_CELLS;
  }

  /** The lower half of the id follows the upper one. */
  private void identify(int high, int version, int insertedAt) {
    reserve(WRITTEN_CELLS);
    draft[size] = cells.get(high);
    draft[size + 1] = cells.get(high + 1);
    draft[size + VERSION] = cells.get(version);
    draft[size + INSERTED_AT] = cells.get(insertedAt);
  }

  /** The claimant follows the arrival time. */
  private void describe(int arrivalMs, long createdMs, long modifiedMs) {
    for (int i = 0; i <= CLAIMANT_TEXT - ARRIVAL_MS; i++) {
      draft[size + ARRIVAL_MS + i] = cells.get(arrivalMs + i);
    }
    draft[size + CREATED_MS] = createdMs;
    draft[size + MODIFIED_MS] = modifiedMs;
  }

  void failure(int kind, int index, boolean isClaimed, long existingVersion, long existingName) {
    reserve(FAILURE_CELLS);
    draft[FAILURES]++;
    draft[size + KIND] = kind;
    draft[size + INDEX] = index;
    draft[size + IS_CLAIMED] = isClaimed ? 1 : 0;
    draft[size + EXISTING_VERSION] = existingVersion;
    draft[size + EXISTING_NAME] = existingName;
    Arrays.fill(draft, size + EXISTING_HIGH, size + FAILURE_CELLS, 0);
    size += FAILURE_CELLS;
  }

  /** Says which doc has the place of the insert that failed last. */
  void existingDoc(long high, long low, long text) {
    int at = size - FAILURE_CELLS;
    draft[at + EXISTING_HIGH] = high;
    draft[at + EXISTING_LOW] = low;
    draft[at + EXISTING_TEXT] = text;
  }

  private void reserve(int count) {
    if (size + count > draft.length) {
      draft = Arrays.copyOf(draft, draft.length * 2);
    }
  }

  /** Stores the draft as the receipt of a number, in place of a former one. */
  void store(int client, long number) {
    drop(client, number);
    draft[SIZE] = size;
    int receipt = cells.allocate(size);
    for (int i = 0; i < size; i++) {
      cells.set(receipt + i, draft[i]);
    }
    int claimed = claimed(receipt);
    for (int i = 0; i < draft[CLAIMED]; i++, claimed += CLAIMED_CELLS) {
      holders.acquire(
          cells.get(claimed + FORMER_HIGH),
          cells.get(claimed + FORMER_LOW),
          cells.get(claimed + FORMER_TEXT));
    }
    clients.receipt(client, number, receipt);
  }

  // Stored receipts.

  /** Removes the receipt of an open number, if there is one. */
  void drop(int client, long number) {
    int receipt = clients.receipt(client, number);
    if (receipt != Cells.NONE) {
      releaseFormer(receipt);
      clients.receipt(client, number, Cells.NONE);
      cells.free(receipt, cells.ref(receipt + SIZE));
    }
  }

  /** Removes the claimed tasks of a receipt. */
  void dropClaimed(int receipt) {
    releaseFormer(receipt);
    cells.set(receipt + CLAIMED, 0);
    cells.set(receipt + IS_DELIVERED, 0);
  }

  private void releaseFormer(int receipt) {
    int claimed = claimed(receipt);
    for (int i = 0; i < cells.ref(receipt + CLAIMED); i++, claimed += CLAIMED_CELLS) {
      holders.release(
          cells.get(claimed + FORMER_HIGH),
          cells.get(claimed + FORMER_LOW),
          cells.get(claimed + FORMER_TEXT));
    }
  }

  /** Where the written tasks begin: those inserted, those changed, then those that failed. */
  int written(int receipt) {
    return receipt + ENTRIES;
  }

  /** Where the docs begin. */
  int docs(int receipt) {
    int written =
        cells.ref(receipt + INSERTED) + cells.ref(receipt + CHANGED) + cells.ref(receipt + FAILED);
    return receipt + ENTRIES + written * WRITTEN_CELLS;
  }

  /** Where the sets begin. */
  int sets(int receipt) {
    return docs(receipt) + cells.ref(receipt + DOCS) * WRITTEN_CELLS;
  }

  /** Where the claimed tasks begin. */
  int claimed(int receipt) {
    return sets(receipt) + cells.ref(receipt + SETS) * WRITTEN_CELLS;
  }

  /** Where the failed items begin. */
  int failures(int receipt) {
    return claimed(receipt) + cells.ref(receipt + CLAIMED) * CLAIMED_CELLS;
  }
}
