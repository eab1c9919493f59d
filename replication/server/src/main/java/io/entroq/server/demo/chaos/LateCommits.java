package io.entroq.server.demo.chaos;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The commits of hung workers. Each is attempted after another worker has claimed the task, as if
 * the hung worker resumed. One thread makes all attempts; any thread may add a commit.
 */
final class LateCommits implements AutoCloseable {
  private static final long POLL_INTERVAL_MS = 10;

  /** Limit of hung workers; beyond it, {@link #add} blocks. */
  private static final int PENDING_MAX = 1_000;

  private record LateCommit(Task task, Modification commit) {}

  private final EntroQ queue;
  private final ChaosCounters counters;
  private final Queue<LateCommit> added = new ConcurrentLinkedQueue<>();
  private final List<LateCommit> pending = new ArrayList<>();
  private final Semaphore slots = new Semaphore(PENDING_MAX);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "late-commits");

  LateCommits(EntroQ queue, ChaosCounters counters) {
    this.queue = queue;
    this.counters = counters;
    thread.start();
  }

  /**
   * Adds the commit of a hung worker. Blocks while the limit is reached.
   *
   * @param task the version of the task that the worker claimed
   * @param commit the worker's commit, with its claimant
   */
  void add(Task task, Modification commit) throws InterruptedException {
    slots.acquire();
    added.add(new LateCommit(task, commit));
  }

  /** Attempts the commits whose task has changed; the others are dropped. */
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      boolean isLast;
      do {
        isLast = closing.await(POLL_INTERVAL_MS, TimeUnit.MILLISECONDS);
        commitChanged();
      } while (!isLast);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (EntroQException.Closed e) {
      // The thread that waits for the end of the job gets the same exception.
      slots.release(pending.size());
    }
  }

  private void commitChanged() {
    for (LateCommit late = added.poll(); late != null; late = added.poll()) {
      pending.add(late);
    }
    if (pending.isEmpty()) {
      return;
    }
    Map<TaskId, Integer> versions = versions();
    pending.removeIf(late -> !isUnchanged(late.task, versions) && commit(late));
  }

  private Map<TaskId, Integer> versions() {
    List<TaskId> ids = pending.stream().map(late -> late.task.id()).toList();
    Map<TaskId, Integer> versions = new HashMap<>();
    queue
        .tasks(TaskQuery.withIds(ids).withoutValues())
        .forEach(task -> versions.put(task.id(), task.version()));
    return versions;
  }

  private static boolean isUnchanged(Task task, Map<TaskId, Integer> versions) {
    Integer version = versions.get(task.id());
    return version != null && version == task.version();
  }

  private boolean commit(LateCommit late) {
    if (!queue.modify(late.commit).isCommitted()) {
      counters.lateCommitsRefused.increment();
    }
    slots.release();
    return true;
  }
}
