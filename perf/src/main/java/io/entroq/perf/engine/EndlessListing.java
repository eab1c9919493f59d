package io.entroq.perf.engine;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread that lists a queue over and over while it may. In between its consumer stands still, in
 * the middle of a listing, which then asks nothing of the engine.
 */
final class EndlessListing {
  private final EntroQ queue;
  private final TaskQuery query;
  private final Semaphore turn = new Semaphore(0);
  private final Semaphore standing = new Semaphore(0);
  private final AtomicLong tasks = new AtomicLong();
  private final AtomicLong listings = new AtomicLong();
  private volatile boolean isPaused = true;
  private volatile boolean isOver;

  EndlessListing(EntroQ queue, TaskQuery query) {
    this.queue = queue;
    this.query = query;
  }

  /** Ends the thread out of the middle of a listing. */
  private static final class Over extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Begins, and stands in front of the first task. */
  void start() {
    Thread thread = new Thread(this::run, "listing");
    thread.setDaemon(true);
    thread.start();
    standing.acquireUninterruptibly();
  }

  private void run() {
    try {
      while (true) {
        queue.forEachTask(query, this::accept);
        listings.incrementAndGet();
      }
    } catch (Over e) {
      // Told so.
    }
  }

  private void accept(Task task) {
    if (isPaused) {
      standing.release();
      turn.acquireUninterruptibly();
      if (isOver) {
        throw new Over();
      }
    }
    tasks.lazySet(tasks.get() + 1);
  }

  /** Lets it go on. */
  void resume() {
    isPaused = false;
    turn.release();
  }

  /** Halts it and waits until it stands. */
  void pause() {
    isPaused = true;
    standing.acquireUninterruptibly();
  }

  /** Ends it; it has to stand. */
  void end() {
    isOver = true;
    turn.release();
  }

  long tasks() {
    return tasks.get();
  }

  long listings() {
    return listings.get();
  }
}
