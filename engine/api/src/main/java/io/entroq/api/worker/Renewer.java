package io.entroq.api.worker;

import io.entroq.api.Change;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Renews the leases of all tasks that the workers of one EntroQ are busy with: at half of the
 * lease, all that are about due in one call, one call at a time.
 *
 * <p>A commit {@linkplain #take takes} its task away first and waits for a renewal of it that is
 * under way, so that the two never race and the commit names the newest version. If the outcome of
 * a renewal is not known, the task is looked up: only our own renewal can have raised the version
 * and left claimant and number of claims as they were.
 *
 * <p>One thread drives it; all state is guarded by the lock, which is never held while the queue or
 * a holder is called.
 */
final class Renewer {
  /** Bounds one call: a renewal carries the task's value. */
  private static final int BATCH_TASKS_MAX = 1_000;

  private static final int BATCH_BYTES_MAX = 1 << 20;
  private static final long RETRY_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  /** A request under way about some leases. */
  private record Call(List<Lease> leases, long sentNanos) {
    @SuppressWarnings("ReferenceEquality")
    boolean isSame(Call other) {
      return this == other;
    }
  }

  /** A lease that was lost and whose holder has to be told. */
  private record Loss(Lease lease, String reason) {}

  private final EntroQ queue;
  private final Ticker ticker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Lease> leases = new LinkedHashSet<>();
  private final Queue<Loss> losses = new ArrayDeque<>();

  /** What to do with the answer to the call under way, once it has come. */
  private Runnable answer;

  /** The call under way, if any. */
  private Call calling;

  private boolean stopped;

  Renewer(EntroQ queue, Ticker ticker) {
    this.queue = queue;
    this.ticker = ticker;
  }

  /**
   * Keeps the lease of a task that was claimed just now going until it is taken, lost or dropped.
   */
  Lease hold(Task task, Duration lease, Consumer<String> onLost) {
    Lease held = new Lease(task, lease.toNanos(), ticker.nanoTime(), onLost);
    lock.lock();
    try {
      leases.add(held);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    return held;
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
      lease.wanted = true;
      while (lease.state == Lease.State.RENEWING || lease.state == Lease.State.UNSURE) {
        changed.awaitUninterruptibly();
      }
      if (lease.state != Lease.State.HELD) {
        return Optional.empty();
      }
      leases.remove(lease);
      lease.state = Lease.State.TAKEN;
      return Optional.of(lease.task);
    } finally {
      lock.unlock();
    }
  }

  /** Puts a taken lease back, as its commit has to wait. */
  void putBack(Lease lease) {
    lock.lock();
    try {
      lease.state = Lease.State.HELD;
      lease.wanted = false;
      leases.add(lease);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Renews a lease no more and lets nobody take it. */
  void drop(Lease lease) {
    lock.lock();
    try {
      leases.remove(lease);
      lease.state = Lease.State.LOST;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends {@link #run()} and lets go of every lease. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Drives this until it is stopped. */
  void run() {
    while (!isStopped()) {
      List<Loss> told;
      Call call;
      Function<Call, CompletableFuture<Runnable>> request = null;
      lock.lock();
      try {
        takeAnswer();
        long now = ticker.nanoTime();
        expire(now);
        told = new ArrayList<>(losses);
        losses.clear();
        call = calling == null ? unsure(now) : null;
        request = this::lookUp;
        if (call == null && calling == null) {
          call = due(now);
          request = this::renew;
        }
        calling = call == null ? calling : call;
        if (call == null && told.isEmpty() && !stopped) {
          pause(now);
        }
      } finally {
        lock.unlock();
      }
      told.forEach(Renewer::tell);
      if (call != null) {
        send(call, request);
      }
    }
    letGo();
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  private void letGo() {
    lock.lock();
    try {
      leases.forEach(lease -> lease.state = Lease.State.LOST);
      leases.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void takeAnswer() {
    if (answer != null) {
      answer.run();
      answer = null;
      calling = null;
      changed.signalAll();
    }
  }

  private void expire(long now) {
    for (Lease lease : List.copyOf(leases)) {
      if (lease.endsAtNanos - now <= 0) {
        lose(lease, "its lease ran out before it could be renewed");
      }
    }
    // A call that is never answered must not keep others from being renewed for ever.
    if (calling != null && calling.leases.stream().noneMatch(Renewer::isOpen)) {
      calling = null;
    }
  }

  private void lose(Lease lease, String reason) {
    if (leases.remove(lease)) {
      lease.state = Lease.State.LOST;
      losses.add(new Loss(lease, reason));
      changed.signalAll();
    }
  }

  private static void tell(Loss loss) {
    try {
      loss.lease.tellLost(loss.reason);
    } catch (RuntimeException e) {
      System.getLogger(Worker.class.getName())
          .log(System.Logger.Level.WARNING, "a listener or a cancel action failed", e);
    }
  }

  /** Leases to look up, or null. */
  private Call unsure(long now) {
    List<Lease> unsure = new ArrayList<>();
    for (Lease lease : leases) {
      if (lease.state == Lease.State.UNSURE
          && lease.renewAtNanos - now <= 0
          && unsure.size() < BATCH_TASKS_MAX) {
        unsure.add(lease);
      }
    }
    return unsure.isEmpty() ? null : new Call(unsure, now);
  }

  /** Leases to renew, or null: if one is due, all that will be within a quarter of their lease. */
  private Call due(long now) {
    if (leases.stream().noneMatch(lease -> lease.isDue(now, 0))) {
      return null;
    }
    List<Lease> due = new ArrayList<>();
    long bytes = 0;
    for (Lease lease : leases) {
      if (!lease.isDue(now, lease.alone ? 0 : lease.durationNanos / 4)) {
        continue;
      }
      bytes += lease.task.value().size();
      boolean fits = due.isEmpty() || (bytes <= BATCH_BYTES_MAX && due.size() < BATCH_TASKS_MAX);
      if (!fits || (lease.alone && !due.isEmpty())) {
        break;
      }
      due.add(lease);
      if (lease.alone) {
        break;
      }
    }
    due.forEach(lease -> lease.state = Lease.State.RENEWING);
    return new Call(due, now);
  }

  /** Waits for an answer, a new lease or the time of one; {@link #run} looks again in any case. */
  @SuppressWarnings("WaitNotInLoop")
  private void pause(long now) {
    long wakeAt = now + Duration.ofDays(1).toNanos();
    for (Lease lease : leases) {
      wakeAt = earlier(wakeAt, lease.endsAtNanos);
      if (calling == null && lease.waitsForTime()) {
        wakeAt = earlier(wakeAt, lease.renewAtNanos);
      }
    }
    if (wakeAt - now > 0) {
      try {
        changed.awaitNanos(ticker.pauseNanos(wakeAt - now));
      } catch (InterruptedException e) {
        stopped = true;
      }
    }
  }

  private static long earlier(long a, long b) {
    return a - b < 0 ? a : b;
  }

  private void send(Call call, Function<Call, CompletableFuture<Runnable>> request) {
    CompletableFuture<Runnable> reply;
    try {
      reply = request.apply(call);
    } catch (RuntimeException e) {
      reply = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<Runnable> unused =
        reply.whenComplete((onReply, failure) -> answered(call, onReply, failure));
  }

  private void answered(Call call, Runnable onReply, Throwable failure) {
    lock.lock();
    try {
      if (call.isSame(calling)) {
        answer = failure == null ? onReply : () -> failed(call, cause(failure));
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private CompletableFuture<Runnable> renew(Call call) {
    Modification.Builder modification = Modification.builder();
    for (Lease lease : call.leases) {
      modification.change(Change.of(lease.task).availableIn(Duration.ofNanos(lease.durationNanos)));
    }
    return queue.modifyAsync(modification.build()).thenApply(result -> () -> renewed(call, result));
  }

  private void renewed(Call call, ModifyResult result) {
    if (result instanceof ModifyResult.Committed committed) {
      for (int i = 0; i < call.leases.size(); i++) {
        if (isOpen(call.leases.get(i))) {
          call.leases.get(i).prolong(committed.changed().get(i), call.sentNanos);
        }
      }
    } else if (result instanceof ModifyResult.DependencyFailure failure) {
      refused(call, failure);
    } else {
      retry(call, Lease.State.UNSURE);
    }
  }

  /** Drops those that are lost; the others are due still and go out again at once. */
  private void refused(Call call, ModifyResult.DependencyFailure failure) {
    boolean named = false;
    for (Lease lease : call.leases) {
      lease.state = isOpen(lease) ? Lease.State.HELD : lease.state;
      if (failure.concerns(lease.task.id())) {
        named = true;
        lose(lease, "others have claimed, changed or deleted it");
      }
    }
    if (!named) {
      retry(call, Lease.State.HELD);
    }
  }

  private void failed(Call call, Throwable failure) {
    if (failure instanceof EntroQException.Closed) {
      call.leases.forEach(lease -> lose(lease, "the queue is closed"));
    } else if (failure instanceof EntroQException.InvalidArgument) {
      apart(call, failure);
    } else {
      boolean nothingDone =
          failure instanceof EntroQException.ResourceExhausted
              || failure instanceof EntroQException.Unavailable;
      boolean wasUnsure = call.leases.stream().anyMatch(l -> l.state == Lease.State.UNSURE);
      retry(call, nothingDone && !wasUnsure ? Lease.State.HELD : Lease.State.UNSURE);
    }
  }

  /** One of them cannot be renewed at all: tries each alone, to find out which. */
  private void apart(Call call, Throwable failure) {
    for (Lease lease : call.leases) {
      if (call.leases.size() == 1) {
        lose(lease, "its lease cannot be renewed: " + failure.getMessage());
      } else if (isOpen(lease)) {
        lease.state = Lease.State.HELD;
        lease.alone = true;
      }
    }
  }

  /** Tries again soon. */
  private void retry(Call call, Lease.State state) {
    long now = ticker.nanoTime();
    for (Lease lease : call.leases) {
      if (isOpen(lease)) {
        lease.state = state;
        lease.renewAtNanos = now + Math.min(lease.durationNanos / 10, RETRY_NANOS_MAX);
      }
    }
  }

  private static boolean isOpen(Lease lease) {
    return lease.state == Lease.State.RENEWING || lease.state == Lease.State.UNSURE;
  }

  private CompletableFuture<Runnable> lookUp(Call call) {
    List<TaskId> ids = call.leases.stream().map(lease -> lease.task.id()).toList();
    return queue
        .tasksAsync(TaskQuery.withIds(ids).withoutValues())
        .thenApply(tasks -> () -> lookedUp(call, tasks));
  }

  private void lookedUp(Call call, List<Task> tasks) {
    Map<TaskId, Task> found = new HashMap<>();
    tasks.forEach(task -> found.put(task.id(), task));
    for (Lease lease : call.leases) {
      if (lease.state != Lease.State.UNSURE) {
        continue;
      }
      Task now = found.get(lease.task.id());
      if (now != null && now.version() == lease.task.version()) {
        lease.state = Lease.State.HELD;
      } else if (now != null && isOwnRenewal(lease.task, now)) {
        adopt(lease, now);
      } else {
        lose(lease, "others have claimed, changed or deleted it");
      }
    }
  }

  private static boolean isOwnRenewal(Task held, Task now) {
    return now.version() == held.version() + 1
        && now.claims() == held.claims()
        && now.claimant().equals(held.claimant());
  }

  /** The renewal did happen, at a time not known: renews at once for a lease that is known. */
  private static void adopt(Lease lease, Task now) {
    Task old = lease.task;
    lease.task =
        new Task(
            now.id(),
            now.version(),
            now.queue(),
            now.arrivalTime(),
            now.claimant(),
            old.value(),
            now.created(),
            now.modified(),
            now.claims(),
            now.attempt(),
            now.err());
    lease.state = Lease.State.HELD;
  }
}
