package io.entroq.simulator.model;

import io.entroq.codec.wire.log.QueueStats;
import io.entroq.codec.wire.log.Task;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** All tasks, by key and by queue. A queue exists exactly while it holds a task (contract 2.1). */
final class TaskTable {
  private final Map<Key, ModelTask> byKey = new HashMap<>();
  private final TreeMap<String, TreeSet<ModelTask>> byQueue = new TreeMap<>();
  private long nextOrder;

  /** The task with the key, or null. */
  ModelTask find(Key key) {
    return byKey.get(key);
  }

  ModelTask insert(Task fields, long sequence) {
    return put(fields, sequence);
  }

  /** Puts the task in the place of the one with its key; last among tasks of its arrival time. */
  ModelTask replace(Task fields) {
    long insertedAt = byKey.get(Key.of(fields.getId())).insertedAt();
    remove(Key.of(fields.getId()));
    return put(fields, insertedAt);
  }

  private ModelTask put(Task fields, long insertedAt) {
    ModelTask task = new ModelTask(fields, insertedAt, nextOrder++);
    byKey.put(task.key(), task);
    byQueue.computeIfAbsent(fields.getQueue(), name -> new TreeSet<>()).add(task);
    return task;
  }

  void remove(Key key) {
    ModelTask task = byKey.remove(key);
    if (task != null) {
      String queue = task.fields().getQueue();
      byQueue.get(queue).remove(task);
      if (byQueue.get(queue).isEmpty()) {
        byQueue.remove(queue);
      }
    }
  }

  Stream<ModelTask> all() {
    return byKey.values().stream();
  }

  int size() {
    return byKey.size();
  }

  Set<String> queues() {
    return Collections.unmodifiableSet(byQueue.keySet());
  }

  /** The tasks of a queue, earliest arrival first. */
  NavigableSet<ModelTask> inQueue(String queue) {
    TreeSet<ModelTask> tasks = byQueue.get(queue);
    return tasks == null
        ? Collections.emptyNavigableSet()
        : Collections.unmodifiableNavigableSet(tasks);
  }

  boolean hasAvailable(String queue, long nowMs) {
    NavigableSet<ModelTask> tasks = inQueue(queue);
    return !tasks.isEmpty() && tasks.first().isAvailable(nowMs);
  }

  /** How many tasks of these queues are available, counted no further than the limit. */
  int countAvailable(Collection<String> queues, long nowMs, int limit) {
    int count = 0;
    for (String queue : queues) {
      for (ModelTask task : inQueue(queue)) {
        if (count == limit || !task.isAvailable(nowMs)) {
          break;
        }
        count++;
      }
    }
    return count;
  }

  /** The first task of a queue to arrive after the time, or null. */
  ModelTask firstAfter(String queue, long timeMs) {
    Task latest = Task.newBuilder().setArrivalMs(timeMs).build();
    return inQueue(queue).higher(new ModelTask(latest, 0, Long.MAX_VALUE));
  }

  /** Contract 2.6, by counting. */
  QueueStats statistics(String queue, long nowMs) {
    QueueStats.Builder stats = QueueStats.newBuilder().setName(queue);
    for (ModelTask task : inQueue(queue)) {
      count(stats, task, nowMs);
    }
    return stats.build();
  }

  private static void count(QueueStats.Builder stats, ModelTask task, long nowMs) {
    stats.setTasks(stats.getTasks() + 1);
    stats.setMaxClaims(Math.max(stats.getMaxClaims(), task.fields().getClaims()));
    if (task.isAvailable(nowMs)) {
      stats.setAvailable(stats.getAvailable() + 1);
      long ageMs = nowMs - task.fields().getArrivalMs();
      stats.setOldestAgeMs(Math.max(stats.getOldestAgeMs(), ageMs));
      return;
    }
    if (task.fields().getClaims() > 0) {
      stats.setClaimed(stats.getClaimed() + 1);
    } else {
      stats.setFuture(stats.getFuture() + 1);
    }
    if (!Key.of(task.fields().getClaimant()).isNobody()) {
      stats.setHeld(stats.getHeld() + 1);
    }
  }
}
