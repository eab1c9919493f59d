package io.entroq.simulator.check;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.InsertDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.Facades;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultRules;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.policy.Hold;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayList;

/** What a modify does, and why it is refused. */
final class ModifyRules {
  private final Account account;
  private final Cells cells;
  private final Answers answers;
  private final ClaimRules claims;
  private final DocRules docs;
  private final FailureRules failures;
  private final PolicyRules policies;
  private final ModifyCheck check;
  private final Hold outcome = new Hold();

  ModifyRules(Account account, ClaimRules claims, DocRules docs, FailureRules failures) {
    this.account = account;
    this.cells = account.cells;
    this.answers = account.answers;
    this.claims = claims;
    this.docs = docs;
    this.failures = failures;
    this.policies = new PolicyRules(account);
    this.check = new ModifyCheck(account, policies);
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
    expectItem(step, code, answer);
  }

  private Invariant invariantOf(int code, int reported) {
    if (ResultRules.isOfQueueLimit(code) || ResultRules.isOfQueueLimit(reported)) {
      return account.policies.size() > 0 ? Invariant.SIZE_KEPT : Invariant.QUEUE_LIMIT;
    }
    if (isOfPolicies(code) || isOfPolicies(reported)) {
      return Invariant.POLICIES_AS_WRITTEN;
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
    return switch ((int) kind) {
      case ItemKinds.CHANGE, ItemKinds.DELETE, ItemKinds.FAIL -> Invariant.COMMITTED_ONCE;
      case ItemKinds.POLICY_PUT, ItemKinds.POLICY_DELETE -> Invariant.POLICIES_AS_WRITTEN;
      case ItemKinds.INSERT ->
          account.policies.size() > 0 ? Invariant.IDS_STAY_TAKEN : Invariant.DEPENDENCIES_EXACT;
      default -> Invariant.DEPENDENCIES_EXACT;
    };
  }

  private static boolean isOfPolicies(int code) {
    return code == ResultCodes.TOO_MANY_POLICIES
        || code == ResultCodes.POLICY_CIRCLE
        || code == ResultCodes.POOL_TOO_DEEP;
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
      case ItemKinds.FAIL -> Tasks.name(modify.fail(index).idHigh(), modify.fail(index).idLow());
      case ItemKinds.POLICY_PUT, ItemKinds.POLICY_DELETE -> step.name();
      default -> Tasks.name(modify.depend(index).idHigh(), modify.depend(index).idLow());
    };
  }

  private void expectCounts(Step step, ModifyDecoder modify, int code, int answer) {
    boolean isOk = code == ResultCodes.OK;
    long inserted = answers.get(answer + Answers.INSERTED);
    long changed = answers.get(answer + Answers.CHANGED);
    int docsWritten = isOk ? modify.docInsertCount() + modify.docChangeCount() : 0;
    int inserts = isOk ? check.insertedTasks() : 0;
    if (inserted != inserts || changed != (isOk ? modify.changeCount() : 0)) {
      boolean isOfGroups = isOk && inserts != modify.insertCount() && inserted != inserts;
      throw (isOfGroups ? Invariant.EACH_GROUP_ONCE : Invariant.ALL_OR_NONE)
          .broken(
              step.name(),
              isOk ? inserts + " inserted, " + modify.changeCount() + " changed" : "none",
              inserted + " inserted, " + changed + " changed");
    }
    long failed = answers.get(answer + Answers.FAILED);
    if (failed != (isOk ? modify.failCount() : 0)) {
      throw Invariant.ALL_OR_NONE.broken(
          step.name(), (isOk ? modify.failCount() : 0) + " failed", failed + " failed");
    }
    if (!isOk && answers.get(answer + Answers.POLICIES) != 0) {
      throw Invariant.ALL_OR_NONE.broken(
          step.name(), "no policies", answers.get(answer + Answers.POLICIES));
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

  private void expectItem(Step step, int code, int answer) {
    boolean isQueueLimit = ResultRules.isOfQueueLimit(code);
    long tasks = isQueueLimit ? check.queueTasks() : 0;
    long max = isQueueLimit ? check.queueTasksMax() : 0;
    if (answers.get(answer + Answers.ITEM_KIND) != check.itemKind()
        || answers.get(answer + Answers.ITEM_INDEX) != check.itemIndex()
        || answers.get(answer + Answers.QUEUE_TASKS) != tasks
        || answers.get(answer + Answers.QUEUE_TASKS_MAX) != max) {
      throw (isQueueLimit ? invariantOf(code, code) : Invariant.ANSWERS_EXACT)
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
      account.rules.countIf(isOfCopy(i), Rule.COPY_TAKEN);
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
    account.rules.countIf(code == ResultCodes.POOL_TOO_DEEP, Rule.POOL_TOO_DEEP);
    boolean isOfSize = code == ResultCodes.QUEUE_FULL || code == ResultCodes.QUEUE_BYTES_FULL;
    account.rules.countIf(
        isOfSize
            && check.itemKind() == ItemKinds.INSERT
            && !check.copies(check.itemIndex()).isEmpty(),
        Rule.COPY_WITHOUT_ROOM);
    account.receipts.put(Receipts.ITEM_KIND, check.itemKind());
    account.receipts.put(Receipts.ITEM_INDEX, check.itemIndex());
    if (ResultRules.isOfQueueLimit(code)) {
      account.receipts.put(Receipts.QUEUE_TASKS, check.queueTasks());
      account.receipts.put(Receipts.QUEUE_TASKS_MAX, check.queueTasksMax());
    }
  }

  private boolean isOfCopy(int failure) {
    int index = (int) check.failure(failure, Receipts.INDEX);
    return check.failure(failure, Receipts.KIND) == ItemKinds.INSERT
        && !check.copies(index).isEmpty();
  }

  // Effects, once every check has passed.

  private void commit(Step step, ModifyDecoder modify, int answer, long claimantText) {
    if (PolicyRules.isIn(modify)) {
      IntArrayList members = account.pools.members();
      account.queues.removeAtOnce(step.nowMs);
      policies.write(modify, step.nowMs);
      step.resumes = modify.pauseCount() > 0;
      failures.touchWaited(members);
      account.queues.removeUnused(step.nowMs);
    }
    int reported = answers.inserted(answer, 0);
    for (int i = 0; i < modify.insertCount(); i++) {
      reported = insert(step, modify, i, claimantText, reported);
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int task = change(step, modify, i, claimantText, answers.changed(answer, i));
      if (ModifyCheck.hasNoData(modify.change(i))) {
        // The caller knows only the lease.
        account.expectTask(Invariant.ANSWERS_EXACT, answers.changed(answer, i), task);
      } else {
        account.expectWritten(Invariant.ANSWERS_EXACT, answers.changed(answer, i), task);
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      delete(step, check.deleted(i));
    }
    docs.commit(step, modify, check.docs(), answer, claimantText);
    for (int i = 0; i < modify.failCount(); i++) {
      int task = check.failing(i);
      failures.fail(step, modify, modify.fail(i), task, answers.failed(answer, i));
      account.expectTask(Invariant.FAILED_GOES_WHERE_POLICY_SAYS, answers.failed(answer, i), task);
      account.receipts.written(Receipts.FAILED, task);
    }
    dropOldest(step);
    policies.expectWritten(step, modify, answer);
    if (modify.hasThenClaim()) {
      ClaimDecoder claim = modify.thenClaim();
      claims.setQueues(claim);
      claims.setClaimant(
          modify.claimantHigh(), modify.claimantLow(), claimantText, claim.leaseMs());
      claims.take(step, answer, claim.limit(), ClaimRules.CLAIM_BYTES_MAX);
    }
  }

  private void dropOldest(Step step) {
    IntArrayList dropping = check.dropping();
    for (int i = 0; i < dropping.size(); i += 2) {
      int queue = account.queues.of(dropping.getInt(i));
      failures.drop(step, queue, ModifyCheck.DROPPED_MAX + dropping.getInt(i + 1));
    }
  }

  private int queueOf(ModifyDecoder modify, TaskItem item) {
    return account.queues.of(
        account.names.number(modify.buffer(), item.queueOffset(), item.queueLength()));
  }

  /** Inserts a task, or one for each group of a topic; returns where the answer goes on. */
  private int insert(
      Step step, ModifyDecoder modify, int index, long claimantText, int firstReported) {
    InsertDecoder insert = modify.insert(index);
    List<ModifyCheck.Copy> copies = check.copies(index);
    int reported = firstReported;
    if (copies.isEmpty()) {
      int task = account.tasks.add(insert.idHigh(), insert.idLow());
      cells.set(
          task + Tasks.ID_TEXT,
          Hashes.bytes(modify.buffer(), insert.idTextOffset(), insert.idTextLength()));
      insert(step, modify, insert, task, queueOf(modify, insert), claimantText);
      account.expectWritten(Invariant.ANSWERS_EXACT, reported, task);
      return reported + Answers.TASK_WORDS;
    }
    account.rules.count(Rule.INSERT_COPIED);
    account.rules.countIf(modify.policyPutCount() > 0, Rule.INSERT_COPIED_AS_WRITTEN);
    int content = Cells.NONE;
    for (ModifyCheck.Copy copy : copies) {
      expectCopy(copy, reported);
      int task = account.tasks.add(copy.high(), copy.low());
      cells.set(task + Tasks.ID_TEXT, Hashes.bytes(modify.buffer(), 0, 0));
      insert(step, modify, insert, task, account.queues.of(copy.queue()), claimantText);
      long bytes = cells.get(task + Tasks.CONTENT_BYTES);
      account.addContentBytes(content == Cells.NONE ? 0 : -bytes);
      content = content == Cells.NONE ? account.shared.create(bytes) : content;
      account.shared.add(task, content);
      account.expectWritten(Invariant.ANSWERS_EXACT, reported, task);
      reported += Answers.TASK_WORDS;
    }
    return reported;
  }

  private void expectCopy(ModifyCheck.Copy copy, int reported) {
    if (answers.get(reported + Tasks.HIGH) != copy.high()
        || answers.get(reported + Tasks.LOW) != copy.low()
        || answers.get(reported + Tasks.QUEUE) != copy.queue()) {
      throw Invariant.EACH_GROUP_ONCE.broken(
          account.names.text(copy.queue()),
          Tasks.name(copy.high(), copy.low()),
          Tasks.name(answers.get(reported + Tasks.HIGH), answers.get(reported + Tasks.LOW)));
    }
  }

  private void insert(
      Step step, ModifyDecoder modify, InsertDecoder insert, int task, int queue, long text) {
    cells.set(task + Tasks.VERSION, 0);
    cells.set(task + Tasks.CLAIMS, 0);
    cells.set(task + Tasks.CREATED_MS, step.nowMs);
    cells.set(task + Tasks.INSERTED_AT, step.sequence);
    cells.set(task + Tasks.CONTENT_BYTES, 0);
    cells.set(task + Tasks.CLAIMANT_TEXT, 0);
    cells.set(task + Tasks.POSITION, 0);
    fill(step, modify, insert, task, queue);
    account.queues.arrive(queue, step.nowMs);
    expires(step, modify.buffer(), insert, task, true);
    arrival(step, modify, insert, task, text);
    boolean isHeld = cells.get(task + Tasks.ARRIVAL_MS) > step.nowMs;
    account.rules.countIf(
        modify.facade() == Facades.V1, isHeld ? Rule.INSERT_HOLDS : Rule.INSERT_LEAVES_AVAILABLE);
    account.queues.attach(task, step.nowMs);
    account.receipts.written(Receipts.INSERTED, task);
  }

  private int change(Step step, ModifyDecoder modify, int index, long claimantText, int reported) {
    int task = check.changed(index);
    ChangeDecoder change = modify.change(index);
    account.queues.settle(task, step.nowMs);
    Former former = Former.of(cells, task, modify);
    account.queues.detach(task);
    if (queueOf(modify, change) != former.queue()) {
      failures.end(task);
      failures.remember(task, step.nowMs);
      cells.set(task + Tasks.ORIGIN, 0);
      cells.set(task + Tasks.REASON, 0);
      cells.set(task + Tasks.DEAD_AT_MS, 0);
    }
    if (ModifyCheck.hasNoData(change)) {
      cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
      cells.set(task + Tasks.IS_GIVEN_BACK, 0);
    } else {
      fill(step, modify, change, task, queueOf(modify, change));
      if (cells.ref(task + Tasks.QUEUE) != former.queue()) {
        account.queues.arrive(cells.ref(task + Tasks.QUEUE), step.nowMs);
      }
      expires(step, modify.buffer(), change, task, false);
    }
    cells.add(task + Tasks.VERSION, 1);
    if (change.mode() == ChangeModes.RESET_CLAIMS) {
      account.rules.countIf(cells.get(task + Tasks.CLAIMS) > 0, Rule.CLAIMS_RESET);
      cells.set(task + Tasks.CLAIMS, 0);
    }
    arrival(step, modify, change, task, claimantText);
    countChange(step, change.mode(), task);
    if (!account.hasPolicies() || !isDecided(step, change, task, former, reported)) {
      account.queues.attach(task, step.nowMs);
    }
    account.receipts.written(Receipts.CHANGED, task);
    return task;
  }

  /** A task before a change. */
  private record Former(
      int queue,
      int hold,
      int lapses,
      long attempt,
      long value,
      long err,
      long leaseMs,
      boolean isHolders) {

    static Former of(Cells cells, int task, ModifyDecoder modify) {
      long arrivalMs = cells.get(task + Tasks.ARRIVAL_MS);
      long leaseMs = arrivalMs - cells.get(task + Tasks.MODIFIED_MS);
      return new Former(
          cells.ref(task + Tasks.QUEUE),
          cells.ref(task + Tasks.HOLD),
          cells.ref(task + Tasks.LAPSES),
          cells.get(task + Tasks.ATTEMPT),
          cells.get(task + Tasks.VALUE),
          cells.get(task + Tasks.ERR),
          leaseMs,
          cells.get(task + Tasks.CLAIMANT_HIGH) == modify.claimantHigh()
              && cells.get(task + Tasks.CLAIMANT_LOW) == modify.claimantLow());
    }
  }

  /**
   * How a detached and changed task is held from now on; and whether the policy has decided what
   * becomes of it, which attaches it.
   */
  private boolean isDecided(
      Step step, ChangeDecoder change, int task, Former former, int reported) {
    boolean isMoved = cells.ref(task + Tasks.QUEUE) != former.queue();
    boolean hasFailed = cells.get(task + Tasks.ATTEMPT) > former.attempt();
    boolean isNewContent =
        cells.get(task + Tasks.VALUE) != former.value()
            || cells.get(task + Tasks.ERR) != former.err();
    long holdMs = cells.get(task + Tasks.ARRIVAL_MS) - step.nowMs;
    outcome.apply(
        new Hold.Change(
            former.hold(),
            former.lapses(),
            former.isHolders(),
            hasFailed,
            isMoved,
            change.mode(),
            isNewContent,
            former.leaseMs(),
            holdMs));
    int policy = account.queues.policy(former.queue());
    if (outcome.isFailure()) {
      failures.failed(step, former.queue());
    } else if (outcome.isSuccess()) {
      failures.succeeded(former.queue());
    }
    if (outcome.isFailure() && !isMoved && policy != Cells.NONE) {
      if (account.policies.hasRetry(policy)) {
        failures.rest(step, task, -1, reported);
        return true;
      }
    }
    if (isMoved
        && outcome.isFailure()
        && failures.isDeadQueue(former.queue(), cells.ref(task + Tasks.QUEUE))) {
      cells.set(task + Tasks.ORIGIN, PolicyTable.hash(account.nameBytes(former.queue())));
      cells.set(task + Tasks.REASON, DeadReasons.FAILED);
      cells.set(task + Tasks.DEAD_AT_MS, step.nowMs);
      account.queues.countDead(former.queue());
    }
    if (!isMoved && holdMs > 0 && outcome.hold() == Hold.NONE) {
      account.queues.leaveFront(task);
    } else if (!isMoved && (outcome.isFailure() || outcome.isSuccess() || outcome.isTakenBack())) {
      account.queues.comeFirst(task);
    }
    account.queues.hold(task, outcome.hold());
    cells.set(task + Tasks.LAPSES, isMoved ? 0 : outcome.lapses());
    return false;
  }

  /**
   * When a written task expires, and its trace; in a change, both stay unless it says otherwise.
   */
  private void expires(Step step, DirectBuffer buffer, TaskItem data, int task, boolean isInsert) {
    int policy = account.queues.policy(cells.ref(task + Tasks.QUEUE));
    long ttlMs = data.ttlMs();
    if (ttlMs == 0 && isInsert && policy != Cells.NONE) {
      ttlMs = cells.get(policy + PolicyTable.TTL_MS);
    }
    if (ttlMs != 0) {
      cells.set(
          task + Tasks.EXPIRES_MS, ttlMs < 0 ? -1 : ClaimRules.saturatedSum(step.nowMs, ttlMs));
    }
    if (data.traceLength() > 0) {
      cells.set(task + Tasks.TRACE, Hashes.bytes(buffer, data.traceOffset(), data.traceLength()));
    }
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
    if (mode == ChangeModes.TAKE_BACK) {
      return;
    }
    if (mode == ChangeModes.LEASE) {
      account.rules.count(isHeld ? Rule.TASK_LEASE_EXTENDED : Rule.TASK_LEASE_RELEASED);
    } else {
      account.rules.count(isHeld ? Rule.CHANGE_HOLDS : Rule.CHANGE_RELEASES);
      account.rules.countIf(cells.get(task + Tasks.CLAIMS) > 0, Rule.CHANGE_KEEPS_CLAIMS);
    }
  }

  private void fill(Step step, ModifyDecoder modify, TaskItem data, int task, int queue) {
    var buffer = modify.buffer();
    long bytes = (long) data.valueLength() + data.errLength();
    long value = Hashes.bytes(buffer, data.valueOffset(), data.valueLength());
    account.replaceContent(task, bytes);
    cells.set(task + Tasks.QUEUE, queue);
    cells.set(task + Tasks.ATTEMPT, data.attempt());
    cells.set(task + Tasks.VALUE, Answers.value(data.valueKind(), value));
    cells.set(task + Tasks.ERR, Hashes.bytes(buffer, data.errOffset(), data.errLength()));
    cells.set(task + Tasks.ERR_BYTES, data.errLength());
    cells.set(task + Tasks.CONTENT_BYTES, bytes);
    cells.set(task + Tasks.MODIFIED_MS, step.nowMs);
    cells.set(task + Tasks.IS_GIVEN_BACK, 0);
  }

  private void delete(Step step, int task) {
    account.queues.settle(task, step.nowMs);
    int hold = cells.ref(task + Tasks.HOLD);
    if (Hold.isInFlight(hold) || hold == Hold.LAPSED) {
      failures.succeeded(cells.ref(task + Tasks.QUEUE));
    }
    account.queues.detach(task);
    failures.end(task);
    failures.remember(task, step.nowMs);
    failures.remove(task);
  }
}
