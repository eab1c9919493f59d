package io.entroq.perf.engine;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thread that lists a queue over and over. While it is paused, its consumer blocks in the middle
 * of a listing, which then sends nothing to the engine.
 */
final class EndlessListing {
  private final EntroQ queue;
  private final TaskQuery query;
  private final Semaphore resumed = new Semaphore(0);
  private final Semaphore paused = new Semaphore(0);
  private final AtomicLong tasks = new AtomicLong();
  private final AtomicLong listings = new AtomicLong();
  private volatile boolean isPaused = true;
  private volatile boolean isOver;

  EndlessListing(EntroQ queue, TaskQuery query) {
    this.queue = queue;
    this.query = query;
  }

  /** Leaves a listing. */
  private static final class EndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Starts the thread, which pauses before the first task. */
  void start() {
    Thread thread = new Thread(this::run, "listing");
    thread.setDaemon(true);
    thread.start();
    paused.acquireUninterruptibly();
  }

  private void run() {
    try {
      while (true) {
        queue.forEachTask(query, this::accept);
        listings.incrementAndGet();
      }
    } catch (EndedException e) {
      // By end().
    }
  }

  private void accept(Task task) {
    if (isPaused) {
      paused.release();
      resumed.acquireUninterruptibly();
      if (isOver) {
        throw new EndedException();
      }
    }
    tasks.lazySet(tasks.get() + 1);
  }

  void resume() {
    isPaused = false;
    resumed.release();
  }

  /** Waits until the thread has paused. */
  void pause() {
    isPaused = true;
    paused.acquireUninterruptibly();
  }

  /** Ends the thread, which must be paused. */
  void end() {
    isOver = true;
    resumed.release();
  }

  long tasks() {
    return tasks.get();
  }

  long listings() {
    return listings.get();
  }
}
