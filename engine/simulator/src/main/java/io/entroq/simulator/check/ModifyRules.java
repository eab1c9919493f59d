package io.entroq.simulator.check;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.Facades;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultRules;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.Locale;

/** What a modify does, and why it is refused. */
final class ModifyRules {
  private final Account account;
  private final Cells cells;
  private final Answers answers;
  private final ClaimRules claims;
  private final DocRules docs;
  private final ModifyCheck check;

  ModifyRules(Account account, ClaimRules claims, DocRules docs) {
    this.account = account;
    this.cells = account.cells;
    this.answers = account.answers;
    this.claims = claims;
    this.docs = docs;
    this.check = new ModifyCheck(account);
  }

  /**
   * Executes a modify and checks its answer.
   *
   * @param isConflict whether another claimant with this key is in use
   */
  void execute(Step step, ModifyDecoder modify, int answer, long claimantText, boolean isConflict) {
    int code = check.check(modify, step.nowMs, isConflict);
    expectOutcome(step, modify, code, answer);
    CallerRules.expectDecision(account, step, step.sequence, answer);
    account.receipts.put(Receipts.CODE, code);
    if (code == ResultCodes.OK) {
      commit(step, modify, answer, claimantText);
    } else {
      refuse(modify, code);
    }
  }

  /** Checks the answer to a refused modify without a record. */
  void expectRefused(Step step, ModifyDecoder modify, int answer, boolean isConflict) {
    int code = check.check(modify, step.nowMs, isConflict);
    expectOutcome(step, modify, code, answer);
    CallerRules.expectDecision(account, step, step.sequence, answer);
    if (code == ResultCodes.OK) {
      throw Invariant.ANSWERS_EXACT.broken(
          step.name(), "a record of a modify that commits", "an answer without one");
    }
  }

  // Outcome.

  private void expectOutcome(Step step, ModifyDecoder modify, int code, int answer) {
    long reported = answers.get(answer + Answers.CODE);
    if (reported != code) {
      throw invariantOf(code, (int) reported)
          .broken(subject(step, modify, code), expectation(code), "code " + reported);
    }
    expectCounts(step, modify, code, answer);
    expectFailures(step, answer);
    expectItem(step, modify, code, answer);
  }

  private Invariant invariantOf(int code, int reported) {
    if (ResultRules.isOfQueueLimit(code) || ResultRules.isOfQueueLimit(reported)) {
      return Invariant.QUEUE_LIMIT;
    }
    if (code != ResultCodes.DEPENDENCY || reported != ResultCodes.OK) {
      return reported == ResultCodes.DEPENDENCY || code == ResultCodes.DEPENDENCY
          ? Invariant.DEPENDENCIES_EXACT
          : Invariant.ANSWERS_EXACT;
    }
    long kind = check.failure(0, Receipts.KIND);
    if (check.failure(0, Receipts.IS_CLAIMED) != 0) {
      return isDoc((int) kind) ? Invariant.ONE_HOLDER : Invariant.ONE_LEASE;
    }
    return kind == ItemKinds.CHANGE || kind == ItemKinds.DELETE
        ? Invariant.COMMITTED_ONCE
        : Invariant.DEPENDENCIES_EXACT;
  }

  private static boolean isDoc(int kind) {
    return kind >= ItemKinds.DOC_INSERT && kind <= ItemKinds.DOC_DEPEND;
  }

  private String expectation(int code) {
    return code == ResultCodes.DEPENDENCY
        ? "code " + code + ", as " + describe(0) + " fails"
        : "code " + code;
  }

  private String describe(int failure) {
    return "item "
        + check.failure(failure, Receipts.INDEX)
        + " of kind "
        + check.failure(failure, Receipts.KIND)
        + (check.failure(failure, Receipts.IS_CLAIMED) != 0 ? " (claimed)" : "");
  }

  /** The first task or doc that prevents the modify, if there is one. */
  private String subject(Step step, ModifyDecoder modify, int code) {
    if (code != ResultCodes.DEPENDENCY) {
      return step.name();
    }
    int index = (int) check.failure(0, Receipts.INDEX);
    int kind = (int) check.failure(0, Receipts.KIND);
    if (isDoc(kind)) {
      return docs.name(modify, kind, index);
    }
    return switch (kind) {
      case ItemKinds.INSERT ->
          Tasks.name(modify.insert(index).idHigh(), modify.insert(index).idLow());
      case ItemKinds.CHANGE ->
          Tasks.name(modify.change(index).idHigh(), modify.change(index).idLow());
      case ItemKinds.DELETE ->
          Tasks.name(modify.delete(index).idHigh(), modify.delete(index).idLow());
      default -> Tasks.name(modify.depend(index).idHigh(), modify.depend(index).idLow());
    };
  }

  private void expectCounts(Step step, ModifyDecoder modify, int code, int answer) {
    boolean isOk = code == ResultCodes.OK;
    long inserted = answers.get(answer + Answers.INSERTED);
    long changed = answers.get(answer + Answers.CHANGED);
    int docsWritten = isOk ? modify.docInsertCount() + modify.docChangeCount() : 0;
    if (inserted != (isOk ? modify.insertCount() : 0)
        || changed != (isOk ? modify.changeCount() : 0)) {
      throw Invariant.ALL_OR_NONE.broken(
          step.name(),
          isOk ? modify.insertCount() + " inserted, " + modify.changeCount() + " changed" : "none",
          inserted + " inserted, " + changed + " changed");
    }
    if (answers.get(answer + Answers.DOCS) != docsWritten) {
      throw Invariant.ALL_OR_NONE.broken(
          step.name(), docsWritten + " docs written", answers.get(answer + Answers.DOCS));
    }
    if (!(isOk && modify.hasThenClaim()) && answers.get(answer + Answers.CLAIMED) != 0) {
      throw Invariant.ANSWERS_EXACT.broken(
          step.name(), "nothing claimed", answers.get(answer + Answers.CLAIMED));
    }
  }

  private void expectFailures(Step step, int answer) {
    int count = check.failureCount();
    boolean isEqual = answers.get(answer + Answers.FAILURES) == count;
    for (int i = 0; isEqual && i < count; i++) {
      int reported = answers.failure(answer, i);
      for (int cell = 0; cell < Receipts.FAILURE_CELLS; cell++) {
        isEqual &= answers.get(reported + cell) == check.failure(i, cell);
      }
    }
    if (!isEqual) {
      throw Invariant.DEPENDENCIES_EXACT.broken(
          step.name(), expectedFailures(count), reportedFailures(answer));
    }
  }

  private String expectedFailures(int count) {
    StringBuilder text = new StringBuilder("failures:");
    for (int i = 0; i < count; i++) {
      text.append(' ').append(describe(i));
    }
    return text.toString();
  }

  private String reportedFailures(int answer) {
    StringBuilder text = new StringBuilder("failures:");
    for (int i = 0; i < answers.get(answer + Answers.FAILURES); i++) {
      int at = answers.failure(answer, i);
      text.append(" item ").append(answers.get(at + Receipts.INDEX));
      text.append(" of kind ").append(answers.get(at + Receipts.KIND));
      text.append(answers.get(at + Receipts.IS_CLAIMED) != 0 ? " (claimed)" : "");
    }
    return text.toString();
  }

  private void expectItem(Step step, ModifyDecoder modify, int code, int answer) {
    boolean isQueueLimit = ResultRules.isOfQueueLimit(code);
    long tasks = isQueueLimit ? check.queueTasks() : 0;
    long max = isQueueLimit ? modify.queueTasksMax() : 0;
    if (answers.get(answer + Answers.ITEM_KIND) != check.itemKind()
        || answers.get(answer + Answers.ITEM_INDEX) != check.itemIndex()
        || answers.get(answer + Answers.QUEUE_TASKS) != tasks
        || answers.get(answer + Answers.QUEUE_TASKS_MAX) != max) {
      throw (isQueueLimit ? Invariant.QUEUE_LIMIT : Invariant.ANSWERS_EXACT)
          .broken(
              step.name(),
              String.format(
                  Locale.ROOT,
                  "item %d of kind %d, %d of %d tasks",
                  check.itemIndex(),
                  check.itemKind(),
                  tasks,
                  max),
              String.format(
                  Locale.ROOT,
                  "item %d of kind %d, %d of %d tasks",
                  answers.get(answer + Answers.ITEM_INDEX),
                  answers.get(answer + Answers.ITEM_KIND),
                  answers.get(answer + Answers.QUEUE_TASKS),
                  answers.get(answer + Answers.QUEUE_TASKS_MAX)));
    }
  }

  private void refuse(ModifyDecoder modify, int code) {
    for (int i = 0; i < check.failureCount(); i++) {
      account.receipts.failure(
          (int) check.failure(i, Receipts.KIND),
          (int) check.failure(i, Receipts.INDEX),
          check.failure(i, Receipts.IS_CLAIMED) != 0,
          check.failure(i, Receipts.EXISTING_VERSION),
          check.failure(i, Receipts.EXISTING_NAME));
      account.receipts.existingDoc(
          check.failure(i, Receipts.EXISTING_HIGH),
          check.failure(i, Receipts.EXISTING_LOW),
          check.failure(i, Receipts.EXISTING_TEXT));
    }
    account.rules.countIf(
        code == ResultCodes.DEPENDENCY && DocItem.isIn(modify), Rule.REFUSAL_KEEPS_SET);
    account.receipts.put(Receipts.ITEM_KIND, check.itemKind());
    account.receipts.put(Receipts.ITEM_INDEX, check.itemIndex());
    if (ResultRules.isOfQueueLimit(code)) {
      account.receipts.put(Receipts.QUEUE_TASKS, check.queueTasks());
      account.receipts.put(Receipts.QUEUE_TASKS_MAX, modify.queueTasksMax());
    }
  }

  // Effects, once every check has passed.

  private void commit(Step step, ModifyDecoder modify, int answer, long claimantText) {
    for (int i = 0; i < modify.insertCount(); i++) {
      int task = insert(step, modify, i, claimantText);
      account.expectWritten(Invariant.ANSWERS_EXACT, answers.inserted(answer, i), task);
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int task = change(step, modify, i, claimantText);
      if (modify.change(i).mode() == ChangeModes.LEASE) {
        // The caller knows only the lease.
        account.expectTask(Invariant.ANSWERS_EXACT, answers.changed(answer, i), task);
      } else {
        account.expectWritten(Invariant.ANSWERS_EXACT, answers.changed(answer, i), task);
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      delete(check.deleted(i));
    }
    docs.commit(step, modify, check.docs(), answer, claimantText);
    if (modify.hasThenClaim()) {
      ClaimDecoder claim = modify.thenClaim();
      claims.setQueues(claim);
      claims.setClaimant(
          modify.claimantHigh(), modify.claimantLow(), claimantText, claim.leaseMs());
      claims.take(step, answer, claim.limit(), ClaimRules.CLAIM_BYTES_MAX);
    }
  }

  private int insert(Step step, ModifyDecoder modify, int index, long claimantText) {
    var insert = modify.insert(index);
    int task = account.tasks.add(insert.idHigh(), insert.idLow());
    cells.set(
        task + Tasks.ID_TEXT,
        Hashes.bytes(modify.buffer(), insert.idTextOffset(), insert.idTextLength()));
    cells.set(task + Tasks.VERSION, 0);
    cells.set(task + Tasks.CLAIMS, 0);
    cells.set(task + Tasks.CREATED_MS, step.nowMs);
    cells.set(task + Tasks.INSERTED_AT, step.sequence);
    cells.set(task + Tasks.CONTENT_BYTES, 0);
    cells.set(task + Tasks.CLAIMANT_TEXT, 0);
    cells.set(task + Tasks.POSITION, 0);
    fill(step, modify, insert, task);
    arrival(step, modify, insert, task, claimantText);
    boolean isHeld = cells.get(task + Tasks.ARRIVAL_MS) > step.nowMs;
    account.rules.countIf(
        modify.facade() == Facades.V1, isHeld ? Rule.INSERT_HOLDS : Rule.INSERT_LEAVES_AVAILABLE);
    account.queues.attach(task, step.nowMs);
    account.receipts.written(Receipts.INSERTED, task);
    return task;
  }

  private int change(Step step, ModifyDecoder modify, int index, long claimantText) {
    int task = check.changed(index);
    ChangeDecoder change = modify.change(index);
    account.queues.detach(task);
    if (change.mode() == ChangeModes.LEASE) {
      cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
      cells.set(task + Tasks.IS_GIVEN_BACK, 0);
    } else {
      fill(step, modify, change, task);
    }
    cells.add(task + Tasks.VERSION, 1);
    if (change.mode() == ChangeModes.RESET_CLAIMS) {
      account.rules.countIf(cells.get(task + Tasks.CLAIMS) > 0, Rule.CLAIMS_RESET);
      cells.set(task + Tasks.CLAIMS, 0);
    }
    arrival(step, modify, change, task, claimantText);
    countChange(step, change.mode(), task);
    account.queues.attach(task, step.nowMs);
    account.receipts.written(Receipts.CHANGED, task);
    return task;
  }

  /** The claimant names the holder; in the v0 API, the last writer. */
  private void arrival(
      Step step, ModifyDecoder modify, TaskItem data, int task, long claimantText) {
    long arrivalMs = account.arrivalMs(data.byMs(), data.arrivalMs(), step.nowMs);
    cells.set(task + Tasks.ARRIVAL_MS, arrivalMs);
    if (modify.facade() == Facades.V0 || arrivalMs > step.nowMs) {
      claims.claimant(task, modify.claimantHigh(), modify.claimantLow(), claimantText);
    } else {
      claims.claimant(task, 0, 0, 0);
    }
  }

  private void countChange(Step step, int mode, int task) {
    boolean isHeld = cells.get(task + Tasks.ARRIVAL_MS) > step.nowMs;
    if (mode == ChangeModes.LEASE) {
      account.rules.count(isHeld ? Rule.TASK_LEASE_EXTENDED : Rule.TASK_LEASE_RELEASED);
    } else {
      account.rules.count(isHeld ? Rule.CHANGE_HOLDS : Rule.CHANGE_RELEASES);
      account.rules.countIf(cells.get(task + Tasks.CLAIMS) > 0, Rule.CHANGE_KEEPS_CLAIMS);
    }
  }

  private void fill(Step step, ModifyDecoder modify, TaskItem data, int task) {
    var buffer = modify.buffer();
    long bytes = (long) data.valueLength() + data.errLength();
    long value = Hashes.bytes(buffer, data.valueOffset(), data.valueLength());
    account.addContentBytes(bytes - cells.get(task + Tasks.CONTENT_BYTES));
    cells.set(
        task + Tasks.QUEUE,
        account.queues.of(account.names.number(buffer, data.queueOffset(), data.queueLength())));
    cells.set(task + Tasks.ATTEMPT, data.attempt());
    cells.set(task + Tasks.VALUE, Answers.value(data.valueKind(), value));
    cells.set(task + Tasks.ERR, Hashes.bytes(buffer, data.errOffset(), data.errLength()));
    cells.set(task + Tasks.CONTENT_BYTES, bytes);
    cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
    cells.set(task + Tasks.IS_GIVEN_BACK, 0);
  }

  private void delete(int task) {
    account.queues.detach(task);
    claims.releaseClaimant(task);
    account.addContentBytes(-cells.get(task + Tasks.CONTENT_BYTES));
    account.tasks.remove(task);
  }
}
