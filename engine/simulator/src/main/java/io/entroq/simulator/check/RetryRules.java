package io.entroq.simulator.check;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.ClaimDocsDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;

/** What a repeated request is told: whatever its receipt still knows. */
final class RetryRules {

  private final Account account;
  private final Cells cells;
  private final Answers answers;
  private final ClaimRules claims;
  private final DocRules docs;

  /** Whose request is looked at. */
  private int client;

  private long number;

  RetryRules(Account account, ClaimRules claims, DocRules docs) {
    this.account = account;
    this.cells = account.cells;
    this.answers = account.answers;
    this.claims = claims;
    this.docs = docs;
  }

  /** What a claim asks for, identity apart, in a word. */
  static long body(ClaimDecoder claim) {
    return claim.hasIdentity() ? body(RecordType.CLAIM, claim.bodyCrc()) : 0;
  }

  /** What a modify asks for, identity apart, in a word. */
  static long body(ModifyDecoder modify) {
    return modify.hasIdentity() ? body(RecordType.MODIFY, modify.bodyCrc()) : 0;
  }

  /** What a claim of docs asks for, identity apart, in a word. */
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

  /** The request of this step is answered as it was before. */
  void expectAgain(Step step, int receipt, int ofClient, long ofNumber) {
    client = ofClient;
    number = ofNumber;
    int answer = answers.take(step.sequence);
    if (answer < 0) {
      throw Invariant.ONE_ANSWER.broken(subject(), "the first answer again", "none");
    }
    CallerRules.expectPlace(account, step, step.sequence, answer);
    long code = cells.get(receipt + Receipts.CODE);
    boolean isLost = code == ResultCodes.OK && isLost(receipt);
    boolean isClaim = isClaim(cells.get(receipt + Receipts.BODY));
    boolean areDocsClaimed =
        code == ResultCodes.OK && isClaimOfDocs(cells.get(receipt + Receipts.BODY));
    if (areDocsClaimed && isDocLost(receipt)) {
      require("code", ResultCodes.CLAIM_LOST, answer);
      CallerRules.expectPlain(account, step, step.sequence, answer, ResultCodes.CLAIM_LOST);
      return;
    }
    require("code", isLost && isClaim ? ResultCodes.CLAIM_LOST : code, answer);
    require(Answers.INSERTED, cells.get(receipt + Receipts.INSERTED), answer);
    require(Answers.CHANGED, cells.get(receipt + Receipts.CHANGED), answer);
    require(Answers.CLAIMED, isLost ? 0 : cells.get(receipt + Receipts.CLAIMED), answer);
    require(Answers.DOCS, cells.get(receipt + Receipts.DOCS), answer);
    expectTasks(receipt, answer);
    expectDocs(receipt, answer, areDocsClaimed);
    expectRefusal(receipt, answer);
  }

  private void require(String what, long expected, int answer) {
    long said = answers.get(answer + Answers.CODE);
    if (said != expected) {
      throw Invariant.FIRST_ANSWER.broken(subject(), what + " " + expected, what + " " + said);
    }
  }

  private void require(int word, long expected, int answer) {
    long said = answers.get(answer + word);
    if (said != expected) {
      throw Invariant.FIRST_ANSWER.broken(
          subject(), expected + " in word " + word + " of the answer", said);
    }
  }

  private boolean isLost(int receipt) {
    int entry = account.receipts.claimed(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.CLAIMED); i++) {
      if (claims.standing(entry) == Cells.NONE) {
        return true;
      }
      entry += Receipts.CLAIMED_CELLS;
    }
    return false;
  }

  private void expectTasks(int receipt, int answer) {
    int written = cells.ref(receipt + Receipts.INSERTED) + cells.ref(receipt + Receipts.CHANGED);
    int entry = account.receipts.written(receipt);
    int said = answers.inserted(answer, 0);
    for (int i = 0; i < written; i++) {
      int task = standing(entry, said);
      if (task != Cells.NONE) {
        account.expectWritten(Invariant.FIRST_ANSWER, said, task);
      } else {
        String name = Tasks.name(cells.get(entry), cells.get(entry + 1));
        expectKept(name, entry, said + Tasks.ARRIVAL_MS, said + Tasks.CREATED_MS);
        expectKept(name, entry + Receipts.CLAIMS, said + Tasks.CLAIMS);
      }
      entry += Receipts.WRITTEN_CELLS;
      said += Answers.TASK_WORDS;
    }
    entry = account.receipts.claimed(receipt);
    for (int i = 0; i < answers.get(answer + Answers.CLAIMED); i++) {
      // All of them stand, or none is told.
      account.expectTask(Invariant.FIRST_ANSWER, said, standing(entry, said));
      entry += Receipts.CLAIMED_CELLS;
      said += Answers.TASK_WORDS;
    }
  }

  /**
   * The task of an entry if it stands, which is then told as it is. Of one that has moved on the
   * answer tells id and version, and the rest if the receipt is whole.
   */
  private int standing(int entry, int said) {
    int task = claims.standing(entry);
    if (task == Cells.NONE
        && (answers.get(said + Tasks.HIGH) != cells.get(entry)
            || answers.get(said + Tasks.LOW) != cells.get(entry + 1)
            || answers.get(said + Tasks.VERSION) != cells.get(entry + Receipts.VERSION))) {
      throw other(
          Tasks.name(cells.get(entry), cells.get(entry + 1))
              + " v"
              + cells.get(entry + Receipts.VERSION),
          Tasks.name(answers.get(said + Tasks.HIGH), answers.get(said + Tasks.LOW))
              + " v"
              + answers.get(said + Tasks.VERSION));
    }
    return task;
  }

  /** What is told of a task or doc that has moved on is what was known when it was written. */
  private void expectKept(String name, int entry, int saidArrival, int saidCreated) {
    for (int i = 0; i <= Receipts.CLAIMANT_TEXT - Receipts.ARRIVAL_MS; i++) {
      expectKept(name, entry + Receipts.ARRIVAL_MS + i, saidArrival + i);
    }
    expectKept(name, entry + Receipts.CREATED_MS, saidCreated);
    expectKept(name, entry + Receipts.MODIFIED_MS, saidCreated + 1);
  }

  private void expectKept(String name, int known, int said) {
    if (answers.get(said) != cells.get(known)) {
      throw other(name + " told with " + cells.get(known), answers.get(said));
    }
  }

  private boolean isDocLost(int receipt) {
    int entry = account.receipts.docs(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.DOCS); i++) {
      if (standingDoc(entry) == Cells.NONE) {
        return true;
      }
      entry += Receipts.WRITTEN_CELLS;
    }
    return false;
  }

  private int standingDoc(int entry) {
    int doc = account.docs.findByName(cells.get(entry), cells.get(entry + 1));
    boolean stands =
        account.docs.stands(
            doc, cells.get(entry + Receipts.VERSION), cells.get(entry + Receipts.INSERTED_AT));
    return stands ? doc : Cells.NONE;
  }

  /**
   * A doc that stands is told as it is; of one that has moved on, namespace, id and version, and of
   * a modify the rest too, without its keys.
   */
  private void expectDocs(int receipt, int answer, boolean areClaimed) {
    int entry = account.receipts.docs(receipt);
    for (int i = 0; i < cells.ref(receipt + Receipts.DOCS); i++) {
      int said = answers.doc(answer, i);
      int doc = standingDoc(entry);
      if (doc != Cells.NONE) {
        docs.expectTold(Invariant.FIRST_ANSWER, said, doc, areClaimed);
      } else if (answers.get(said + Docs.NAME_HIGH) != cells.get(entry)
          || answers.get(said + Docs.NAME_LOW) != cells.get(entry + 1)
          || answers.get(said + Docs.VERSION) != cells.get(entry + Receipts.VERSION)) {
        throw other(
            "doc " + i + " v" + cells.get(entry + Receipts.VERSION),
            account.docs.name(
                    (int) answers.get(said + Docs.NAMESPACE),
                    answers.get(said + Docs.HIGH),
                    answers.get(said + Docs.LOW))
                + " v"
                + answers.get(said + Docs.VERSION));
      } else if (cells.get(receipt + Receipts.IS_MODIFY) != 0) {
        expectKept("doc " + i, entry, said + Docs.ARRIVAL_MS, said + Docs.CREATED_MS);
      }
      entry += Receipts.WRITTEN_CELLS;
    }
  }

  private void expectRefusal(int receipt, int answer) {
    require(Answers.ITEM_KIND, cells.get(receipt + Receipts.ITEM_KIND), answer);
    require(Answers.ITEM_INDEX, cells.get(receipt + Receipts.ITEM_INDEX), answer);
    require(Answers.QUEUE_TASKS, cells.get(receipt + Receipts.QUEUE_TASKS), answer);
    require(Answers.QUEUE_TASKS_MAX, cells.get(receipt + Receipts.QUEUE_TASKS_MAX), answer);
    require(Answers.FAILURES, cells.get(receipt + Receipts.FAILURES), answer);
    int expected = account.receipts.failures(receipt);
    int said = answers.failure(answer, 0);
    for (int i = 0; i < cells.get(receipt + Receipts.FAILURES) * Receipts.FAILURE_CELLS; i++) {
      if (answers.get(said + i) != cells.get(expected + i)) {
        throw other(
            cells.get(expected + i) + " in word " + i + " of the failures", answers.get(said + i));
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
