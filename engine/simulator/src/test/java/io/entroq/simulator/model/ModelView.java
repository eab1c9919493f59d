package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Facade;
import io.entroq.codec.wire.log.Id;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Task;
import io.entroq.codec.wire.log.ValueKind;
import io.entroq.simulator.check.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What reads may see. It shows the model as it is when asked; it changes nothing. */
public final class ModelView {
  private final State state;
  private final WaitRules waits;

  ModelView(State state, WaitRules waits) {
    this.state = state;
    this.waits = waits;
  }

  /** Log time of the last record. */
  public long nowMs() {
    return state.nowMs;
  }

  /** Sequence of the last record. */
  public long sequence() {
    return state.sequence;
  }

  /** The behaviour level. */
  public int level() {
    return state.level;
  }

  /** How many tasks there are. */
  public int taskCount() {
    return state.tasks.size();
  }

  /** What there is of docs. */
  public DocView docs() {
    return new DocView(state);
  }

  /** How many claims wait. */
  public int waiterCount() {
    return state.waiters.all().size();
  }

  /** How many clients are known. */
  public int clientCount() {
    return state.clients.all().size();
  }

  /** Whether the last step left waiters and work together for a continuation tick. */
  public boolean hasUnfinishedWork() {
    return waits.hasUnfinishedWork();
  }

  /** The task with the key, or null. */
  public Task find(Key key) {
    ModelTask task = state.tasks.find(key);
    return task == null ? null : task.fields();
  }

  /** The queues that hold tasks, in the order of their names. */
  public Set<String> queues() {
    return state.tasks.queues();
  }

  /** The tasks of a queue, earliest arrival first. */
  public List<Task> tasks(String queue) {
    return state.tasks.inQueue(queue).stream().map(ModelTask::fields).toList();
  }

  /** The numbers of the open claims of a client that wait. */
  public List<Long> parkedNumbers(Key client) {
    return state.waiters.all().stream()
        .filter(waiter -> waiter.client().equals(client))
        .map(Waiter::number)
        .toList();
  }

  // Contract 2.5.

  /** Checks the answer of a listing made at the time. */
  public void checkListing(ListTasks query, long nowMs, List<Task> listed) {
    List<Task> expected = query.getIdsCount() > 0 ? byId(query) : tasks(query.getQueue());
    expected = expected.stream().filter(task -> isShown(query, task, nowMs)).toList();
    int limit = query.getLimit() <= 0 ? Integer.MAX_VALUE : query.getLimit();
    String subject = query.getQueue();
    Violation.checkEqual(
        "a listing shows all that was asked for",
        subject,
        Math.min(limit, expected.size()),
        listed.size());
    List<Task> shown = expected.stream().map(task -> asShown(query, task)).toList();
    if (query.getIdsCount() > 0) {
      Violation.checkEqual(
          "tasks are listed in the order of their ids",
          subject,
          shown.subList(0, listed.size()),
          listed);
    } else {
      checkShown(subject, shown, listed);
    }
  }

  private List<Task> byId(ListTasks query) {
    List<Task> found = new ArrayList<>();
    for (Id id : query.getIdsList()) {
      ModelTask task = state.tasks.find(Key.of(id));
      boolean isMeant = task != null && (query.getFacade() == Facade.FACADE_V0 || task.hasText(id));
      if (isMeant && isInQueue(query, task.fields())) {
        found.add(task.fields());
      }
    }
    return found;
  }

  private static boolean isInQueue(ListTasks query, Task task) {
    return query.getQueue().isEmpty() || query.getQueue().equals(task.getQueue());
  }

  private static boolean isShown(ListTasks query, Task task, long nowMs) {
    return !query.hasClaimant()
        || Key.of(query.getClaimant()).isNobody()
        || task.getArrivalMs() <= nowMs
        || Key.of(task.getClaimant()).equals(Key.of(query.getClaimant()));
  }

  private static Task asShown(ListTasks query, Task task) {
    return query.getOmitValues()
        ? task.toBuilder().setValueKind(ValueKind.VALUE_ABSENT).clearValue().build()
        : task;
  }

  private static void checkShown(String queue, List<Task> shown, List<Task> listed) {
    Map<Key, Task> byKey = new HashMap<>();
    shown.forEach(task -> byKey.put(Key.of(task.getId()), task));
    for (Task task : listed) {
      Task expected = byKey.remove(Key.of(task.getId()));
      Violation.check(
          task.equals(expected), "a listed task is as it stands, once", queue, expected, task);
    }
  }

  // Contract 2.6.

  /** Checks the answer of a query of statistics made at the time. */
  public void checkQueues(ListQueues query, long nowMs, List<QueueStats> listed) {
    List<String> matching = queues().stream().filter(queue -> matches(query, queue)).toList();
    int limit = query.getLimit() <= 0 ? Integer.MAX_VALUE : query.getLimit();
    Violation.checkEqual(
        "every queue that matches is listed",
        query,
        Math.min(limit, matching.size()),
        listed.size());
    Set<String> unseen = new HashSet<>(matching);
    for (QueueStats stats : listed) {
      Violation.check(
          unseen.remove(stats.getName()), "a queue is listed once", stats.getName(), 1, listed);
      Violation.checkEqual(
          "statistics are what counting gives",
          stats.getName(),
          expectedStatistics(query, stats.getName(), nowMs),
          stats);
    }
  }

  private QueueStats expectedStatistics(ListQueues query, String queue, long nowMs) {
    QueueStats all = state.tasks.statistics(queue, nowMs);
    return query.getOmitStats()
        ? QueueStats.newBuilder().setName(queue).setTasks(all.getTasks()).build()
        : all;
  }

  private static boolean matches(ListQueues query, String queue) {
    boolean matchesAll = query.getMatchPrefixCount() == 0 && query.getMatchExactCount() == 0;
    return matchesAll
        || query.getMatchExactList().contains(queue)
        || query.getMatchPrefixList().stream().anyMatch(queue::startsWith);
  }
}
