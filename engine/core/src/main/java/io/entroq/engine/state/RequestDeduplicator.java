package io.entroq.engine.state;

import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultRules;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.receipt.ClientStore;
import io.entroq.engine.receipt.FailedItem;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.receipt.TaskFlyweight;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.task.TaskView;

/**
 * Decides whether an identified request is executed. A retry is answered from the receipt of the
 * first attempt; a request outside the client's window is refused with the reason.
 */
final class RequestDeduplicator {

  private final ClientStore clients;
  private final TaskStore tasks;
  private final WaiterScheduler waiterScheduler;
  private final Receipts receipts;
  private final ReplyWriter answers;
  private final FailedItem failure = new FailedItem();
  private int client;

  RequestDeduplicator(
      Stores stores, Receipts receipts, WaiterScheduler waiterScheduler, ReplyWriter answers) {
    this.clients = stores.clients;
    this.tasks = stores.tasks;
    this.receipts = receipts;
    this.waiterScheduler = waiterScheduler;
    this.answers = answers;
  }

  /** The client of the request admitted last. */
  int client() {
    return client;
  }

  /**
   * Admits a request, or replies to it.
   *
   * @param items the tasks and docs of the request, to repeat the reply to a retry
   * @return true if the caller must execute it and store its receipt
   */
  boolean admits(
      long clientHigh,
      long clientLow,
      long number,
      long ackedBelow,
      int bodyCrc,
      boolean isClaim,
      RetriedItems items) {
    int refusal = refusal(clientHigh, clientLow, number, ackedBelow);
    if (refusal != ResultCodes.OK) {
      answer(refusal);
      return false;
    }
    Receipt receipt = receipts.find(client, number);
    if (receipt == null) {
      answers.receipt().begin(number, answers.stepSequence(), bodyCrc, isClaim);
      if (!isClaim && !items.isClaimDocs()) {
        answers.receipt().ofModify();
      }
      return true;
    }
    if (receipt.bodyCrc() != bodyCrc) {
      answer(ResultCodes.IDENTITY_REUSED);
    } else if (receipt.code() == Receipt.CODE_PARKED) {
      answers.sink().onAttached(answers.stepSequence(), receipt.requestSequence());
    } else {
      repeat(receipt, items);
    }
    return false;
  }

  /** Whether a request was admitted before and still has its receipt. Changes nothing. */
  boolean knows(long clientHigh, long clientLow, long number) {
    int known = clients.find(clientHigh, clientLow);
    return known != Slab.NONE
        && receipts.isOpen(known, number)
        && receipts.find(known, number) != null;
  }

  private int refusal(long clientHigh, long clientLow, long number, long ackedBelow) {
    if (number != 1 && clients.find(clientHigh, clientLow) == Slab.NONE) {
      return ResultCodes.OUTCOME_UNKNOWN;
    }
    client = receipts.open(clientHigh, clientLow);
    if (client == Slab.NONE) {
      return ResultCodes.IDENTITY_WINDOW;
    }
    acknowledge(client, ackedBelow);
    if (number < clients.ackedBelow(client)) {
      return ResultCodes.IDENTITY_STALE;
    }
    return receipts.isOpen(client, number) ? ResultCodes.OK : ResultCodes.IDENTITY_WINDOW;
  }

  /** Drops the receipts below a number: the client has received those replies. */
  void acknowledge(int acknowledging, long below) {
    long from = clients.ackedBelow(acknowledging);
    if (below <= from) {
      return;
    }
    // Compare differences: clients may choose numbers up to Long.MAX_VALUE.
    long count = Math.min(below - from, clients.window(acknowledging));
    for (long number = from; number - from < count; number++) {
      Receipt receipt = receipts.find(acknowledging, number);
      if (receipt != null && receipt.code() == Receipt.CODE_PARKED) {
        // The client says that it has the reply, so it does not wait for one.
        waiterScheduler.end(receipt.waiter(), ResultCodes.CANCELLED);
      }
      receipts.drop(acknowledging, number);
    }
    clients.ackedBelow(acknowledging, below);
  }

  private void answer(int code) {
    answers.begin(answers.stepSequence(), code);
    answers.end();
  }

  private void repeat(Receipt receipt, RetriedItems items) {
    int code = receipt.code();
    boolean lost = code == ResultCodes.OK && receipt.claimedCount() > 0 && isLost(receipt);
    if ((lost && receipt.isClaim()) || (code == ResultCodes.OK && items.areDocsLost(receipt))) {
      answer(ResultCodes.CLAIM_LOST);
      return;
    }
    answers.begin(answers.stepSequence(), code);
    ResultSink sink = answers.sink();
    receipt.rewind();
    if (receipt.decidedCount() == 0) {
      for (int i = 0; i < receipt.insertedCount(); i++) {
        written(receipt, items, ResultSink.ROLE_INSERTED, i);
      }
    } else {
      inserted(receipt, items);
    }
    for (int i = 0; i < receipt.changedCount(); i++) {
      if (receipt.decidedCount() > 0 && receipt.findDecided(ItemKinds.CHANGE, i)) {
        decided(receipt, items, ResultSink.ROLE_LEASED, i);
      } else {
        receipt.rewindToWritten(receipt.insertedCount() + i);
        written(receipt, items, items.changedRole(i), i);
      }
    }
    if (code == ResultCodes.DEPENDENCY) {
      failures(receipt);
    }
    items.repeatDocs(receipt);
    for (int i = 0; code == ResultCodes.OK && receipt.findDecided(ItemKinds.FAIL, i); i++) {
      decided(receipt, items, ResultSink.ROLE_FAILED, i);
    }
    if (code == ResultCodes.OK) {
      items.repeatPolicies();
    }
    if (!lost) {
      claimed(receipt);
    }
    if (receipt.itemKind() != ItemKinds.NONE) {
      sink.onItem(receipt.itemKind(), receipt.itemIndex());
    }
    if (ResultRules.isOfQueueLimit(code)) {
      sink.onQueueFull(receipt.queueTasks(), receipt.queueTasksMax());
    }
    answers.end();
  }

  /** Inserted tasks and copies: each insert has either a task or copies, which are in order. */
  private void inserted(Receipt receipt, RetriedItems items) {
    int plain = 0;
    int left = receipt.decidedCount();
    receipt.rewindToDecided();
    int mark = receipt.mark();
    for (int i = 0; isCopy(receipt, left) || plain < receipt.insertedCount(); i++) {
      if (isCopy(receipt, left) && receipt.decidedIndex() == i) {
        for (; isCopy(receipt, left) && receipt.decidedIndex() == i; left--) {
          decided(receipt, items, ResultSink.ROLE_COPIED, i);
          receipt.nextDecided();
        }
        mark = receipt.mark();
      } else {
        receipt.rewindToWritten(plain++);
        written(receipt, items, ResultSink.ROLE_INSERTED, i);
        receipt.backTo(mark);
      }
    }
    receipt.rewindToWritten(receipt.insertedCount());
  }

  private static boolean isCopy(Receipt receipt, int left) {
    return left > 0 && receipt.decidedKind() == ItemKinds.INSERT;
  }

  /** A task whose fate the state decided, as it was then. */
  private void decided(Receipt receipt, RetriedItems items, int role, int index) {
    int task = receipt.findUnchanged(tasks);
    if (task != Slab.NONE) {
      answers.sink().onTask(role, answers.view().wrap(task));
    } else {
      TaskFlyweight then = kept(receipt);
      items.describeDecided(then, receipt, role, index);
      answers.sink().onTask(role, then);
    }
  }

  private TaskFlyweight kept(Receipt receipt) {
    TaskFlyweight task =
        answers
            .view()
            .wrapReceipt(receipt.idHigh(), receipt.idLow(), receipt.version(), receipt.logTimeMs());
    task.kept(receipt.claims(), receipt.createdMs());
    return task;
  }

  private boolean isLost(Receipt receipt) {
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      if (receipt.findUnchanged(tasks) == Slab.NONE) {
        return true;
      }
      receipt.nextClaimed();
    }
    return false;
  }

  private void written(Receipt receipt, RetriedItems items, int role, int index) {
    int task = receipt.findUnchanged(tasks);
    boolean isUnchanged = task != Slab.NONE;
    TaskView view =
        isUnchanged ? answers.view().wrap(task) : asWritten(receipt, items, role, index);
    answers.sink().onTask(role, view);
    receipt.nextWritten();
  }

  /** The task of an entry as it was when the request wrote it. */
  private TaskView asWritten(Receipt receipt, RetriedItems items, int role, int index) {
    TaskFlyweight task = kept(receipt);
    items.describe(task, role, index, receipt.logTimeMs());
    return task;
  }

  private void claimed(Receipt receipt) {
    receipt.rewindToClaimed();
    for (int i = 0; i < receipt.claimedCount(); i++) {
      answers
          .sink()
          .onTask(ResultSink.ROLE_CLAIMED, answers.view().wrap(receipt.findUnchanged(tasks)));
      receipt.nextClaimed();
    }
  }

  private void failures(Receipt receipt) {
    receipt.rewindToFailures();
    for (int i = 0; i < receipt.failureCount(); i++) {
      answers.sink().onFailure(receipt.failure(failure));
      receipt.nextFailure();
    }
  }
}
