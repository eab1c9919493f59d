package io.entroq.api.worker;

import io.entroq.api.DocClaim;
import io.entroq.api.DocClaimResult;
import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * A task being handled. The thread that created it runs the handler between {@link #begin} and
 * {@link #end()}; any other thread may cancel it until then.
 */
final class ActiveWork<T> implements WorkContext<T> {
  /** Why work is cancelled. */
  enum Cancellation {
    /** Others hold the task, or may hold it. */
    LEASE_LOST,
    /** The worker is closing and does not wait any longer. */
    CLOSING,
    /** The handler has run too long. */
    OVERDUE
  }

  private final EntroQ queue;
  private final Task task;
  private final List<String> claimed;
  private final Thread thread = Thread.currentThread();
  private final Function<DocClaim, DocClaimResult> docClaimer;
  private final ReentrantLock docLock = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Runnable> onCancel = new ArrayList<>();
  private volatile T value;
  private boolean running;
  private boolean ended;
  private volatile Cancellation cancellation;

  /**
   * @param claimed the queues that the worker claims from
   * @param docClaimer claims doc sets with the task; called by one thread at a time
   */
  ActiveWork(
      EntroQ queue,
      Task task,
      List<String> claimed,
      Function<DocClaim, DocClaimResult> docClaimer) {
    this.queue = queue;
    this.task = task;
    this.claimed = claimed;
    this.docClaimer = docClaimer;
  }

  @Override
  public Task task() {
    return task;
  }

  @Override
  public String claimedFrom() {
    String name = task.queue();
    return claimed.stream()
        .filter(from -> name.equals(from) || name.startsWith(from + "/"))
        .max(Comparator.comparingInt(String::length))
        .orElse(name);
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
  public DocClaimResult claimDocs(DocClaim claim) {
    throwIfCancelled();
    docLock.lock();
    try {
      return docClaimer.apply(claim);
    } finally {
      docLock.unlock();
    }
  }

  @Override
  public boolean isCancelled() {
    return cancellation != null;
  }

  /** Whether the handler was cancelled because it ran too long. */
  boolean isOverdue() {
    return cancellation == Cancellation.OVERDUE;
  }

  @Override
  public void throwIfCancelled() {
    if (isCancelled()) {
      throw new CancellationException(
          "work on task " + task.id() + " was cancelled: " + cancellation);
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
   * Called before the handler; clears an earlier interrupt. Returns false if the work is already
   * cancelled and the handler must not run.
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

  /** Cancels the handler, at most once; does nothing after its end. */
  void cancel(Cancellation why) {
    List<Runnable> actions;
    lock.lock();
    try {
      if (ended || cancellation != null) {
        return;
      }
      cancellation = why;
      // Under the lock, so that the thread is not interrupted after the handler has ended.
      if (running) {
        thread.interrupt();
      }
      actions = List.copyOf(onCancel);
    } finally {
      lock.unlock();
    }
    actions.forEach(ActiveWork::runQuietly);
  }

  /** Called after the handler; clears an interrupt that was meant for it. */
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
      // An Error too: the canceling thread has others to cancel.
      System.getLogger(Worker.class.getName())
          .log(System.Logger.Level.WARNING, "a cancel action failed", e);
    }
  }
}
