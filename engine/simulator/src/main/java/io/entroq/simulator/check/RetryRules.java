package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.undo.Cells;

/** The answer to a repeated request, from its receipt. */
final class RetryRules {

  private final Account account;
  private final Cells cells;
  private final Answers answers;
  private final ClaimRules claims;
  private final DocRules docs;

  private int client;
  private long number;

  RetryRules(Account account, ClaimRules claims, DocRules docs) {
    this.account = account;
    this.cells = account.cells;
    this.answers = account.answers;
    this.claims = claims;
    this.docs = docs;
  }

  /** Type and checksum of a command without its identity. */
  static long body(ClaimDecoder claim) {
    return claim.hasIdentity() ? body(RecordType.CLAIM, claim.bodyCrc()) : 0;
  }

  static long body(ModifyDecoder modify) {
    return modify.hasIdentity() ? body(RecordType.MODIFY, modify.bodyCrc()) : 0;
  }

  static long body(ClaimDocsDecoder claim) {
    return claim.hasIdentity() ? body(RecordType.CLAIM_DOCS, claim.bodyCrc()) : 0;
  }

  private static long body(int type, int crc) {
    return ((long) type << Integer.SIZE) | Integer.toUnsignedLong(crc);
  }

  static boolean isClaim(long body) {
    return body >>> Integer.SIZE == RecordType.CLAIM;
  }

  private static boolean isClaimOfDocs(long body) {
    return body >>> Integer.SIZE == RecordType.CLAIM_DOCS;
  }

  /** The answer to this step's request must repeat the first one. */
  void expectRepeated(Step step, int receipt, int ofClient, long ofNumber) {
    client = ofClient;
    number = ofNumber;
    int answer = answers.take(step.sequence);
    if (answer < 0) {
      throw Invariant.ONE_ANSWER.broken(subject(), "the first answer again", "none");
    }
    CallerRules.expectDecision(account, step, step.sequence, answer);
    long code = cells.get(receipt + Receipts.CODE);
    boolean isLost = code == ResultCodes.OK && isLost(receipt);
    boolean isClaim = isClaim(cells.get(receipt + Receipts.BODY));
    boolean areDocsClaimed =
        code == ResultCodes.OK && isClaimOfDocs(cells.get(receipt + Receipts.BODY));
    if (areDocsClaimed && isSetLost(receipt)) {
      account.rules.count(Rule.LOST_CLAIM_REPEATED);
      require("code", ResultCodes.CLAIM_LOST, answer);
      CallerRules.expectPlain(account, step, step.sequence, answer, ResultCodes.CLAIM_LOST);
      return;
    }
    require("code", isLost && isClaim ? ResultCodes.CLAIM_LOST : code, answer);
    require(Answers.INSERTED, cells.get(receipt + Receipts.INSERTED), answer);
    require(Answers.CHANGED, cells.get(receipt + Receipts.CHANGED), answer);
    require(Answers.FAILED, cells.get(receipt + Receipts.FAILED), answer);
    require(Answers.CLAIMED, isLost ? 0 : cells.get(receipt + Receipts.CLAIMED), answer);
    require(Answers.DOCS, shownDocs(receipt), answer);
    require(Answers.SETS, cells.get(receipt + Receipts.SETS), answer);
    expectTasks(receipt, answer);
    expectDocs(receipt, answer, areDocsClaimed);
    for (int i = 0; i < cells.ref(receipt + Receipts.SETS); i++) {
      int entry = account.receipts.sets(receipt) + i * Receipts.WRITTEN_CELLS;
      expectSet(receipt, entry, answers.set(answer, i));
    }
    expectRefusal(receipt, answer);
  }

  private void require(String what, long expected, int answer) {
    long reported = answers.get(answer + Answers.CODE);
    if (reported != expected) {
      throw Invariant.FIRST_ANSWER.broken(subject(), what + " " + expected, what + " " + reported);
    }
  }

  private void require(int word, long expected, int answer) {
    long reported = answers.get(answer + word);
    if (reported != expected) {
      throw Invariant.FIRST_ANSWER.broken(
          subject(), expected + " in word " + word + " of the answer", reported);
    }
  }

  private boolean isLost(int receipt) {
    int entry = account.receipts.claimed(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.CLAIMED); i++) {
      if (claims.unchanged(entry) == Cells.NONE) {
        return true;
      }
      entry += Receipts.CLAIMED_CELLS;
    }
    return false;
  }

  private void expectTasks(int receipt, int answer) {
    int written =
        cells.ref(receipt + Receipts.INSERTED)
            + cells.ref(receipt + Receipts.CHANGED)
            + cells.ref(receipt + Receipts.FAILED);
    int entry = account.receipts.written(receipt);
    int reported = answers.inserted(answer, 0);
    for (int i = 0; i < written; i++) {
      int task = unchanged(entry, reported);
      if (task != Cells.NONE) {
        account.expectWritten(Invariant.FIRST_ANSWER, reported, task);
      } else {
        String name = Tasks.name(cells.get(entry), cells.get(entry + 1));
        expectKept(name, entry, reported + Tasks.ARRIVAL_MS, reported + Tasks.CREATED_MS);
        expectKept(name, entry + Receipts.CLAIMS, reported + Tasks.CLAIMS);
      }
      entry += Receipts.WRITTEN_CELLS;
      reported += Answers.TASK_WORDS;
    }
    entry = account.receipts.claimed(receipt);
    for (int i = 0; i < answers.get(answer + Answers.CLAIMED); i++) {
      // The answer contains all of them only if none has changed.
      account.expectTask(Invariant.FIRST_ANSWER, reported, unchanged(entry, reported));
      entry += Receipts.CLAIMED_CELLS;
      reported += Answers.TASK_WORDS;
    }
  }

  /**
   * The task of an entry if it has not changed; the answer then shows its current state. For a
   * changed task, the answer must show the id and version of the receipt.
   */
  private int unchanged(int entry, int reported) {
    int task = claims.unchanged(entry);
    if (task == Cells.NONE
        && (answers.get(reported + Tasks.HIGH) != cells.get(entry)
            || answers.get(reported + Tasks.LOW) != cells.get(entry + 1)
            || answers.get(reported + Tasks.VERSION) != cells.get(entry + Receipts.VERSION))) {
      throw other(
          Tasks.name(cells.get(entry), cells.get(entry + 1))
              + " v"
              + cells.get(entry + Receipts.VERSION),
          Tasks.name(answers.get(reported + Tasks.HIGH), answers.get(reported + Tasks.LOW))
              + " v"
              + answers.get(reported + Tasks.VERSION));
    }
    return task;
  }

  /** A task or doc that has changed since is shown as it was written. */
  private void expectKept(String name, int entry, int reportedArrival, int reportedCreated) {
    for (int i = 0; i <= Receipts.CLAIMANT_TEXT - Receipts.ARRIVAL_MS; i++) {
      expectKept(name, entry + Receipts.ARRIVAL_MS + i, reportedArrival + i);
    }
    expectKept(name, entry + Receipts.CREATED_MS, reportedCreated);
    expectKept(name, entry + Receipts.MODIFIED_MS, reportedCreated + 1);
  }

  private void expectKept(String name, int known, int reported) {
    if (answers.get(reported) != cells.get(known)) {
      throw other(name + " shown with " + cells.get(known), answers.get(reported));
    }
  }

  /** Every write to a doc also changes its set. */
  private boolean isSetLost(int receipt) {
    int entry = account.receipts.sets(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.SETS); i++) {
      if (unchangedSet(entry) == Cells.NONE) {
        return true;
      }
      entry += Receipts.WRITTEN_CELLS;
    }
    return false;
  }

  private int unchangedDoc(int entry) {
    int doc = account.docs.findByName(cells.get(entry), cells.get(entry + 1));
    boolean isUnchanged =
        account.docs.isUnchanged(
            doc, cells.get(entry + Receipts.VERSION), cells.get(entry + Receipts.INSERTED_AT));
    return isUnchanged ? doc : Cells.NONE;
  }

  /** How many docs are shown: a refused claim leaves out those that were deleted since. */
  private int shownDocs(int receipt) {
    int shown = 0;
    int entry = account.receipts.docs(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.DOCS); i++) {
      shown += isShown(receipt, entry) ? 1 : 0;
      entry += Receipts.WRITTEN_CELLS;
    }
    return shown;
  }

  private boolean isShown(int receipt, int entry) {
    if (cells.get(receipt + Receipts.IS_MODIFY) != 0) {
      return true;
    }
    int doc = account.docs.findByName(cells.get(entry), cells.get(entry + 1));
    return doc != Cells.NONE
        && cells.get(doc + Docs.INSERTED_AT) == cells.get(entry + Receipts.INSERTED_AT);
  }

  private int unchangedSet(int entry) {
    int set = account.docs.findSet((int) cells.get(entry), (int) cells.get(entry + 1));
    boolean isUnchanged =
        account.docs.isSetUnchanged(
            set, cells.get(entry + Receipts.VERSION), cells.get(entry + Receipts.INSERTED_AT));
    return isUnchanged ? set : Cells.NONE;
  }

  /**
   * An unchanged doc or set is shown in its current state; a changed one with its name and version,
   * and after a modify with everything but its keys.
   */
  private void expectDocs(int receipt, int answer, boolean areClaimed) {
    int entry = account.receipts.docs(receipt);
    int shown = 0;
    for (int i = 0; i < cells.ref(receipt + Receipts.DOCS); i++) {
      int reported = answers.doc(answer, shown);
      if (cells.get(entry + Receipts.IS_SET) != 0) {
        expectSet(receipt, entry, reported);
        shown++;
      } else if (isShown(receipt, entry)) {
        expectDoc(receipt, entry, reported, areClaimed);
        shown++;
      }
      entry += Receipts.WRITTEN_CELLS;
    }
  }

  private void expectDoc(int receipt, int entry, int reported, boolean areClaimed) {
    int doc = unchangedDoc(entry);
    if (doc != Cells.NONE) {
      docs.expectDoc(Invariant.FIRST_ANSWER, reported, doc, areClaimed);
    } else {
      expectChanged(receipt, entry, reported);
    }
  }

  private void expectSet(int receipt, int entry, int reported) {
    int set = unchangedSet(entry);
    if (set != Cells.NONE) {
      docs.expectSet(Invariant.FIRST_ANSWER, reported, set);
    } else {
      expectChanged(receipt, entry, reported);
    }
  }

  private void expectChanged(int receipt, int entry, int reported) {
    if (answers.get(reported + Docs.NAME_HIGH) != cells.get(entry)
        || answers.get(reported + Docs.NAME_LOW) != cells.get(entry + 1)
        || answers.get(reported + Docs.VERSION) != cells.get(entry + Receipts.VERSION)) {
      throw other("v" + cells.get(entry + Receipts.VERSION) + " of a doc or set", shown(reported));
    }
    if (cells.get(receipt + Receipts.IS_MODIFY) != 0) {
      expectKept(shown(reported), entry, reported + Docs.ARRIVAL_MS, reported + Docs.CREATED_MS);
    }
  }

  private String shown(int reported) {
    return account.docs.name(
            (int) answers.get(reported + Docs.NAMESPACE),
            answers.get(reported + Docs.HIGH),
            answers.get(reported + Docs.LOW))
        + " v"
        + answers.get(reported + Docs.VERSION);
  }

  private void expectRefusal(int receipt, int answer) {
    require(Answers.ITEM_KIND, cells.get(receipt + Receipts.ITEM_KIND), answer);
    require(Answers.ITEM_INDEX, cells.get(receipt + Receipts.ITEM_INDEX), answer);
    require(Answers.QUEUE_TASKS, cells.get(receipt + Receipts.QUEUE_TASKS), answer);
    require(Answers.QUEUE_TASKS_MAX, cells.get(receipt + Receipts.QUEUE_TASKS_MAX), answer);
    require(Answers.FAILURES, cells.get(receipt + Receipts.FAILURES), answer);
    int expected = account.receipts.failures(receipt);
    int reported = answers.failure(answer, 0);
    for (int i = 0; i < cells.get(receipt + Receipts.FAILURES) * Receipts.FAILURE_CELLS; i++) {
      if (answers.get(reported + i) != cells.get(expected + i)) {
        throw other(
            cells.get(expected + i) + " in word " + i + " of the failures",
            answers.get(reported + i));
      }
    }
  }

  private Violation other(Object expected, Object actual) {
    return Invariant.FIRST_ANSWER.broken(subject(), expected, actual);
  }

  private String subject() {
    return account.clients.name(client, number);
  }
}
