package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Change;
import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Failure;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.Insert;
import io.entroq.codec.wire.log.Item;
import io.entroq.codec.wire.log.ItemKind;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.Result;
import io.entroq.codec.wire.log.ResultCode;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.TaskData;
import io.entroq.codec.wire.log.TaskRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a Modify needs and what it does (contract 2.4). One instance per command. */
final class ModifyRules {
  /** Contract 1.6: an arrival time older than this counts as now. */
  private static final long YEAR_MS = 365L * 24 * 60 * 60 * 1_000;

  /** From this level on a command may limit the tasks of a queue. */
  private static final int QUEUE_LIMIT_LEVEL = 3;

  private final State state;
  private final Modify modify;
  private final long nowMs;
  private final DocRules docs;
  private final boolean claimantConflicts;

  ModifyRules(State state, Modify modify, long nowMs) {
    this.state = state;
    this.modify = modify;
    this.nowMs = nowMs;
    this.docs = new DocRules(state, modify, nowMs);
    this.claimantConflicts = new ClaimantRules(state).conflicts(modify.getClaimant());
  }

  /** Why nothing of it may happen, without place and time; null if all of it may. */
  Result.Builder refusal() {
    if (docs.comeTooEarly()) {
      return Result.newBuilder().setCode(ResultCode.RESULT_NO_DOCS);
    }
    if (claimantConflicts) {
      return ClaimantRules.refusal();
    }
    Result.Builder refusal = misuse();
    if (refusal == null) {
      List<Failure> failures = failures();
      if (!failures.isEmpty()) {
        refusal = Result.newBuilder().setCode(ResultCode.RESULT_DEPENDENCY);
        refusal.addAllFailures(failures);
      }
    }
    return refusal == null ? fullQueue() : refusal;
  }

  /** The first item that is wrong whatever else the request says. */
  private Result.Builder misuse() {
    Result.Builder misuse = misusedInsert();
    Set<Key> named = new HashSet<>();
    for (int i = 0; i < modify.getChangesCount() && misuse == null; i++) {
      misuse = misused(named, modify.getChanges(i).getId(), ItemKind.ITEM_CHANGE, i);
    }
    for (int i = 0; i < modify.getDeletesCount() && misuse == null; i++) {
      misuse = misused(named, modify.getDeletes(i).getId(), ItemKind.ITEM_DELETE, i);
    }
    for (int i = 0; i < modify.getDependsCount() && misuse == null; i++) {
      misuse = misused(named, modify.getDepends(i).getId(), ItemKind.ITEM_DEPEND, i);
    }
    return misuse == null ? docs.misuse() : misuse;
  }

  /** Contract 2.4.7: no id twice. Core 3.1: two texts with one key cannot both be stored. */
  private Result.Builder misusedInsert() {
    Set<Key> inserted = new HashSet<>();
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      Id id = modify.getInserts(i).getId();
      if (!inserted.add(Key.of(id))) {
        return misuse(ResultCode.RESULT_DUPLICATE_ITEM, ItemKind.ITEM_INSERT, i);
      }
      ModelTask existing = state.tasks.find(Key.of(id));
      if (existing != null && !isMeant(existing, id)) {
        return misuse(ResultCode.RESULT_KEY_COLLISION, ItemKind.ITEM_INSERT, i);
      }
    }
    return null;
  }

  /** Contract 2.4.7: no task twice in changes, deletes and depends. */
  private static Result.Builder misused(Set<Key> named, Id id, ItemKind kind, int index) {
    return named.add(Key.of(id)) ? null : misuse(ResultCode.RESULT_DUPLICATE_ITEM, kind, index);
  }

  static Result.Builder misuse(ResultCode code, ItemKind kind, int index) {
    Item item = Item.newBuilder().setItemKind(kind).setIndex(index).build();
    return Result.newBuilder().setCode(code).setItem(item);
  }

  /** The v0 API knows only keys; the v1 API means the text. */
  private boolean isMeant(ModelTask task, Id id) {
    return modify.getFacade() == Facade.FACADE_V0 || task.hasText(id);
  }

  // Contract 2.4.1: every item is looked at, every failure is reported.

  private List<Failure> failures() {
    List<Failure> failures = new ArrayList<>();
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      checkInsert(failures, i);
    }
    for (int i = 0; i < modify.getChangesCount(); i++) {
      checkChange(failures, i);
    }
    for (int i = 0; i < modify.getDeletesCount(); i++) {
      checkDelete(failures, i);
    }
    for (int i = 0; i < modify.getDependsCount(); i++) {
      checkDepend(failures, i);
    }
    failures.addAll(docs.failures());
    return failures;
  }

  private void checkInsert(List<Failure> failures, int index) {
    ModelTask existing = state.tasks.find(Key.of(modify.getInserts(index).getId()));
    if (existing != null) {
      failures.add(
          failure(ItemKind.ITEM_INSERT, index)
              .setExistingVersion(existing.fields().getVersion())
              .setExistingQueue(existing.fields().getQueue())
              .build());
    }
  }

  private void checkChange(List<Failure> failures, int index) {
    Change change = modify.getChanges(index);
    ModelTask task = meant(change.getId());
    if (task == null || task.fields().getVersion() != change.getVersion()) {
      failures.add(failure(ItemKind.ITEM_CHANGE, index).build());
    } else if (task.isOtherwiseClaimed(modify.getClaimant(), nowMs)) {
      failures.add(failure(ItemKind.ITEM_CHANGE, index).setClaimed(true).build());
    }
  }

  private void checkDelete(List<Failure> failures, int index) {
    TaskRef ref = modify.getDeletes(index);
    if (!isAsStated(ref)) {
      failures.add(failure(ItemKind.ITEM_DELETE, index).build());
    } else if (meant(ref.getId()).isOtherwiseClaimed(modify.getClaimant(), nowMs)) {
      failures.add(failure(ItemKind.ITEM_DELETE, index).setClaimed(true).build());
    }
  }

  private void checkDepend(List<Failure> failures, int index) {
    if (!isAsStated(modify.getDepends(index))) {
      failures.add(failure(ItemKind.ITEM_DEPEND, index).build());
    }
  }

  private ModelTask meant(Id id) {
    ModelTask task = state.tasks.find(Key.of(id));
    return task != null && isMeant(task, id) ? task : null;
  }

  private boolean isAsStated(TaskRef ref) {
    ModelTask task = meant(ref.getId());
    return task != null
        && task.fields().getVersion() == ref.getVersion()
        && (ref.getQueue().isEmpty() || ref.getQueue().equals(task.fields().getQueue()));
  }

  private static Failure.Builder failure(ItemKind kind, int index) {
    return Failure.newBuilder().setItemKind(kind).setIndex(index);
  }

  // Only at level 3 or higher, and only what passes every other check.

  /**
   * The first item that goes into a queue that would grow beyond what the command allows, and for
   * its own tasks if there is such a queue.
   */
  private Result.Builder fullQueue() {
    if (modify.getQueueTasksMax() == 0 || state.level < QUEUE_LIMIT_LEVEL) {
      return null;
    }
    Map<String, Item> full = new LinkedHashMap<>();
    for (int i = 0; i < modify.getInsertsCount(); i++) {
      findFull(full, modify.getInserts(i).getData().getQueue(), ItemKind.ITEM_INSERT, i);
    }
    for (int i = 0; i < modify.getChangesCount(); i++) {
      String queue = modify.getChanges(i).getData().getQueue();
      if (!queueOf(modify.getChanges(i).getId()).equals(queue)) {
        findFull(full, queue, ItemKind.ITEM_CHANGE, i);
      }
    }
    Result.Builder refusal = null;
    for (Map.Entry<String, Item> each : full.entrySet()) {
      long own = ownTasks(each.getKey());
      if (own > modify.getQueueTasksMax()) {
        return tooMany(ResultCode.RESULT_NEVER_FITS, each.getValue(), own);
      }
      if (refusal == null) {
        int size = state.tasks.inQueue(each.getKey()).size();
        refusal = tooMany(ResultCode.RESULT_QUEUE_FULL, each.getValue(), size);
      }
    }
    return refusal;
  }

  private void findFull(Map<String, Item> full, String queue, ItemKind kind, int index) {
    if (!full.containsKey(queue) && isFull(queue)) {
      full.put(queue, Item.newBuilder().setItemKind(kind).setIndex(index).build());
    }
  }

  private Result.Builder tooMany(ResultCode code, Item item, long tasks) {
    return Result.newBuilder()
        .setCode(code)
        .setItem(item)
        .setQueueTasks(tasks)
        .setQueueTasksMax(modify.getQueueTasksMax());
  }

  /** How many tasks the queue would have of those that the command names, and does not delete. */
  private long ownTasks(String queue) {
    return Stream.of(
            modify.getInsertsList().stream().map(insert -> insert.getData().getQueue()),
            modify.getChangesList().stream().map(change -> change.getData().getQueue()),
            modify.getDependsList().stream().map(ref -> queueOf(ref.getId())))
        .flatMap(queues -> queues)
        .filter(queue::equals)
        .count();
  }

  private boolean isFull(String queue) {
    Set<Key> after = new HashSet<>();
    state.tasks.inQueue(queue).forEach(task -> after.add(task.key()));
    int before = after.size();
    modify.getDeletesList().forEach(ref -> after.remove(Key.of(ref.getId())));
    for (Change change : modify.getChangesList()) {
      place(after, change.getId(), change.getData().getQueue().equals(queue));
    }
    for (Insert insert : modify.getInsertsList()) {
      place(after, insert.getId(), insert.getData().getQueue().equals(queue));
    }
    return after.size() > before && after.size() > modify.getQueueTasksMax();
  }

  private static void place(Set<Key> tasks, Id id, boolean isThere) {
    if (isThere) {
      tasks.add(Key.of(id));
    } else {
      tasks.remove(Key.of(id));
    }
  }

  private String queueOf(Id id) {
    return state.tasks.find(Key.of(id)).fields().getQueue();
  }

  // Effects, once every check has passed.

  /** Contract 2.4.2, in the order of the request. */
  List<ModelTask> insertAll(long sequence) {
    List<ModelTask> inserted = new ArrayList<>();
    for (Insert insert : modify.getInsertsList()) {
      Task.Builder task =
          Task.newBuilder()
              .setId(insert.getId())
              .setClaimant(modify.getClaimant())
              .setCreatedMs(nowMs)
              .setModifiedMs(nowMs);
      inserted.add(state.tasks.insert(withData(task, insert.getData()).build(), sequence));
    }
    return inserted;
  }

  /** Contract 2.4.3, in the order of the request. */
  List<ModelTask> changeAll() {
    List<ModelTask> changed = new ArrayList<>();
    for (Change change : modify.getChangesList()) {
      Task before = state.tasks.find(Key.of(change.getId())).fields();
      Task.Builder task =
          withData(before.toBuilder(), change.getData())
              .setVersion(before.getVersion() + 1)
              .setModifiedMs(nowMs);
      changed.add(state.tasks.replace(task.setClaimant(claimantAfter(task)).build()));
    }
    return changed;
  }

  void deleteAll() {
    for (TaskRef ref : modify.getDeletesList()) {
      state.tasks.remove(Key.of(ref.getId()));
    }
  }

  /** What it does to docs: those inserted, then those changed. */
  List<ModelDoc> commitDocs(long sequence) {
    return docs.commit(sequence);
  }

  /** Contract 2.4.5. */
  private Id claimantAfter(Task.Builder changed) {
    boolean stays = modify.getFacade() == Facade.FACADE_V0 || changed.getArrivalMs() > nowMs;
    return stays ? modify.getClaimant() : Id.getDefaultInstance();
  }

  /** What a caller decides replaces all of it; what is left out is empty. */
  private Task.Builder withData(Task.Builder task, TaskData data) {
    return task.setQueue(data.getQueue())
        .setArrivalMs(arrival(data.getArrivalMs(), nowMs))
        .setValueKind(data.getValueKind())
        .setValue(data.getValue())
        .setAttempt(data.getAttempt())
        .setErr(data.getErr());
  }

  /** Contract 1.6: older than a year means now; every other time is kept exactly. */
  static long arrival(long requestedMs, long nowMs) {
    return requestedMs < nowMs - YEAR_MS ? nowMs : requestedMs;
  }
}
