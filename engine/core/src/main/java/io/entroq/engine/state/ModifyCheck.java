package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.InsertDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.command.TaskRefDecoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.MessageRules;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultRules;
import io.entroq.engine.memory.KeySet;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyCheck;
import io.entroq.engine.policy.Topics;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.IntArrayList;

/**
 * Checks a Modify (contract 2.4.1 to 2.4.7): finds the tasks that it names and collects every
 * failure, including those of docs. Changes nothing.
 */
final class ModifyCheck implements PolicyCheck.Verdicts {

  /** The most copies that the inserts of one Modify may make in the queues of groups. */
  static final int COPIES_MAX = 10_000;

  /** About what a reply has of a copy, without the name of its queue. */
  private static final int COPY_BYTES = 96;

  private static final int FAILURE_INTS = 5;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final Claimants claimants;
  private final RememberedIds rememberedIds;
  private final QueueLimit queueLimit;
  private final DocCheck docs;
  private final PolicyCheck policies;
  private final Topics topics;
  private final KeySet insertedIds = new KeySet();
  private final KeySet namedIds = new KeySet();
  private final Bytes idText = new Bytes();
  private final IntArrayList found = new IntArrayList();
  private final IntArrayList failed = new IntArrayList();
  private int itemCount;
  private boolean isV0;
  private long leaseBytes;
  private long failBytes;
  private long copyBytes;
  private int refusal;
  private int itemKind;
  private int itemIndex;
  private final ModifyDecoder modify;
  private long nowMs;

  /** Keeps the compiler from removing the early reads; its value is meaningless. */
  @SuppressWarnings("UnusedVariable")
  private long readAhead;

  ModifyCheck(Stores stores, DocTable docTable, DeadQueues deadQueues, ModifyDecoder modify) {
    this.modify = modify;
    this.tasks = stores.tasks;
    this.rememberedIds = stores.rememberedIds;
    this.queues = stores.queues;
    this.claimants = stores.claimants;
    this.topics = new Topics(stores.policies, stores.queues);
    this.queueLimit = new QueueLimit(stores, deadQueues, modify, topics);
    this.policies = new PolicyCheck(stores.policies, modify);
    this.docs = new DocCheck(stores, docTable, modify, this);
  }

  /** Checks the decoded Modify and returns its result code. */
  int check(int level, long timeMs) {
    begin(timeMs);
    if (level < Levels.TAKE_BACK && isAbove(level)) {
      refusal = ResultCodes.LEVEL_TOO_LOW;
      return refusal;
    }
    topics.find(modify);
    if (topics.copies() > COPIES_MAX) {
      refusal = queueLimit.tooManyCopies(COPIES_MAX);
      return refusal;
    }
    checkClaimant();
    for (int i = 0; i < modify.insertCount(); i++) {
      if (topics.has(i)) {
        checkCopies(i);
      } else {
        checkInsert(i, modify.insert(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      checkChange(i, modify.change(i));
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      checkDelete(i, modify.delete(i));
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      checkDepend(i, modify.depend(i));
    }
    if (modify.failCount() > 0) {
      checkFails();
    }
    if (DocItem.isIn(modify)) {
      docs.check(timeMs);
    }
    if (PolicyCheck.isIn(modify)) {
      policies.check(this);
    }
    int code = code();
    return code == ResultCodes.OK ? queueLimit.check(this) : code;
  }

  private void begin(long timeMs) {
    nowMs = timeMs;
    refusal = ResultCodes.OK;
    itemKind = ItemKinds.NONE;
    itemIndex = 0;
    found.clear();
    failed.clear();
    insertedIds.clear();
    namedIds.clear();
    itemCount =
        modify.insertCount()
            + modify.changeCount()
            + modify.deleteCount()
            + modify.dependCount()
            + modify.failCount();
    isV0 = modify.facade() == Facades.V0;
    leaseBytes = 0;
    failBytes = 0;
    copyBytes = 0;
  }

  /** Whether the Modify has anything that begins with a higher level. */
  private boolean isAbove(int level) {
    return (level < Levels.POLICIES && hasMore())
        || (level < Levels.POOLS && PolicyCheck.hasPoolRules(modify))
        || takesBack();
  }

  private boolean takesBack() {
    boolean takes = false;
    for (int i = 0; i < modify.changeCount() && !takes; i++) {
      takes = modify.change(i).mode() == ChangeModes.TAKE_BACK;
    }
    return takes;
  }

  /** Whether the Modify has anything that begins with {@link Levels#POLICIES}. */
  private boolean hasMore() {
    boolean has = modify.failCount() > 0 || PolicyCheck.isIn(modify);
    for (int i = 0; i < modify.insertCount() && !has; i++) {
      has = hasAttributes(modify.insert(i));
    }
    for (int i = 0; i < modify.changeCount() && !has; i++) {
      has = hasAttributes(modify.change(i));
    }
    return has;
  }

  private static boolean hasAttributes(TaskItem item) {
    return item.ttlMs() != 0 || item.traceLength() > 0;
  }

  private int code() {
    if (refusal != ResultCodes.OK && refusal != ResultCodes.VERSION_EXHAUSTED) {
      return refusal;
    }
    return failed.isEmpty() ? refusal : ResultCodes.DEPENDENCY;
  }

  private void checkClaimant() {
    if (claimants.conflicts(
        modify.claimantHigh(),
        modify.claimantLow(),
        modify.buffer(),
        modify.claimantTextOffset(),
        modify.claimantTextLength())) {
      refuse(ResultCodes.KEY_COLLISION, ItemKinds.NONE, 0);
    }
  }

  private void checkInsert(int index, InsertDecoder insert) {
    // A v0 request may insert a task with the id of one that it also names otherwise.
    KeySet ids = isV0 ? insertedIds : namedIds;
    checkFirst(ids, ItemKinds.INSERT, index, insert.idHigh(), insert.idLow());
    int task = tasks.find(insert.idHigh(), insert.idLow());
    if (task == Slab.NONE) {
      if (rememberedIds.isTaken(insert.idHigh(), insert.idLow(), nowMs)) {
        fail(ItemKinds.INSERT, index, false, Slab.NONE);
      }
      return;
    }
    if (isNamed(task, insert.idTextOffset(), insert.idTextLength())) {
      fail(ItemKinds.INSERT, index, false, task);
    } else {
      refuse(ResultCodes.KEY_COLLISION, ItemKinds.INSERT, index);
    }
  }

  /**
   * An insert into a topic names its own id and those of its copies. Of a repeated one, usually all
   * copies exist; one failure tells so.
   */
  private void checkCopies(int index) {
    InsertDecoder insert = modify.insert(index);
    KeySet ids = isV0 ? insertedIds : namedIds;
    checkFirst(ids, ItemKinds.INSERT, index, insert.idHigh(), insert.idLow());
    boolean isFree = true;
    int groups = topics.select(index);
    readAhead(groups);
    for (int group = 0; group < groups; group++) {
      topics.copyId(group);
      copyBytes += COPY_BYTES + topics.queueLength(group);
      // Also for a single insert: the names of its groups may have been chosen to collide.
      if (!ids.add(topics.idHigh(), topics.idLow())) {
        refuse(ResultCodes.DUPLICATE_ITEM, ItemKinds.INSERT, index);
      }
      isFree = isFree && isCopyFree(index, topics.idHigh(), topics.idLow());
    }
  }

  /** Each id is a cache miss in a large index: reading all of them first overlaps the misses. */
  private void readAhead(int groups) {
    long seen = 0;
    for (int group = 0; group < groups; group++) {
      topics.copyId(group);
      seen += tasks.readAhead(topics.idHigh(), topics.idLow());
    }
    readAhead = seen;
  }

  private boolean isCopyFree(int index, long idHigh, long idLow) {
    int task = tasks.find(idHigh, idLow);
    if (task == Slab.NONE) {
      boolean isRemembered = rememberedIds.isTaken(idHigh, idLow, nowMs);
      if (isRemembered) {
        fail(ItemKinds.INSERT, index, false, Slab.NONE);
      }
      return !isRemembered;
    }
    if (isNamed(task, 0, 0)) {
      fail(ItemKinds.INSERT, index, false, task);
    } else {
      refuse(ResultCodes.KEY_COLLISION, ItemKinds.INSERT, index);
    }
    return false;
  }

  private void checkChange(int index, ChangeDecoder change) {
    int task = named(change.idHigh(), change.idLow(), change.idTextOffset(), change.idTextLength());
    checkFirst(namedIds, ItemKinds.CHANGE, index, change.idHigh(), change.idLow());
    found.addInt(task);
    if (task == Slab.NONE
        || tasks.version(task) != change.version()
        || !isIn(task, change.fromQueueOffset(), change.fromQueueLength())) {
      fail(ItemKinds.CHANGE, index, false, Slab.NONE);
      return;
    }
    if (MessageRules.isLeaseOnly(change.mode())) {
      leaseBytes += tasks.contentLength(task);
    }
    if (change.mode() != ChangeModes.TAKE_BACK && isHeldByAnother(task)) {
      fail(ItemKinds.CHANGE, index, true, task);
    } else if (tasks.version(task) == Integer.MAX_VALUE) {
      refuse(ResultCodes.VERSION_EXHAUSTED, ItemKinds.CHANGE, index);
    }
  }

  private void checkDelete(int index, TaskRefDecoder delete) {
    int task = reference(ItemKinds.DELETE, index, delete);
    found.addInt(task);
    if (task == Slab.NONE) {
      fail(ItemKinds.DELETE, index, false, Slab.NONE);
    } else if (isHeldByAnother(task)) {
      fail(ItemKinds.DELETE, index, true, task);
    }
  }

  private void checkDepend(int index, TaskRefDecoder depend) {
    int task = reference(ItemKinds.DEPEND, index, depend);
    found.addInt(task);
    if (task == Slab.NONE) {
      fail(ItemKinds.DEPEND, index, false, Slab.NONE);
    }
  }

  private void checkFails() {
    for (int i = 0; i < modify.failCount(); i++) {
      checkFail(i, modify.fail(i));
    }
  }

  private void checkFail(int index, FailDecoder fail) {
    checkFirst(namedIds, ItemKinds.FAIL, index, fail.idHigh(), fail.idLow());
    int task = named(fail.idHigh(), fail.idLow(), fail.idTextOffset(), fail.idTextLength());
    found.addInt(task);
    if (task == Slab.NONE
        || tasks.version(task) != fail.version()
        || !isInNamed(task, fail.queueOffset(), fail.queueLength())) {
      fail(ItemKinds.FAIL, index, false, Slab.NONE);
      return;
    }
    failBytes += tasks.contentLength(task) + fail.errLength();
    if (isHeldByAnother(task)) {
      fail(ItemKinds.FAIL, index, true, task);
    } else if (tasks.version(task) == Integer.MAX_VALUE) {
      refuse(ResultCodes.VERSION_EXHAUSTED, ItemKinds.FAIL, index);
    }
  }

  private boolean isInNamed(int task, int queueOffset, int queueLength) {
    return queueLength == 0
        || queues.isNamed(tasks.queue(task), modify.buffer(), queueOffset, queueLength);
  }

  /** The task of a delete or depend, if its version and queue match. */
  private int reference(int kind, int index, TaskRefDecoder item) {
    checkFirst(namedIds, kind, index, item.idHigh(), item.idLow());
    int task = named(item.idHigh(), item.idLow(), item.idTextOffset(), item.idTextLength());
    boolean isMeant =
        task != Slab.NONE
            && tasks.version(task) == item.version()
            && isIn(task, item.queueOffset(), item.queueLength());
    return isMeant ? task : Slab.NONE;
  }

  /** Whether a task is in the queue that an item names; a v0 request need not name one. */
  private boolean isIn(int task, int queueOffset, int queueLength) {
    return (isV0 || queueLength > 0) && isInNamed(task, queueOffset, queueLength);
  }

  private void checkFirst(KeySet ids, int kind, int index, long idHigh, long idLow) {
    if (itemCount > 1 && !ids.add(idHigh, idLow)) {
      refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
    }
  }

  private int named(long idHigh, long idLow, int textOffset, int textLength) {
    int task = tasks.find(idHigh, idLow);
    return task == Slab.NONE || isNamed(task, textOffset, textLength) ? task : Slab.NONE;
  }

  /** The v0 API identifies tasks by the key of their id alone. */
  private boolean isNamed(int task, int textOffset, int textLength) {
    if (isV0) {
      return true;
    }
    tasks.idText(task, idText);
    return idText.matches(modify.buffer(), textOffset, textLength);
  }

  private boolean isHeldByAnother(int task) {
    return tasks.arrivalMs(task) > nowMs
        && tasks.hasClaimant(task)
        && (tasks.claimantLow(task) != modify.claimantLow()
            || tasks.claimantHigh(task) != modify.claimantHigh());
  }

  /**
   * Adds a failed item; {@code existing} is the task that an insert collides with or that another
   * claimant holds, or none.
   */
  void fail(int kind, int index, boolean claimed, int existing) {
    failed.addInt(kind);
    failed.addInt(index);
    failed.addInt(claimed ? 1 : 0);
    failed.addInt(existing);
    failed.addInt(Slab.NONE);
  }

  /**
   * Adds a failed doc or doc set.
   *
   * @param set the stored set that it is in, or none
   * @param occupant the doc that has the place of an insert, or none
   */
  void failDoc(int kind, int index, boolean claimed, int set, int occupant) {
    failed.addInt(kind);
    failed.addInt(index);
    failed.addInt(claimed ? 1 : 0);
    failed.addInt(set);
    failed.addInt(occupant);
  }

  @Override
  public void failPolicy(int kind, int index, int existingVersion) {
    fail(kind, index, false, existingVersion);
  }

  /** The first reason wins, but an exhausted version only if there is no other. */
  @Override
  public void refuse(int code, int kind, int index) {
    if (refusal == ResultCodes.OK
        || (refusal == ResultCodes.VERSION_EXHAUSTED && code != refusal)) {
      refusal = code;
      itemKind = kind;
      itemIndex = index;
    }
  }

  /**
   * Bytes of values and error texts of the tasks that the reply repeats: renewed and failed ones.
   */
  long repeatedBytes() {
    return leaseBytes + failBytes;
  }

  /** Approximate bytes of the copies in the reply, which the request has not named. */
  long copyBytes() {
    return copyBytes;
  }

  DocCheck docs() {
    return docs;
  }

  /** Whether an item names a stored task. */
  boolean isNamed(int task) {
    return itemCount > 1
        ? namedIds.contains(tasks.idHigh(task), tasks.idLow(task))
        : found.size() > 0 && found.getInt(0) == task;
  }

  /** The inserts that go into topics, and their copies. */
  Topics topics() {
    return topics;
  }

  QueueLimit queueLimit() {
    return queueLimit;
  }

  /** The task of a change, after a check that passed. */
  int changed(int index) {
    return found.getInt(index);
  }

  /** The task of a delete, after a check that passed. */
  int deleted(int index) {
    return found.getInt(modify.changeCount() + index);
  }

  /** The task of a depend, after a check that passed. */
  int depended(int index) {
    return found.getInt(modify.changeCount() + modify.deleteCount() + index);
  }

  /** The task of a fail, after a check that passed. */
  int failed(int index) {
    return found.getInt(modify.changeCount() + modify.deleteCount() + modify.dependCount() + index);
  }

  /** Adds the failures to the reply begun with the code of the check. */
  void explain(int code, ReplyWriter answers) {
    if (ResultRules.isOfQueueLimit(code)) {
      queueLimit.explain(answers);
      return;
    }
    if (code != ResultCodes.DEPENDENCY) {
      answers.item(itemKind, itemIndex);
      return;
    }
    for (int i = 0; i < failed.size(); i += FAILURE_INTS) {
      explainFailure(i, answers);
    }
  }

  private void explainFailure(int at, ReplyWriter answers) {
    int kind = failed.getInt(at);
    int index = failed.getInt(at + 1);
    boolean claimed = failed.getInt(at + 2) != 0;
    int existing = failed.getInt(at + 3);
    if (kind >= ItemKinds.POLICY_PUT) {
      answers.policyFailure(kind, index, existing);
    } else if (kind >= ItemKinds.DOC_INSERT && kind <= ItemKinds.DOC_DEPEND) {
      answers.docFailure(kind, index, claimed, existing, failed.getInt(at + 4));
    } else {
      boolean isCopy = kind == ItemKinds.INSERT && topics.has(index);
      answers.taskFailure(kind, index, claimed, existing, isCopy);
    }
  }
}
