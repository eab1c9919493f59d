package io.entroq.engine.state;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.message.MessageRules;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.Resolution;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.Topics;
import io.entroq.engine.queue.QueueDeltas;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.ReadyIndex;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.IntArrayList;

/**
 * Checks whether a Modify would make a queue larger than the limit that it gives, or than the
 * policy of the queue allows; and makes room where the policy says so. It compares the size of each
 * queue after the whole Modify, so tasks that leave a queue make room in it. A Modify that does not
 * enlarge a queue is never refused. Policies count as they were before the Modify.
 *
 * <p>The code is {@code NEVER_FITS} if the tasks that the Modify itself leaves in a queue exceed
 * the limit: waiting for others to leave would not help. This depends on the Modify and the policy
 * alone, because versions fix which tasks it names.
 *
 * <p>Usually no queue comes near the limit, and one comparison per item is enough. Otherwise, or if
 * policies limit sizes, the items are counted by queue.
 */
final class QueueLimit {

  /** The most tasks that are dropped from a queue in one step, beyond those that come. */
  private static final int DROPPED_MAX = 1000;

  private final TaskStore tasks;
  private final QueueStore queues;
  private final ReadyIndex ready;
  private final PolicyStore policies;
  private final Resolution resolution;
  private final RuledQueues ruled;
  private final DeadQueues deadQueues;
  private final ModifyDecoder modify;
  private final QueueDeltas deltas;
  private final Topics topics;
  private final Bytes name = new Bytes();

  /** Of each queue that may have to drop tasks: where its name is, its length, tasks that come. */
  private final IntArrayList drops = new IntArrayList();

  // The limits of the queue that is looked at; 0: none.
  private long tasksMax;
  private long bytesMax;
  private boolean dropsTasks;
  private boolean dropsBytes;

  private int itemKind;
  private int itemIndex;
  private long found;
  private long most;

  QueueLimit(Stores stores, DeadQueues deadQueues, ModifyDecoder modify, Topics topics) {
    this.topics = topics;
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.ready = stores.ready;
    this.policies = stores.policies;
    this.resolution = new Resolution(stores.policies);
    this.ruled = stores.ruled;
    this.deadQueues = deadQueues;
    this.modify = modify;
    this.deltas = new QueueDeltas(stores.queues, modify);
  }

  /**
   * Returns the code of a Modify that has passed all other checks.
   *
   * @param named the tasks that it names
   */
  int check(ModifyCheck named) {
    drops.clear();
    if (!policies.hasSizes() && (modify.queueTasksMax() == 0 || !isNear(named))) {
      return ResultCodes.OK;
    }
    count(named);
    int code = decide(named);
    deltas.clear();
    return code;
  }

  /** Refuses a Modify that would make too many copies. */
  int tooManyCopies(long most) {
    itemKind = ItemKinds.INSERT;
    itemIndex = topics.firstInsert();
    found = topics.copies();
    this.most = most;
    return ResultCodes.NEVER_FITS;
  }

  /** Adds the item, the size of its queue and the limit to the reply. */
  void explain(ReplyWriter answers) {
    answers.item(itemKind, itemIndex);
    answers.queueFull(found, most);
  }

  /** Whether a queue would be too large if every inserted or moved task went into it. */
  private boolean isNear(ModifyCheck named) {
    long room = modify.queueTasksMax() - modify.insertCount() - modify.changeCount();
    for (int i = 0; i < modify.insertCount(); i++) {
      if (topics.has(i) ? isNear(i, room) : size(find(modify.insert(i))) > room) {
        return true;
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(named, i) && size(find(modify.change(i))) > room) {
        return true;
      }
    }
    return false;
  }

  /** A queue gets at most one copy of an insert. */
  private boolean isNear(int insert, long room) {
    int groups = topics.select(insert);
    for (int group = 0; group < groups; group++) {
      topics.copy(group);
      Bytes queue = topics.queue();
      if (size(queues.find(queue.buffer(), queue.offset(), queue.length())) > room) {
        return true;
      }
    }
    return false;
  }

  private void countCopies(int insert) {
    int groups = topics.select(insert);
    for (int group = 0; group < groups; group++) {
      topics.copy(group);
      deltas.added(ItemKinds.INSERT, insert, modify.insert(insert), topics.queue());
    }
  }

  private void count(ModifyCheck named) {
    for (int i = 0; i < modify.insertCount(); i++) {
      if (topics.has(i)) {
        countCopies(i);
      } else {
        deltas.added(ItemKinds.INSERT, i, modify.insert(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      if (isMove(named, i)) {
        deltas.added(ItemKinds.CHANGE, i, modify.change(i));
      }
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      int task = named.changed(i);
      ChangeDecoder change = modify.change(i);
      if (isMove(named, i)) {
        deltas.removed(tasks.queue(task), tasks.contentLength(task));
      } else if (policies.hasSizes() && !MessageRules.isLeaseOnly(change.mode())) {
        deltas.rewritten(ItemKinds.CHANGE, i, change, tasks.contentLength(task));
      } else {
        deltas.kept(tasks.queue(task));
      }
    }
    for (int i = 0; i < modify.deleteCount(); i++) {
      int task = named.deleted(i);
      deltas.removed(tasks.queue(task), tasks.contentLength(task));
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      deltas.kept(tasks.queue(named.depended(i)));
    }
  }

  /** The first queue that never fits takes precedence over one that is merely full now. */
  private int decide(ModifyCheck named) {
    int code = ResultCodes.OK;
    for (int i = 0; i < deltas.size() && code != ResultCodes.NEVER_FITS; i++) {
      int verdict = decide(i, named, code == ResultCodes.OK);
      if (verdict == ResultCodes.NEVER_FITS || code == ResultCodes.OK) {
        code = verdict;
      }
    }
    return code;
  }

  /**
   * Decides about one queue.
   *
   * @param explains whether a refusal for a full queue is to be explained by this queue
   */
  private int decide(int index, ModifyCheck named, boolean explains) {
    findLimits(index);
    int queue = deltas.queue(index);
    long before = size(queue);
    long bytesBefore = queue == Slab.NONE ? 0 : queues.bytes(queue);
    boolean isFull = tasksMax > 0 && deltas.net(index) > 0 && before + deltas.net(index) > tasksMax;
    boolean isBytesFull =
        bytesMax > 0
            && deltas.netBytes(index) > 0
            && bytesBefore + deltas.netBytes(index) > bytesMax;
    if (isFull && deltas.own(index) > tasksMax) {
      return refuse(ResultCodes.NEVER_FITS, index, deltas.own(index), tasksMax, true);
    }
    if (isBytesFull && deltas.ownBytes(index) > bytesMax) {
      return refuse(ResultCodes.NEVER_FITS, index, deltas.ownBytes(index), bytesMax, true);
    }
    boolean mayDrop = (!isFull || dropsTasks) && (!isBytesFull || dropsBytes);
    if ((isFull || isBytesFull) && mayDrop && findsRoom(index, named)) {
      drops.addInt(deltas.nameOffset(index));
      drops.addInt(deltas.nameLength(index));
      drops.addInt(Math.max(0, deltas.net(index)));
      return ResultCodes.OK;
    }
    if (isFull) {
      return refuse(ResultCodes.QUEUE_FULL, index, before, tasksMax, explains);
    }
    return isBytesFull
        ? refuse(ResultCodes.QUEUE_BYTES_FULL, index, bytesBefore, bytesMax, explains)
        : ResultCodes.OK;
  }

  /**
   * The smaller of two limits for the number of tasks; only that of the policy lets tasks be
   * dropped.
   */
  private void findLimits(int index) {
    tasksMax = modify.queueTasksMax();
    bytesMax = 0;
    dropsTasks = false;
    dropsBytes = false;
    if (!policies.hasSizes()) {
      return;
    }
    deltas.name(deltas.nameOffset(index), deltas.nameLength(index), name);
    resolution.resolve(name);
    if (resolution.policy() != Slab.NONE) {
      PolicyDecoder rules = policies.rules(resolution.policy());
      boolean isOfPolicy = rules.tasksMax() > 0 && (tasksMax == 0 || rules.tasksMax() <= tasksMax);
      tasksMax = isOfPolicy ? rules.tasksMax() : tasksMax;
      bytesMax = rules.bytesMax();
      dropsBytes = rules.overflow() == Overflows.DROP_OLDEST;
      dropsTasks = dropsBytes && isOfPolicy;
    }
  }

  /**
   * Whether enough ready tasks that the Modify does not name can be dropped: until the queue is as
   * small as it must be, or at least no larger than before.
   */
  private boolean findsRoom(int index, ModifyCheck named) {
    int queue = deltas.queue(index);
    if (queue == Slab.NONE) {
      return false;
    }
    long tasksLeft = (long) queues.taskCount(queue) + deltas.net(index);
    long bytesLeft = queues.bytes(queue) + deltas.netBytes(index);
    int mayDrop = DROPPED_MAX + Math.max(0, deltas.net(index));
    int task = ready.oldest(queue);
    while (mayDrop > 0 && task != Slab.NONE && !fits(tasksLeft, tasksMax, bytesLeft, bytesMax)) {
      if (!named.isNamed(task)) {
        tasksLeft--;
        bytesLeft -= tasks.contentLength(task);
        mayDrop--;
      }
      task = tasks.next(task);
    }
    return fits(tasksLeft, tasksMax, bytesLeft, bytesMax)
        || (tasksLeft <= queues.taskCount(queue) && bytesLeft <= queues.bytes(queue));
  }

  private static boolean fits(long tasksLeft, long mostTasks, long bytesLeft, long mostBytes) {
    return (mostTasks == 0 || tasksLeft <= mostTasks) && (mostBytes == 0 || bytesLeft <= mostBytes);
  }

  /** Whether the check has found that room must be made. */
  boolean drops() {
    return drops.size() > 0;
  }

  /** Makes room after the Modify, as the check has found it. */
  void drop(long nowMs) {
    for (int i = 0; i < drops.size(); i += 3) {
      deltas.name(drops.getInt(i), drops.getInt(i + 1), name);
      int queue = queues.find(name.buffer(), name.offset(), name.length());
      if (queue != Slab.NONE) {
        drop(queue, DROPPED_MAX + drops.getInt(i + 2), nowMs);
      }
    }
  }

  private void drop(int queue, int mostTasks, long nowMs) {
    for (int i = 0; i < mostTasks && queues.isAlive(queue) && queues.readyCount(queue) > 0; i++) {
      int policy = ruled.policyNow(queue);
      if (policy == Slab.NONE) {
        return;
      }
      PolicyDecoder rules = policies.rules(policy);
      boolean fits =
          fits(queues.taskCount(queue), rules.tasksMax(), queues.bytes(queue), rules.bytesMax());
      if (fits) {
        return;
      }
      deadQueues.dropOldest(queue, nowMs);
      if (queues.isAlive(queue)) {
        queues.removeIfUnused(queue);
      }
    }
  }

  private int refuse(int code, int index, long size, long limit, boolean explains) {
    if (explains) {
      itemKind = deltas.itemKind(index);
      itemIndex = deltas.itemIndex(index);
      found = size;
      most = limit;
    }
    return code;
  }

  private boolean isMove(ModifyCheck named, int change) {
    ChangeDecoder item = modify.change(change);
    if (MessageRules.isLeaseOnly(item.mode())) {
      return false;
    }
    int queue = tasks.queue(named.changed(change));
    return !queues.isNamed(queue, modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private int find(TaskItem item) {
    return queues.find(modify.buffer(), item.queueOffset(), item.queueLength());
  }

  private long size(int queue) {
    return queue == Slab.NONE ? 0 : queues.taskCount(queue);
  }
}
