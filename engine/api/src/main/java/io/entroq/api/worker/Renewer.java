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
 * Does what {@link Leases} decide about the tasks that the workers of one EntroQ are busy with.
 *
 * <p>One thread drives it; all state is guarded by the lock, which is never held while the queue or
 * a holder is called.
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

  /** {@link Leases#hold} from now on. */
  Lease hold(Task task, Duration length, Consumer<String> onLost) {
    lock.lock();
    try {
      Lease lease = leases.hold(task, length, ticker.nanoTime(), onLost);
      changed.signalAll();
      return lease;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes a task out of renewal, waiting for a renewal under way. Not interruptible, but no longer
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

  /** {@link Leases#drop}. */
  void drop(Lease lease) {
    change(() -> leases.drop(lease));
  }

  /** Ends {@link #run()} and lets go of every lease. */
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

  /** Drives this until it is stopped. */
  void run() {
    boolean goesOn = true;
    while (goesOn) {
      Optional<LeaseCall> call;
      List<Runnable> losses;
      lock.lock();
      try {
        long now = ticker.nanoTime();
        call = leases.advance(now);
        losses = leases.takeLosses();
        if (!losses.isEmpty()) {
          changed.signalAll();
        } else if (call.isEmpty() && !stopped) {
          pause(leases.quietNanos(now));
        }
        goesOn = !stopped;
      } finally {
        lock.unlock();
      }
      losses.forEach(Renewer::tell);
      call.ifPresent(this::send);
    }
  }

  /** Waits for an answer, a new lease or the time of one; {@link #run} looks again in any case. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long nanos) {
    if (nanos > 0) {
      try {
        changed.awaitNanos(ticker.pauseNanos(nanos));
      } catch (InterruptedException e) {
        // Whoever runs here may leave an interrupt behind; only stop ends the thread of all leases.
      }
    }
  }

  private static void tell(Runnable loss) {
    try {
      loss.run();
    } catch (Throwable e) {
      // An Error too: with the thread that ends here every lease would run out.
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
