package io.entroq.simulator.check;

import io.entroq.codec.command.AcknowledgeDecoder;
import io.entroq.codec.command.CallersGoneDecoder;
import io.entroq.codec.command.CancelDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.undo.Cells;

/** How clients are registered, acknowledge replies, cancel and disappear. */
final class CallerRules {

  private final Account account;
  private final Cells cells;
  private final ClaimRules claims;
  private final WaitRules waits;
  private final RetryRules retries;
  private int client;

  CallerRules(Account account, ClaimRules claims, DocRules docs, WaitRules waits) {
    this.account = account;
    this.cells = account.cells;
    this.claims = claims;
    this.waits = waits;
    this.retries = new RetryRules(account, claims, docs);
  }

  /** The client whose request was admitted last. */
  int client() {
    return client;
  }

  /** Whether a request is executed. If so, its receipt is begun; if not, its answer is checked. */
  boolean admits(Step step, long high, long low, long number, long ackedBelow, long body) {
    int refusal = refusal(step, high, low, number, ackedBelow);
    if (refusal != ResultCodes.OK) {
      expectOwn(step, refusal);
      return false;
    }
    int receipt = account.clients.receipt(client, number);
    if (receipt == Cells.NONE) {
      account.receipts.begin(body, step.sequence);
      return true;
    }
    if (cells.get(receipt + Receipts.BODY) != body) {
      expectOwn(step, ResultCodes.IDENTITY_REUSED);
    } else if (cells.get(receipt + Receipts.CODE) != 0) {
      retries.expectRepeated(step, receipt, client, number);
    }
    return false;
  }

  private int refusal(Step step, long high, long low, long number, long ackedBelow) {
    client = account.clients.find(high, low);
    if (client == Cells.NONE) {
      if (number != 1) {
        return ResultCodes.OUTCOME_UNKNOWN;
      }
      if (!evictIdle()) {
        return ResultCodes.IDENTITY_WINDOW;
      }
      client = account.clients.add(high, low);
    } else {
      account.clients.touch(client);
    }
    acknowledge(step, client, ackedBelow);
    if (number < cells.get(client + Clients.ACKED_BELOW)) {
      return ResultCodes.IDENTITY_STALE;
    }
    return account.clients.isOpen(client, number) ? ResultCodes.OK : ResultCodes.IDENTITY_WINDOW;
  }

  /** Removes the client that has been idle longest if there are too many; false if none is idle. */
  private boolean evictIdle() {
    if (account.clients.size() < Clients.CLIENTS_MAX) {
      return true;
    }
    int idle = account.clients.longestIdle();
    if (idle == Cells.NONE) {
      return false;
    }
    long from = cells.get(idle + Clients.ACKED_BELOW);
    for (int i = 0; i < account.clients.window(idle); i++) {
      account.receipts.drop(idle, from + i);
    }
    account.clients.remove(idle);
    return true;
  }

  private void acknowledge(Step step, int of, long below) {
    long from = cells.get(of + Clients.ACKED_BELOW);
    if (below <= from) {
      return;
    }
    long count = Math.min(below - from, account.clients.window(of));
    for (long number = from; number - from < count; number++) {
      int receipt = account.clients.receipt(of, number);
      if (receipt != Cells.NONE && cells.get(receipt + Receipts.CODE) == 0) {
        // The client says that the answer has arrived, so nothing waits for it.
        waits.cancel(step, cells.ref(receipt + Receipts.WAITER));
      }
      account.receipts.drop(of, number);
    }
    cells.set(of + Clients.ACKED_BELOW, below);
  }

  void acknowledge(Step step, AcknowledgeDecoder acknowledge) {
    for (int i = 0; i < acknowledge.clientCount(); i++) {
      int of =
          account.clients.find(
              acknowledge.client(i).clientHigh(), acknowledge.client(i).clientLow());
      if (of != Cells.NONE) {
        acknowledge(step, of, acknowledge.client(i).ackedBelow());
      }
    }
    for (int i = 0; i < acknowledge.deliveredCount(); i++) {
      int of =
          account.clients.find(
              acknowledge.delivered(i).clientHigh(), acknowledge.delivered(i).clientLow());
      if (of != Cells.NONE) {
        delivered(of, acknowledge.delivered(i).requestNumber());
      }
    }
  }

  /** The claimed tasks now stay claimed even if their caller disappears. */
  private void delivered(int of, long number) {
    int receipt =
        account.clients.isOpen(of, number) ? account.clients.receipt(of, number) : Cells.NONE;
    if (receipt != Cells.NONE && cells.get(receipt + Receipts.CLAIMED) > 0) {
      cells.set(receipt + Receipts.IS_DELIVERED, 1);
    }
  }

  void cancel(Step step, CancelDecoder cancel) {
    int of = account.clients.find(cancel.clientHigh(), cancel.clientLow());
    boolean any = of != Cells.NONE && cancel(step, of, cancel.requestNumber());
    expectOwn(step, any ? ResultCodes.OK : ResultCodes.EMPTY);
  }

  private boolean cancel(Step step, int of, long number) {
    int receipt =
        account.clients.isOpen(of, number) ? account.clients.receipt(of, number) : Cells.NONE;
    if (receipt == Cells.NONE) {
      return false;
    }
    if (cells.get(receipt + Receipts.CODE) == 0) {
      waits.cancel(step, cells.ref(receipt + Receipts.WAITER));
      return true;
    }
    return giveBack(step, receipt);
  }

  private boolean giveBack(Step step, int receipt) {
    boolean any = claims.giveBack(receipt, step.nowMs);
    if (any) {
      account.receipts.dropClaimed(receipt);
      if (RetryRules.isClaim(cells.get(receipt + Receipts.BODY))) {
        cells.set(receipt + Receipts.CODE, ResultCodes.CANCELLED);
      }
    }
    return any;
  }

  void gone(Step step, CallersGoneDecoder gone) {
    if (gone.all()) {
      int of = account.clients.first();
      while (of != Cells.NONE) {
        int next = account.clients.next(of);
        gone(step, of);
        of = next;
      }
      return;
    }
    for (int i = 0; i < gone.clientCount(); i++) {
      int of = account.clients.find(gone.client(i).clientHigh(), gone.client(i).clientLow());
      if (of != Cells.NONE) {
        gone(step, of);
      }
    }
  }

  private void gone(Step step, int of) {
    long from = cells.get(of + Clients.ACKED_BELOW);
    int window = account.clients.window(of);
    for (long number = from; number - from < window; number++) {
      int receipt = account.clients.receipt(of, number);
      if (receipt == Cells.NONE) {
        continue;
      }
      if (cells.get(receipt + Receipts.CODE) == 0) {
        waits.cancel(step, cells.ref(receipt + Receipts.WAITER));
        account.receipts.drop(of, number);
      } else if (cells.get(receipt + Receipts.CLAIMED) > 0
          && cells.get(receipt + Receipts.IS_DELIVERED) == 0) {
        giveBack(step, receipt);
        if (RetryRules.isClaim(cells.get(receipt + Receipts.BODY))) {
          account.receipts.drop(of, number);
        }
      }
    }
  }

  // Answers, except for their tasks.

  /** The answer to this step's request is a code and nothing else. */
  void expectOwn(Step step, int code) {
    expectPlain(account, step, step.sequence, takeOwn(step), code);
  }

  /** Removes the answer to this step's request. */
  int takeOwn(Step step) {
    int answer = account.answers.take(step.sequence);
    if (answer < 0) {
      throw Invariant.ONE_ANSWER.broken(step.name(), "an answer", "none");
    }
    return answer;
  }

  static void expectPlain(Account account, Step step, long request, int answer, int code) {
    expectHead(account, step, request, answer, code);
    expectNoTasks(account, request, answer);
    Answers answers = account.answers;
    long others =
        answers.get(answer + Answers.DOCS)
            + answers.get(answer + Answers.SETS)
            + answers.get(answer + Answers.FAILURES)
            + answers.get(answer + Answers.POLICIES);
    if (others != 0) {
      throw Invariant.ANSWERS_EXACT.broken(
          Step.name(request), "no docs, sets, policies and failed items in the answer", others);
    }
  }

  /** The answer contains no tasks. */
  static void expectNoTasks(Account account, long request, int answer) {
    Answers answers = account.answers;
    long items =
        answers.get(answer + Answers.INSERTED)
            + answers.get(answer + Answers.CHANGED)
            + answers.get(answer + Answers.FAILED)
            + answers.get(answer + Answers.CLAIMED);
    if (items != 0) {
      throw Invariant.ANSWERS_EXACT.broken(Step.name(request), "no items in the answer", items);
    }
  }

  static void expectHead(Account account, Step step, long request, int answer, int code) {
    Answers answers = account.answers;
    if (answers.get(answer + Answers.CODE) != code) {
      throw Invariant.ANSWERS_EXACT.broken(
          Step.name(request), "code " + code, "code " + answers.get(answer + Answers.CODE));
    }
    expectDecision(account, step, request, answer);
  }

  /** The answer names this step's record and time. */
  static void expectDecision(Account account, Step step, long request, int answer) {
    long sequence = account.answers.get(answer + Answers.SEQUENCE);
    long timeMs = account.answers.get(answer + Answers.TIME_MS);
    if (sequence != step.sequence || timeMs != step.nowMs) {
      throw Invariant.ANSWERS_EXACT.broken(
          Step.name(request),
          "decided by @" + step.sequence + " at " + step.nowMs,
          "@" + sequence + " at " + timeMs);
    }
  }
}
