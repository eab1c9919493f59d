package io.entroq.simulator.check;

import io.entroq.codec.command.ChangeDecoder;
import io.entroq.codec.command.DocItem;
import io.entroq.codec.command.FailDecoder;
import io.entroq.codec.command.InsertDecoder;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.command.TaskItem;
import io.entroq.codec.command.TaskRefDecoder;
import io.entroq.codec.message.ChangeModes;
import io.entroq.codec.message.CopyIds;
import io.entroq.codec.message.Facades;
import io.entroq.codec.message.Overflows;
import io.entroq.codec.result.ItemKinds;
import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.policy.PolicyTable;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/** Finds everything that prevents a modify. Changes nothing. */
final class ModifyCheck {
  /** How many tasks for groups a modify makes. */
  private static final int COPIES_MAX = 10_000;

  /** How many tasks a queue drops at once, beyond those that come. */
  static final int DROPPED_MAX = 1_000;

  private final Account account;
  private final Cells cells;
  private final QueueLimit limit;
  private final DocCheck docs;
  private final PolicyRules policies;
  private final Set<Key> inserted = new HashSet<>();
  private final Set<Key> named = new HashSet<>();
  private final IntArrayList tasks = new IntArrayList();

  /** What each insert makes in the queues of groups. */
  private final List<List<Copy>> copies = new ArrayList<>();

  private long[] failures = new long[64];
  private int failureCount;
  private ModifyDecoder modify;
  private long nowMs;
  private int code;
  private int itemKind;
  private int itemIndex;

  /** An id, or the name of a doc, to find items that come twice. */
  record Key(long high, long low) {}

  /**
   * A task for a group of a topic.
   *
   * @param queue the number of the name of its queue
   */
  record Copy(long high, long low, int queue) {}

  ModifyCheck(Account account, PolicyRules policies) {
    this.account = account;
    this.cells = account.cells;
    this.limit = new QueueLimit(account);
    this.docs = new DocCheck(account, this);
    this.policies = policies;
  }

  /**
   * The result code of a modify.
   *
   * @param isConflict whether another claimant with this key is in use
   */
  int check(ModifyDecoder command, long timeMs, boolean isConflict) {
    modify = command;
    nowMs = timeMs;
    code = ResultCodes.OK;
    itemKind = ItemKinds.NONE;
    itemIndex = 0;
    failureCount = 0;
    tasks.clear();
    if (isConflict) {
      refuse(ResultCodes.KEY_COLLISION, ItemKinds.NONE, 0);
    }
    inserted.clear();
    named.clear();
    if ((!account.hasPolicies() && needsPolicies())
        || (account.level() < Account.LEVEL_OF_POOLS && PolicyRules.hasPoolRules(modify))
        || (account.level() < Account.LEVEL_OF_TAKE_BACK && takesBack())) {
      code = ResultCodes.LEVEL_TOO_LOW;
      return code;
    }
    findCopies();
    if (tooManyCopies()) {
      return code;
    }
    checkInserts();
    checkChanges();
    checkReferences();
    checkFails();
    if (DocItem.isIn(modify)) {
      docs.check(modify, timeMs);
    }
    if (PolicyRules.isIn(modify)) {
      policies.check(modify, this, timeMs);
    }
    if (code == ResultCodes.OK && failureCount > 0) {
      code = ResultCodes.DEPENDENCY;
      account.rules.countIf(isOfSeveralKinds(), Rule.ALL_FAILURES_TOGETHER);
    }
    if (code == ResultCodes.OK && limit.isShort(modify, this)) {
      code = limit.code();
      itemKind = limit.itemKind();
      itemIndex = limit.itemIndex();
    }
    return code;
  }

  private boolean isOfSeveralKinds() {
    long first = failure(0, Receipts.KIND);
    long last = failure(failureCount - 1, Receipts.KIND);
    return first <= ItemKinds.DEPEND && last > ItemKinds.DEPEND;
  }

  /** Whether the modify has anything that lower behavior levels do not have. */
  private boolean needsPolicies() {
    boolean needs = PolicyRules.isIn(modify) || modify.failCount() > 0;
    for (int i = 0; i < modify.insertCount(); i++) {
      needs |= modify.insert(i).ttlMs() != 0 || modify.insert(i).traceLength() > 0;
    }
    for (int i = 0; i < modify.changeCount(); i++) {
      needs |= modify.change(i).ttlMs() != 0 || modify.change(i).traceLength() > 0;
    }
    return needs;
  }

  private boolean takesBack() {
    boolean takes = false;
    for (int i = 0; i < modify.changeCount(); i++) {
      takes |= modify.change(i).mode() == ChangeModes.TAKE_BACK;
    }
    return takes;
  }

  /** The groups are those of the policies as the modify leaves them. */
  private void findCopies() {
    copies.clear();
    long point = cells.point();
    if (PolicyRules.isIn(modify)) {
      policies.write(modify, nowMs);
    }
    boolean hasTopics = account.policies.hasTopics();
    for (int i = 0; i < modify.insertCount(); i++) {
      copies.add(hasTopics ? findCopies(modify.insert(i)) : List.of());
    }
    if (PolicyRules.isIn(modify)) {
      cells.goBack(point);
    }
  }

  private List<Copy> findCopies(InsertDecoder insert) {
    byte[] topic = new byte[insert.queueLength()];
    modify.buffer().getBytes(insert.queueOffset(), topic);
    List<Copy> found = new ArrayList<>();
    for (String group : account.policies.groups(topic)) {
      UnsafeBuffer name = new UnsafeBuffer(group.getBytes(StandardCharsets.UTF_8));
      long hash = CopyIds.hash(name, 0, name.capacity());
      byte[] queue =
          (new String(topic, StandardCharsets.UTF_8) + "/" + group)
              .getBytes(StandardCharsets.UTF_8);
      found.add(
          new Copy(
              CopyIds.high(insert.idHigh(), hash),
              CopyIds.low(insert.idHigh(), insert.idLow(), hash),
              account.names.number(new UnsafeBuffer(queue), 0, queue.length)));
    }
    return found;
  }

  private boolean tooManyCopies() {
    long count = 0;
    int first = -1;
    for (int i = 0; i < copies.size(); i++) {
      count += copies.get(i).size();
      first = first < 0 && !copies.get(i).isEmpty() ? i : first;
    }
    if (count <= COPIES_MAX) {
      return false;
    }
    code = ResultCodes.NEVER_FITS;
    itemKind = ItemKinds.INSERT;
    itemIndex = first;
    limit.queueTasks = count;
    limit.queueTasksMax = COPIES_MAX;
    return true;
  }

  private void checkInserts() {
    for (int i = 0; i < modify.insertCount(); i++) {
      InsertDecoder insert = modify.insert(i);
      // In the v0 API, an insert of an id that is named otherwise fails only if the task exists.
      Set<Key> ids = modify.facade() == Facades.V0 ? inserted : named;
      requireFirst(ids, ItemKinds.INSERT, i, insert.idHigh(), insert.idLow());
      if (copies.get(i).isEmpty()) {
        requireNew(
            i, insert.idHigh(), insert.idLow(), insert.idTextOffset(), insert.idTextLength());
        continue;
      }
      boolean areNew = true;
      for (Copy copy : copies.get(i)) {
        requireFirst(ids, ItemKinds.INSERT, i, copy.high(), copy.low());
        // The first one that exists tells that of all; one that is only remembered is not named.
        int before = failureCount;
        areNew = areNew && requireNew(i, copy.high(), copy.low(), 0, 0);
        boolean isThere = account.tasks.find(copy.high(), copy.low()) != Cells.NONE;
        if (failureCount > before && isThere) {
          existingItem(copy.high(), copy.low(), 0);
        }
      }
    }
  }

  private boolean requireNew(int index, long high, long low, int textOffset, int textLength) {
    int task = account.tasks.find(high, low);
    boolean isTaken = account.remembered.isTaken(high, low, nowMs);
    if (task == Cells.NONE) {
      if (isTaken) {
        fail(ItemKinds.INSERT, index, false);
      }
      return !isTaken;
    }
    if (hasSameText(task, textOffset, textLength)) {
      fail(ItemKinds.INSERT, index, false);
      existing(cells.get(task + Tasks.VERSION), queueHash(task));
    } else {
      refuse(ResultCodes.KEY_COLLISION, ItemKinds.INSERT, index);
    }
    return false;
  }

  /** The tasks that an insert makes for groups; none if it goes into no topic. */
  List<Copy> copies(int insert) {
    return copies.get(insert);
  }

  /** How many tasks the inserts make. */
  int insertedTasks() {
    int count = 0;
    for (List<Copy> each : copies) {
      count += Math.max(1, each.size());
    }
    return count;
  }

  private void checkChanges() {
    for (int i = 0; i < modify.changeCount(); i++) {
      ChangeDecoder change = modify.change(i);
      requireFirst(named, ItemKinds.CHANGE, i, change.idHigh(), change.idLow());
      int task =
          find(change.idHigh(), change.idLow(), change.idTextOffset(), change.idTextLength());
      tasks.addInt(task);
      if (task == Cells.NONE
          || !isAsStated(
              task, change.version(), change.fromQueueOffset(), change.fromQueueLength())) {
        fail(ItemKinds.CHANGE, i, false);
      } else if (change.mode() == ChangeModes.TAKE_BACK) {
        account.rules.countIf(isHeldByAnother(task), Rule.TASK_TAKEN_BACK);
      } else {
        requireFree(ItemKinds.CHANGE, i, task);
      }
    }
  }

  private void checkReferences() {
    for (int i = 0; i < modify.deleteCount(); i++) {
      int task = reference(ItemKinds.DELETE, i, modify.delete(i));
      if (task != Cells.NONE) {
        requireFree(ItemKinds.DELETE, i, task);
      }
    }
    for (int i = 0; i < modify.dependCount(); i++) {
      reference(ItemKinds.DEPEND, i, modify.depend(i));
    }
  }

  private void checkFails() {
    for (int i = 0; i < modify.failCount(); i++) {
      FailDecoder fail = modify.fail(i);
      requireFirst(named, ItemKinds.FAIL, i, fail.idHigh(), fail.idLow());
      int task = find(fail.idHigh(), fail.idLow(), fail.idTextOffset(), fail.idTextLength());
      tasks.addInt(task);
      if (task == Cells.NONE
          || cells.get(task + Tasks.VERSION) != fail.version()
          || (fail.queueLength() > 0
              && queueHash(task)
                  != Hashes.bytes(modify.buffer(), fail.queueOffset(), fail.queueLength()))) {
        fail(ItemKinds.FAIL, i, false);
      } else {
        requireFree(ItemKinds.FAIL, i, task);
      }
    }
  }

  private int reference(int kind, int index, TaskRefDecoder ref) {
    requireFirst(named, kind, index, ref.idHigh(), ref.idLow());
    int task = find(ref.idHigh(), ref.idLow(), ref.idTextOffset(), ref.idTextLength());
    if (task == Cells.NONE
        || !isAsStated(task, ref.version(), ref.queueOffset(), ref.queueLength())) {
      fail(kind, index, false);
      task = Cells.NONE;
    }
    tasks.addInt(task);
    return task;
  }

  /** Whether a task has the version and the queue of an item. */
  private boolean isAsStated(int task, int version, int queueOffset, int queueLength) {
    boolean isInQueue =
        (queueLength == 0 && modify.facade() == Facades.V0)
            || queueHash(task) == Hashes.bytes(modify.buffer(), queueOffset, queueLength);
    boolean isAtVersion = cells.get(task + Tasks.VERSION) == version;
    account.rules.countIf(!isAtVersion, Rule.TASK_AT_OTHER_VERSION);
    account.rules.countIf(isAtVersion && !isInQueue, Rule.TASK_IN_OTHER_QUEUE);
    return isAtVersion && isInQueue;
  }

  private long queueHash(int task) {
    return account.names.hash(cells.ref(cells.ref(task + Tasks.QUEUE) + Queues.NAME));
  }

  private void requireFree(int kind, int index, int task) {
    if (isHeldByAnother(task)) {
      account.rules.count(Rule.TASK_OF_ANOTHER);
      fail(kind, index, true);
      existing(cells.get(task + Tasks.VERSION), queueHash(task));
    }
  }

  /** Whether a change leaves value, attempt, error and queue as they are. */
  static boolean hasNoData(ChangeDecoder change) {
    return change.mode() == ChangeModes.LEASE || change.mode() == ChangeModes.TAKE_BACK;
  }

  private void requireFirst(Set<Key> ids, int kind, int index, long high, long low) {
    if (!ids.add(new Key(high, low))) {
      account.rules.count(Rule.SAME_TASK_TWICE);
      refuse(ResultCodes.DUPLICATE_ITEM, kind, index);
    }
  }

  private int find(long high, long low, int textOffset, int textLength) {
    int task = account.tasks.find(high, low);
    return task == Cells.NONE || hasSameText(task, textOffset, textLength) ? task : Cells.NONE;
  }

  /** The v0 API identifies tasks by their keys alone. */
  private boolean hasSameText(int task, int textOffset, int textLength) {
    return modify.facade() == Facades.V0
        || cells.get(task + Tasks.ID_TEXT) == Hashes.bytes(modify.buffer(), textOffset, textLength);
  }

  private boolean isHeldByAnother(int task) {
    long high = cells.get(task + Tasks.CLAIMANT_HIGH);
    long low = cells.get(task + Tasks.CLAIMANT_LOW);
    return cells.get(task + Tasks.ARRIVAL_MS) > nowMs
        && (high | low) != 0
        && (high != modify.claimantHigh() || low != modify.claimantLow());
  }

  /** Refuses the modify whatever the state is. The first reason counts. */
  void refuse(int why, int kind, int index) {
    if (code == ResultCodes.OK) {
      code = why;
      itemKind = kind;
      itemIndex = index;
    }
  }

  /** Adds a failed item. */
  void fail(int kind, int index, boolean isClaimed) {
    int at = failureCount * Receipts.FAILURE_CELLS;
    if (at + Receipts.FAILURE_CELLS > failures.length) {
      failures = Arrays.copyOf(failures, failures.length * 2);
    }
    failures[at + Receipts.KIND] = kind;
    failures[at + Receipts.INDEX] = index;
    failures[at + Receipts.IS_CLAIMED] = isClaimed ? 1 : 0;
    Arrays.fill(failures, at + Receipts.EXISTING_VERSION, at + Receipts.FAILURE_CELLS, 0);
    failureCount++;
  }

  /**
   * Says what is there, of the item that failed last.
   *
   * @param version of the task, or of the set
   * @param name hash of the name of the queue, or of the key of the set
   */
  void existing(long version, long name) {
    int at = (failureCount - 1) * Receipts.FAILURE_CELLS;
    failures[at + Receipts.EXISTING_VERSION] = version;
    failures[at + Receipts.EXISTING_NAME] = name;
  }

  /** Says which doc, or which copy of a group, has the place of the insert that failed last. */
  void existingItem(long high, long low, long text) {
    int at = (failureCount - 1) * Receipts.FAILURE_CELLS;
    failures[at + Receipts.EXISTING_HIGH] = high;
    failures[at + Receipts.EXISTING_LOW] = low;
    failures[at + Receipts.EXISTING_TEXT] = text;
  }

  /** The item that a refusal is about. */
  int itemKind() {
    return itemKind;
  }

  int itemIndex() {
    return itemIndex;
  }

  /** How many tasks the full queue has, or how many bytes. */
  long queueTasks() {
    return limit.queueTasks();
  }

  /** Names of the queues that must drop tasks after the modify, each with how many tasks come. */
  IntArrayList dropping() {
    return limit.dropping;
  }

  /** How many it may have. */
  long queueTasksMax() {
    return limit.queueTasksMax();
  }

  int failureCount() {
    return code == ResultCodes.DEPENDENCY ? failureCount : 0;
  }

  /** A word of a failure, as in receipts. */
  long failure(int index, int cell) {
    return failures[index * Receipts.FAILURE_CELLS + cell];
  }

  // The tasks of the modify, once the check has passed.

  int changed(int index) {
    return tasks.getInt(index);
  }

  int deleted(int index) {
    return tasks.getInt(modify.changeCount() + index);
  }

  int depended(int index) {
    return tasks.getInt(modify.changeCount() + modify.deleteCount() + index);
  }

  /** The task of a fail. */
  int failing(int index) {
    return tasks.getInt(modify.changeCount() + modify.deleteCount() + modify.dependCount() + index);
  }

  /** The check of docs. */
  DocCheck docs() {
    return docs;
  }

  /**
   * Whether an otherwise valid modify makes a queue exceed its limit. Each queue is checked as it
   * would be after the whole modify. If the modify's own tasks already exceed the limit, it can
   * never fit.
   */
  private static final class QueueLimit {

    private final Account account;
    private final Cells cells;
    private ModifyDecoder modify;
    private ModifyCheck check;

    /** Numbers of queue names, because a queue that the modify creates does not exist yet. */
    private final IntArrayList queues = new IntArrayList();

    private final IntArrayList kinds = new IntArrayList();
    private final IntArrayList indexes = new IntArrayList();

    /** Names of queues that must drop tasks, and how many tasks come. */
    private final IntArrayList dropping = new IntArrayList();

    private int code;
    private int item;
    private long queueTasks;
    private long queueTasksMax;

    QueueLimit(Account account) {
      this.account = account;
      this.cells = account.cells;
    }

    /** Whether a limit is exceeded; if so, the getters describe it. */
    boolean isShort(ModifyDecoder ofModify, ModifyCheck ofCheck) {
      modify = ofModify;
      check = ofCheck;
      code = ResultCodes.OK;
      dropping.clear();
      if (modify.queueTasksMax() == 0 && account.policies.size() == 0) {
        return false;
      }
      findQueues();
      for (int i = 0; i < queues.size() && code != ResultCodes.NEVER_FITS; i++) {
        look(i);
      }
      return code != ResultCodes.OK;
    }

    private void findQueues() {
      queues.clear();
      kinds.clear();
      indexes.clear();
      for (int i = 0; i < modify.insertCount(); i++) {
        for (int queue : targets(i)) {
          add(queue, ItemKinds.INSERT, i);
        }
      }
      for (int i = 0; i < modify.changeCount(); i++) {
        if (isMove(i)) {
          add(target(modify.change(i)), ItemKinds.CHANGE, i);
        }
      }
      for (int i = 0; i < modify.changeCount() && account.policies.size() > 0; i++) {
        if (!isMove(i) && !hasNoData(modify.change(i))) {
          add(target(modify.change(i)), ItemKinds.CHANGE, i);
        }
      }
    }

    private int[] targets(int insert) {
      List<Copy> copies = check.copies(insert);
      return copies.isEmpty()
          ? new int[] {target(modify.insert(insert))}
          : copies.stream().mapToInt(Copy::queue).toArray();
    }

    private boolean isMove(int change) {
      return target(modify.change(change)) != queueOf(check.changed(change));
    }

    private int target(TaskItem item) {
      return account.names.number(modify.buffer(), item.queueOffset(), item.queueLength());
    }

    private int queueOf(int task) {
      return cells.ref(cells.ref(task + Tasks.QUEUE) + Queues.NAME);
    }

    private void add(int queue, int kind, int index) {
      if (!queues.containsInt(queue)) {
        queues.addInt(queue);
        kinds.addInt(kind);
        indexes.addInt(index);
      }
    }

    private void look(int place) {
      int queue = queues.getInt(place);
      int policy =
          account.policies.size() == 0
              ? Cells.NONE
              : account.policies.rulesOf(account.names.bytes(queue));
      long tasksMax = modify.queueTasksMax();
      long bytesMax = 0;
      boolean dropsTasks = false;
      boolean dropsBytes = false;
      if (policy != Cells.NONE) {
        long policyMax = cells.get(policy + PolicyTable.TASKS_MAX);
        boolean isLess = policyMax > 0 && (tasksMax == 0 || policyMax <= tasksMax);
        tasksMax = isLess ? policyMax : tasksMax;
        bytesMax = cells.get(policy + PolicyTable.BYTES_MAX);
        dropsBytes = cells.get(policy + PolicyTable.OVERFLOW) == Overflows.DROP_OLDEST;
        dropsTasks = dropsBytes && isLess;
      }
      Growth tasks = growth(queue, tasksMax, false);
      Growth bytes = growth(queue, bytesMax, true);
      boolean mayDrop =
          (tasks.isFull() || bytes.isFull())
              && (!tasks.isFull() || dropsTasks)
              && (!bytes.isFull() || dropsBytes);
      if (tasks.neverFits()) {
        decide(place, ResultCodes.NEVER_FITS, tasks.own(), tasksMax);
      } else if (bytes.neverFits()) {
        decide(place, ResultCodes.NEVER_FITS, bytes.own(), bytesMax);
      } else if (mayDrop && findsRoom(queue, tasks, bytes)) {
        dropping.addInt(queue);
        dropping.addInt((int) Math.max(0, tasks.net()));
      } else if (tasks.isFull()) {
        decide(place, ResultCodes.QUEUE_FULL, tasks.before(), tasksMax);
      } else if (bytes.isFull()) {
        decide(place, ResultCodes.QUEUE_BYTES_FULL, bytes.before(), bytesMax);
      }
    }

    /**
     * How the tasks of a queue grow, or their bytes.
     *
     * @param own of the modify, afterwards in the queue
     * @param max 0: no limit
     */
    private record Growth(long before, long net, long own, long max) {
      boolean isFull() {
        return max > 0 && net > 0 && before + net > max;
      }

      boolean neverFits() {
        return isFull() && own > max;
      }

      boolean fits(long left) {
        return max <= 0 || left <= max;
      }
    }

    private Growth growth(int queue, long max, boolean areBytes) {
      int block = account.queues.find(queue);
      long before =
          block == Cells.NONE ? 0 : cells.get(block + (areBytes ? Queues.BYTES : Queues.TASKS));
      long own = 0;
      long net = 0;
      for (int i = 0; i < modify.insertCount(); i++) {
        for (int target : targets(i)) {
          long size = target == queue ? size(modify.insert(i), areBytes) : 0;
          own += size;
          net += size;
        }
      }
      for (int i = 0; i < modify.changeCount(); i++) {
        int task = check.changed(i);
        boolean isLease = hasNoData(modify.change(i));
        boolean isThere = target(modify.change(i)) == queue;
        boolean wasThere = queueOf(task) == queue;
        if (isLease) {
          own += isThere && !areBytes ? 1 : 0;
        } else {
          long size = isThere ? size(modify.change(i), areBytes) : 0;
          own += size;
          net += size - (wasThere ? size(task, areBytes) : 0);
        }
      }
      for (int i = 0; i < modify.deleteCount(); i++) {
        int task = check.deleted(i);
        net -= queueOf(task) == queue ? size(task, areBytes) : 0;
      }
      for (int i = 0; i < modify.dependCount() && !areBytes; i++) {
        own += queueOf(check.depended(i)) == queue ? 1 : 0;
      }
      return new Growth(before, net, own, max);
    }

    /** Whether the oldest tasks that the modify does not name can make room. */
    private boolean findsRoom(int queue, Growth tasks, Growth bytes) {
      int block = account.queues.find(queue);
      long tasksLeft = tasks.before() + tasks.net();
      long bytesLeft = bytes.before() + bytes.net();
      long mayDrop = DROPPED_MAX + Math.max(0, tasks.net());
      int task = block == Cells.NONE ? Cells.NONE : cells.ref(block + Queues.OLDEST);
      while (mayDrop > 0
          && task != Cells.NONE
          && !(tasks.fits(tasksLeft) && bytes.fits(bytesLeft))) {
        if (!check.tasks.containsInt(task)) {
          tasksLeft--;
          bytesLeft -= cells.get(task + Tasks.CONTENT_BYTES);
          mayDrop--;
        }
        task = cells.ref(task + Tasks.YOUNGER);
      }
      boolean isNoLarger = tasksLeft <= tasks.before() && bytesLeft <= bytes.before();
      return block != Cells.NONE
          && ((tasks.fits(tasksLeft) && bytes.fits(bytesLeft)) || isNoLarger);
    }

    private static long bytes(TaskItem item) {
      return (long) item.valueLength() + item.errLength();
    }

    private static long size(TaskItem item, boolean areBytes) {
      return areBytes ? bytes(item) : 1;
    }

    private long size(int task, boolean areBytes) {
      return areBytes ? cells.get(task + Tasks.CONTENT_BYTES) : 1;
    }

    /** A queue that can never fit takes precedence over one that is full now. */
    private void decide(int place, int why, long size, long max) {
      if (code == ResultCodes.OK
          || (why == ResultCodes.NEVER_FITS && code != ResultCodes.NEVER_FITS)) {
        code = why;
        item = place;
        queueTasks = size;
        queueTasksMax = max;
      }
    }

    int code() {
      return code;
    }

    int itemKind() {
      return kinds.getInt(item);
    }

    int itemIndex() {
      return indexes.getInt(item);
    }

    /** How many tasks or bytes the queue has, or how many of the modify it would have. */
    long queueTasks() {
      return queueTasks;
    }

    long queueTasksMax() {
      return queueTasksMax;
    }
  }
}
