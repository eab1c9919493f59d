package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ClaimDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.InsertDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.MessageRules;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyCheck;
import io.entroq.engine.policy.PolicyStep;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.Topics;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.receipt.Receipt;
import io.entroq.engine.receipt.TaskFlyweight;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import io.entroq.engine.task.WrittenAttributes;
import org.agrona.collections.IntArrayList;

/** Commits a Modify after its checks (contract 2.4); nothing here can fail. */
final class ModifyStep implements RetriedItems {

  private final TaskStore tasks;
  private final QueueStore queues;
  private final Effects effects;
  private final TaskTable table;
  private final RuledQueues ruled;
  private final PolicyStore policies;
  private final WrittenAttributes attributes;
  private final Failures failures;
  private final ChangeOutcome changeOutcome;
  private final ModifyCheck check;
  private final DocStep docStep;
  private final WaiterScheduler waiterScheduler;
  private final PolicyStep policyStep;
  private final ClaimStep claimStep;
  private final Claimer claimer;
  private final Receipts receipts;
  private final ReplyWriter answers;
  private final Bytes value = new Bytes();
  private final Bytes err = new Bytes();
  private final Bytes idText = new Bytes();

  /** The changes of which a policy decided what became of the task. */
  private final IntArrayList decided = new IntArrayList();

  private final Topics topics;

  /** Of each copy in the queue of a group: the task, and its insert. */
  private final IntArrayList copies = new IntArrayList();

  private final ModifyDecoder modify;
  private long nowMs;

  ModifyStep(
      Stores stores,
      ModifyDecoder modify,
      TaskTable table,
      Failures failures,
      ChangeOutcome changeOutcome,
      ModifyCheck check,
      DocStep docStep,
      WaiterScheduler waiterScheduler,
      ClaimStep claimStep,
      Claimer claimer,
      Receipts receipts,
      ReplyWriter answers) {
    this.modify = modify;
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.effects = stores.effects;
    this.table = table;
    this.ruled = stores.ruled;
    this.policies = stores.policies;
    this.attributes = new WrittenAttributes(stores.tasks, stores.expiries);
    this.failures = failures;
    this.changeOutcome = changeOutcome;
    this.check = check;
    this.topics = check.topics();
    this.docStep = docStep;
    this.waiterScheduler = waiterScheduler;
    this.policyStep = waiterScheduler.policyStep();
    this.claimStep = claimStep;
    this.claimer = claimer;
    this.receipts = receipts;
    this.answers = answers;
  }

  /** Commits or refuses; the request has no identity. */
  void execute(int outcome, long timeMs) {
    answers.begin(answers.stepSequence(), outcome);
    finish(outcome, timeMs);
  }

  /** Commits or refuses; the client was admitted. */
  void execute(int outcome, int client, long timeMs) {
    answers.beginWithReceipt(answers.stepSequence(), outcome);
    finish(outcome, timeMs);
    receipts.store(client, modify.requestNumber());
  }

  private void finish(int outcome, long timeMs) {
    nowMs = timeMs;
    if (outcome == ResultCodes.OK) {
      commit();
    } else {
      check.explain(outcome, answers);
    }
    answers.end();
  }

  private void commit() {
    // Read first: the compiler inlines little after the inserts, which are much code.
    int inserts = modify.insertCount();
    int changes = modify.changeCount();
    int deletes = modify.deleteCount();
    boolean writesPolicies = PolicyCheck.isIn(modify);
    boolean hasMore =
        changes + topics.inserts() + modify.failCount() > 0
            || writesPolicies
            || DocItem.isIn(modify)
            || modify.hasThenClaim()
            || check.queueLimit().drops();
    if (writesPolicies) {
      policyStep.write(modify, nowMs);
      waiterScheduler.followPolicies(nowMs);
    }
    int tasksAfter = tasks.size() + inserts - topics.inserts() + (int) topics.copies() - deletes;
    decided.clear();
    copies.clear();
    for (int i = 0; i < inserts; i++) {
      if (topics.has(i)) {
        copy(i);
      } else {
        insert(modify.insert(i));
      }
    }
    for (int i = 0; i < changes; i++) {
      change(i);
    }
    for (int i = 0; i < deletes; i++) {
      table.delete(check.deleted(i), EffectKinds.DELETED, nowMs);
    }
    Invariant.check(
        tasks.size() == tasksAfter,
        "a Modify adds what it inserts and removes what it deletes",
        tasksAfter,
        tasks.size());
    if (hasMore) {
      commitMore(writesPolicies);
    }
  }

  /** Commits what comes after inserts, changes and deletes. */
  private void commitMore(boolean writesPolicies) {
    if (DocItem.isIn(modify)) {
      docStep.commit(nowMs);
    }
    for (int i = 0; i < copies.size(); i += 2) {
      answers.keepCopy(copies.getInt(i), copies.getInt(i + 1));
    }
    for (int i = 0; i < decided.size(); i++) {
      answers.decided(check.changed(decided.getInt(i)), decided.getInt(i));
    }
    for (int i = 0; i < modify.failCount(); i++) {
      fail(i);
    }
    check.queueLimit().drop(nowMs);
    if (writesPolicies) {
      showPolicies();
    }
    if (modify.hasThenClaim()) {
      ClaimDecoder claim = modify.thenClaim();
      claimer.claimant(
          modify.claimantHigh(),
          modify.claimantLow(),
          modify.buffer(),
          modify.claimantTextOffset(),
          modify.claimantTextLength(),
          claim.leaseMs());
      claimStep.selectQueues(claim);
      claimer.take(claim.limit(), nowMs);
    }
  }

  private void showPolicies() {
    for (int i = 0; i < modify.policyPutCount(); i++) {
      answers.policy(policyStep.put(modify, i));
    }
    for (int i = 0; i < modify.pauseCount(); i++) {
      answers.policy(policyStep.paused(modify, i));
    }
  }

  private void insert(InsertDecoder insert) {
    int task = tasks.add(insert.idHigh(), insert.idLow());
    idText.set(modify.buffer(), insert.idTextOffset(), insert.idTextLength());
    int queue = findOrAddQueue(insert);
    long ttlMs = ttlMs(insert, queue);
    fill(task, insert, attributes.ofInsert(insert, modify.buffer(), ttlMs, nowMs));
    attachNew(task, queue, insert, ttlMs);
    answers.inserted(task);
  }

  /** After how many milliseconds a task to insert expires: by itself or the policy of its queue. */
  private long ttlMs(InsertDecoder insert, int queue) {
    if (insert.ttlMs() != 0) {
      return insert.ttlMs();
    }
    int policy = ruled.policyNow(queue);
    return policy == Slab.NONE ? 0 : policies.ttlMs(policy);
  }

  /** Inserts a copy into the queue of each group of a topic; all share one content. */
  private void copy(int index) {
    InsertDecoder insert = modify.insert(index);
    idText.clear();
    int first = Slab.NONE;
    long firstTtlMs = 0;
    int groups = topics.select(index);
    for (int group = 0; group < groups; group++) {
      topics.copy(group);
      int task = tasks.add(topics.idHigh(), topics.idLow());
      Bytes name = topics.queue();
      int queue = queues.findOrAdd(name.buffer(), name.offset(), name.length());
      long ttlMs = ttlMs(insert, queue);
      if (first == Slab.NONE) {
        fill(task, insert, attributes.ofInsert(insert, modify.buffer(), ttlMs, nowMs));
        first = task;
        firstTtlMs = ttlMs;
      } else {
        tasks.share(first, task);
        tasks.attempt(task, insert.attempt());
        if (ttlMs != firstTtlMs) {
          // The policy of its queue gives it another time to expire.
          tasks.replaceAttributes(task, attributes.ofInsert(insert, modify.buffer(), ttlMs, nowMs));
        }
      }
      attachNew(task, queue, insert, ttlMs);
      answers.copied(task);
      copies.addInt(task);
      copies.addInt(index);
    }
  }

  private void attachNew(int task, int queue, InsertDecoder insert, long ttlMs) {
    tasks.queue(task, queue);
    tasks.createdMs(task, nowMs);
    tasks.insertSequence(task, answers.stepSequence());
    hold(task, insert);
    table.attach(task, nowMs);
    attributes.expires(task, ttlMs, nowMs);
    effects.task(EffectKinds.INSERTED, task);
  }

  private void change(int index) {
    int task = check.changed(index);
    ChangeDecoder change = modify.change(index);
    int formerQueue = tasks.queue(task);
    // The check ran before any change: no earlier item of the Modify may have touched this task.
    Invariant.check(
        tasks.version(task) == change.version(), "changed as checked", task, change.version());
    table.detach(task);
    changeOutcome.beforeChange(task, change, modify.buffer(), isRequesters(task), nowMs);
    boolean isLease = MessageRules.isLeaseOnly(change.mode());
    if (!isLease) {
      int queue = findOrAddQueue(change);
      tasks.idText(task, idText);
      boolean isMoved = queue != formerQueue;
      fill(task, change, attributes.ofChange(task, change, modify.buffer(), isMoved, nowMs));
      tasks.queue(task, queue);
      attributes.expires(task, change.ttlMs(), nowMs);
    }
    if (change.mode() == ChangeModes.RESET_CLAIMS) {
      tasks.claims(task, 0);
    }
    tasks.version(task, tasks.version(task) + 1);
    hold(task, change);
    boolean isDecided = changeOutcome.afterChange(task, change.mode(), nowMs);
    boolean isMoved = tasks.queue(task) != formerQueue;
    if (isDecided) {
      decided.addInt(index);
      answers.leased(task);
    } else if (isLease) {
      boolean isTakenBack = change.mode() == ChangeModes.TAKE_BACK;
      int kind = isTakenBack ? EffectKinds.TAKEN_BACK : EffectKinds.RENEWED;
      effects.task(kind, changeOutcome.effectFlags(), task);
      answers.leased(task);
    } else {
      if (isMoved) {
        effects.moved(EffectKinds.MOVED, changeOutcome.effectFlags(), task, formerQueue);
      } else {
        effects.task(EffectKinds.CHANGED, changeOutcome.effectFlags(), task);
      }
      answers.changed(task);
    }
    if (isMoved) {
      queues.removeIfUnused(formerQueue);
    }
  }

  private void fail(int index) {
    int task = check.failed(index);
    FailDecoder fail = modify.fail(index);
    Invariant.check(
        tasks.version(task) == fail.version(), "failed as checked", task, fail.version());
    table.detach(task);
    int queue = tasks.queue(task);
    failures.fail(task, fail, modify.buffer(), nowMs);
    answers.failed(task, index);
    if (tasks.queue(task) != queue) {
      queues.removeIfUnused(queue);
    }
  }

  private boolean isRequesters(int task) {
    return tasks.claimantHigh(task) == modify.claimantHigh()
        && tasks.claimantLow(task) == modify.claimantLow();
  }

  private int findOrAddQueue(TaskItem data) {
    return queues.findOrAdd(modify.buffer(), data.queueOffset(), data.queueLength());
  }

  private void fill(int task, TaskItem data, Bytes attributes) {
    value.set(modify.buffer(), data.valueOffset(), data.valueLength());
    err.set(modify.buffer(), data.errOffset(), data.errLength());
    tasks.content(task, data.valueKind(), value, attributes, err, idText);
    tasks.attempt(task, data.attempt());
  }

  /** Sets when a task arrives and who holds it until then, both from one reading of the clock. */
  private void hold(int task, TaskItem item) {
    long arrivalMs = ArrivalTime.ms(item.byMs(), item.arrivalMs(), nowMs);
    tasks.arrivalMs(task, arrivalMs);
    tasks.modifiedMs(task, nowMs);
    if (isHeld(modify, arrivalMs, nowMs)) {
      claimant(task);
    } else {
      table.claimant(task, 0, 0, false);
    }
  }

  /** Whether the requester holds a task that it has written: by v0 rules, always. */
  static boolean isHeld(ModifyDecoder modify, long arrivalMs, long nowMs) {
    return modify.facade() == Facades.V0 || arrivalMs > nowMs;
  }

  private void claimant(int task) {
    table.claimant(
        task,
        modify.claimantHigh(),
        modify.claimantLow(),
        modify.buffer(),
        modify.claimantTextOffset(),
        modify.claimantTextLength());
  }

  // What the reply to a retry repeats of the tasks and docs that the Modify wrote.

  @Override
  public boolean isClaimDocs() {
    return false;
  }

  @Override
  public void repeatDocs(Receipt receipt) {
    docStep.repeat(receipt);
  }

  @Override
  public void repeatPolicies() {
    showPolicies();
  }

  @Override
  public int changedRole(int index) {
    return MessageRules.isLeaseOnly(modify.change(index).mode())
        ? ResultSink.ROLE_LEASED
        : ResultSink.ROLE_CHANGED;
  }

  @Override
  public void describe(TaskFlyweight task, int role, int index, long thenMs) {
    boolean isInserted = role == ResultSink.ROLE_INSERTED;
    TaskItem item = isInserted ? modify.insert(index) : modify.change(index);
    long arrivalMs = ArrivalTime.ms(item.byMs(), item.arrivalMs(), thenMs);
    task.arrival(arrivalMs);
    if (role == ResultSink.ROLE_LEASED) {
      task.queue(modify.buffer(), item.queueOffset(), item.queueLength());
    }
    if (isHeld(modify, arrivalMs, thenMs)) {
      byRequester(task);
    }
  }

  private void byRequester(TaskFlyweight task) {
    task.claimant(
        modify.claimantHigh(),
        modify.claimantLow(),
        modify.buffer(),
        modify.claimantTextOffset(),
        modify.claimantTextLength());
  }

  @Override
  public void describeDecided(TaskFlyweight task, Receipt receipt, int role, int index) {
    if (role == ResultSink.ROLE_COPIED) {
      InsertDecoder insert = modify.insert(index);
      task.decided(receipt, modify.buffer(), insert.errOffset(), insert.errLength());
      if (isHeld(modify, receipt.decidedArrivalMs(), receipt.logTimeMs())) {
        byRequester(task);
      }
    } else if (role == ResultSink.ROLE_FAILED) {
      FailDecoder fail = modify.fail(index);
      task.decided(receipt, modify.buffer(), fail.errOffset(), fail.errLength());
    } else {
      ChangeDecoder change = modify.change(index);
      task.decided(receipt, modify.buffer(), change.errOffset(), change.errLength());
    }
  }
}
