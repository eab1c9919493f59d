package io.entroq.api.worker;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Renews the leases of all tasks that the workers of one EntroQ are handling, as {@link Leases}
 * decides. One thread drives it. The lock guards all state, and is not held during calls to the
 * queue or to callbacks.
 */
final class Renewer {
  private final EntroQ queue;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Leases leases = new Leases();
  private boolean stopped;

  Renewer(EntroQ queue, Ticker ticker) {
    this.queue = queue;
    this.ticker = ticker;
  }

  /** {@link Leases#hold}. */
  Lease hold(Task task, Duration maxRuntime, Runnable onOverdue, Consumer<String> onLost) {
    lock.lock();
    try {
      Lease lease = leases.hold(task, ticker.nanoTime(), maxRuntime, onOverdue, onLost);
      changed.signalAll();
      return lease;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes a lease from renewal, waiting uninterruptibly for a renewal in flight, but no longer
   * than the lease.
   *
   * @return the newest version; empty if the lease is lost
   */
  Optional<Task> take(Lease lease) {
    lock.lock();
    try {
      while (!leases.take(lease)) {
        changed.awaitUninterruptibly();
      }
      return lease.taken();
    } finally {
      lock.unlock();
    }
  }

  /** {@link Leases#putBack}. */
  void putBack(Lease lease, boolean isInDoubt) {
    change(() -> leases.putBack(lease, isInDoubt));
  }

  /** {@link Leases#resume}. */
  void resume(Lease lease) {
    change(() -> leases.resume(lease));
  }

  /** {@link Leases#drop}. */
  void drop(Lease lease) {
    change(() -> leases.drop(lease));
  }

  /** Ends {@link #run()} and drops all leases. */
  void stop() {
    change(
        () -> {
          stopped = true;
          leases.dropAll();
        });
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Runs until stopped. */
  void run() {
    boolean running = true;
    while (running) {
      Optional<LeaseCall> call;
      List<Runnable> notices;
      lock.lock();
      try {
        long now = ticker.nanoTime();
        call = leases.advance(now);
        notices = leases.takeNotices();
        if (!notices.isEmpty()) {
          changed.signalAll();
        } else if (call.isEmpty() && !stopped) {
          pause(leases.quietNanos(now));
        }
        running = !stopped;
      } finally {
        lock.unlock();
      }
      notices.forEach(Renewer::notify);
      call.ifPresent(this::send);
    }
  }

  /** Waits for a report, a new lease or a due time; {@link #run} checks again in any case. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long nanos) {
    if (nanos > 0) {
      try {
        changed.awaitNanos(ticker.pauseNanos(nanos));
      } catch (InterruptedException e) {
        // A callback may leave an interrupt behind; only stop() ends the thread.
      }
    }
  }

  private static void notify(Runnable notice) {
    try {
      notice.run();
    } catch (Throwable e) {
      // An Error too: if this thread ended, every lease would run out.
      System.getLogger(Worker.class.getName())
          .log(System.Logger.Level.WARNING, "a listener or a cancel action failed", e);
    }
  }

  private void send(LeaseCall call) {
    CompletableFuture<Runnable> reply;
    try {
      reply = request(call);
    } catch (Throwable e) {
      reply = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Runnable> unused =
        reply.whenComplete(
            (answer, failure) -> change(failure == null ? answer : () -> failed(call, failure)));
  }

  private CompletableFuture<Runnable> request(LeaseCall call) {
    if (call instanceof LeaseCall.LookUp lookUp) {
      return queue
          .tasksAsync(lookUp.query())
          .thenApply(tasks -> () -> leases.lookedUp(lookUp, tasks));
    }
    LeaseCall.Renewal renewal = (LeaseCall.Renewal) call;
    return queue
        .modifyAsync(renewal.modification())
        .thenApply(result -> () -> leases.renewed(renewal, result, ticker.nanoTime()));
  }

  private void failed(LeaseCall call, Throwable failure) {
    boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
    leases.failed(call, wrapped ? failure.getCause() : failure, ticker.nanoTime());
  }
}
