package io.entroq.service.insight;

import io.entroq.codec.wire.IdKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who claims tasks, what became of them, and who holds what. What was claimed before the book began
 * is not known. Not thread-safe.
 */
final class WorkerBook {
  /** When there are too many workers, so many stay. */
  private static final double KEPT_PART = 0.9;

  /** Somebody who claims tasks. */
  static final class Worker {
    final String name;
    private final long[] counts = new long[Event.COUNT];
    private long seenMs;
    private int held;
    private boolean isForgotten;

    private Worker(String name) {
      this.name = name;
    }

    /** When it last did something. */
    long seenMs() {
      return seenMs;
    }

    long count(Event event) {
      return counts[event.ordinal()];
    }

    /** How many tasks it holds. */
    int held() {
      return held;
    }
  }

  /** A claimed task. */
  static final class Held {
    private final Worker worker;
    final IdKey id;
    final String queue;
    private long untilMs;

    private Held(Worker worker, IdKey id, String queue, long untilMs) {
      this.worker = worker;
      this.id = id;
      this.queue = queue;
      this.untilMs = untilMs;
    }

    String worker() {
      return worker.name;
    }

    long untilMs() {
      return untilMs;
    }
  }

  private final int workersMax;
  private final int heldMax;
  private final IdTable<Worker> workers = new IdTable<>();
  private final IdTable<Held> held = new IdTable<>();

  WorkerBook(int workersMax, int heldMax) {
    this.workersMax = workersMax;
    this.heldMax = heldMax;
  }

  private Worker worker(IdKey claimant, long nowMs) {
    Worker worker = workers.get(claimant.high(), claimant.low());
    if (worker == null) {
      if (workers.size() >= workersMax) {
        evict();
      }
      worker = new Worker(claimant.v1Text());
      workers.put(claimant.high(), claimant.low(), worker);
    }
    worker.seenMs = nowMs;
    return worker;
  }

  /** Forgets those that were not seen for the longest time. */
  private void evict() {
    List<Worker> found = workers();
    found.sort(Comparator.comparingLong(worker -> worker.seenMs));
    Set<Worker> gone =
        new HashSet<>(found.subList(0, found.size() - (int) (workersMax * KEPT_PART)));
    gone.forEach(worker -> worker.isForgotten = true);
    workers.retain(worker -> !worker.isForgotten);
  }

  /**
   * Somebody has claimed a task, or renewed the lease of one.
   *
   * @param isClaim false if it was renewed
   */
  void hold(IdKey claimant, IdKey id, String queue, long untilMs, boolean isClaim, long nowMs) {
    Worker worker = worker(claimant, nowMs);
    if (isClaim) {
      worker.counts[Event.CLAIMED.ordinal()]++;
    }
    Held former = held.get(id.high(), id.low());
    if (former != null && former.worker == worker) {
      former.untilMs = untilMs;
      return;
    }
    release(id);
    if (held.size() < heldMax) {
      held.put(id.high(), id.low(), new Held(worker, id, queue, untilMs));
      worker.held++;
    }
  }

  private Held release(IdKey id) {
    Held former = held.remove(id.high(), id.low());
    if (former != null) {
      former.worker.held--;
    }
    return former;
  }

  /** Nobody holds a task any more, for no fault or merit of the one that did. */
  void drop(IdKey id) {
    release(id);
  }

  /**
   * Somebody has ended work on a task, or lost its lease.
   *
   * @param event DONE, FAILED or LAPSED
   * @param claimant who did it, if nobody is known to hold the task; nobody if that is not known
   * @return its name; empty if it is not known
   */
  String end(IdKey id, Event event, IdKey claimant, long nowMs) {
    Held former = release(id);
    Worker worker;
    if (former != null && !former.worker.isForgotten) {
      worker = former.worker;
    } else if (claimant.isNobody()) {
      return former == null ? "" : former.worker.name;
    } else {
      worker = worker(claimant, nowMs);
    }
    worker.counts[event.ordinal()]++;
    if (event != Event.LAPSED) {
      worker.seenMs = nowMs;
    }
    return worker.name;
  }

  /** Forgets who holds what, since something may have been missed. */
  void forgetHeld() {
    held.forEach(task -> task.worker.held--);
    held.retain(task -> false);
  }

  /** All that are known, in no order. */
  List<Worker> workers() {
    List<Worker> found = new ArrayList<>();
    workers.forEach(found::add);
    return found;
  }

  /** What some of them hold, up to so many tasks of each. */
  Map<String, List<Held>> held(Set<String> names, int max) {
    Map<String, List<Held>> found = new HashMap<>();
    held.forEach(
        task -> {
          if (names.contains(task.worker.name)) {
            List<Held> tasks = found.computeIfAbsent(task.worker.name, name -> new ArrayList<>());
            if (tasks.size() < max) {
              tasks.add(task);
            }
          }
        });
    return found;
  }
}
