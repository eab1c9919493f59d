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
 * Workers that hang: each wakes up when others have its task, and tries to commit what it had done,
 * as if nothing had happened. One thread stands for all of them; any may add one.
 */
final class LateCommits implements AutoCloseable {
  private static final long LOOK_MS = 10;

  /** How many may hang at once; who is to hang beyond that waits for room first. */
  private static final int PENDING_MAX = 1_000;

  /** What a worker that hangs will want to commit. */
  private record Late(Task task, Modification commit) {}

  private final EntroQ queue;
  private final ChaosCounters counters;
  private final Queue<Late> added = new ConcurrentLinkedQueue<>();
  private final List<Late> pending = new ArrayList<>();
  private final Semaphore room = new Semaphore(PENDING_MAX);
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "late-commits");

  LateCommits(EntroQ queue, ChaosCounters counters) {
    this.queue = queue;
    this.counters = counters;
    thread.start();
  }

  /**
   * Lets a worker hang.
   *
   * @param task as it was handed to it
   * @param commit what it would have committed, in the name of its claimant
   */
  void add(Task task, Modification commit) throws InterruptedException {
    room.acquire();
    added.add(new Late(task, commit));
  }

  /** Wakes those up whose task others have; the rest hang for ever. */
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
        isLast = closing.await(LOOK_MS, TimeUnit.MILLISECONDS);
        wakeUp();
      } while (!isLast);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (EntroQException.Closed e) {
      // Whoever waits for the end of the job is told the same.
      room.release(pending.size());
    }
  }

  private void wakeUp() {
    for (Late late = added.poll(); late != null; late = added.poll()) {
      pending.add(late);
    }
    if (pending.isEmpty()) {
      return;
    }
    Map<TaskId, Integer> versions = versions();
    pending.removeIf(late -> !isSame(late.task, versions) && commit(late));
  }

  private Map<TaskId, Integer> versions() {
    List<TaskId> ids = pending.stream().map(late -> late.task.id()).toList();
    Map<TaskId, Integer> versions = new HashMap<>();
    queue
        .tasks(TaskQuery.withIds(ids).withoutValues())
        .forEach(task -> versions.put(task.id(), task.version()));
    return versions;
  }

  private static boolean isSame(Task task, Map<TaskId, Integer> versions) {
    Integer version = versions.get(task.id());
    return version != null && version == task.version();
  }

  private boolean commit(Late late) {
    if (!queue.modify(late.commit).isCommitted()) {
      counters.lateCommitsRefused.increment();
    }
    room.release();
    return true;
  }
}
