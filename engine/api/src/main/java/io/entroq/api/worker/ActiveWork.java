package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A task in work, and how to stop its handler. The thread that made it runs the handler between
 * {@link #begin} and {@link #end()}; any other may cancel it until then.
 */
final class ActiveWork<T> implements WorkContext<T> {
  /** Why work is in vain. */
  enum Cancellation {
    /** Others have the task, or may have. */
    LEASE_LOST,
    /** The worker closes and waits no more. */
    CLOSING
  }

  private final EntroQ queue;
  private final Task task;
  private final Thread thread = Thread.currentThread();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> onCancel = new ArrayList<>();
  private volatile T value;
  private boolean running;
  private boolean ended;
  private volatile Cancellation cancellation;

  ActiveWork(EntroQ queue, Task task) {
    this.queue = queue;
    this.task = task;
  }

  @Override
  public Task task() {
    return task;
  }

  @Override
  public T value() {
    return value;
  }

  @Override
  public EntroQ queue() {
    return queue;
  }

  @Override
  public boolean isCancelled() {
    return cancellation != null;
  }

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException("work on task " + task.id() + " is in vain: " + cancellation);
    }
  }

  @Override
  public void onCancel(Runnable action) {
    lock.lock();
    try {
      if (cancellation == null) {
        onCancel.add(action);
        return;
      }
    } finally {
      lock.unlock();
    }
    runQuietly(action);
  }

  /**
   * The handler is about to run, and no interrupt from before reaches it; false if it must not, as
   * its work would be in vain.
   */
  boolean begin(T decoded) {
    lock.lock();
    try {
      value = decoded;
      Thread.interrupted();
      running = cancellation == null;
      return running;
    } finally {
      lock.unlock();
    }
  }

  /** Tells the handler to stop, once; does nothing when it has ended. */
  void cancel(Cancellation why) {
    List<Runnable> actions;
    lock.lock();
    try {
      if (ended || cancellation != null) {
        return;
      }
      cancellation = why;
      // Under the lock, so that no interrupt reaches the thread after the handler's end.
      if (running) {
        thread.interrupt();
      }
      actions = List.copyOf(onCancel);
    } finally {
      lock.unlock();
    }
    actions.forEach(ActiveWork::runQuietly);
  }

  /** The handler has returned: its thread gets rid of an interrupt that was meant for it. */
  void end() {
    lock.lock();
    try {
      ended = true;
      Thread.interrupted();
    } finally {
      lock.unlock();
    }
  }

  private static void runQuietly(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      // An Error too: whoever cancels has others to cancel.
      System.getLogger(Worker.class.getName())
          .log(System.Logger.Level.WARNING, "a cancel action failed", e);
    }
  }
}
