package io.entroq.api.worker;

import io.entroq.api.Change;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides when the leases of tasks are renewed, and what becomes of them: at half of the lease, all
 * that are about due in one call, one call at a time. For runtimes that bring their own threads or
 * none.
 *
 * <p>It asks for nothing and waits for nothing: {@link #advance} says what to ask, and whoever
 * drives this reports the answer and looks again, at the latest after {@link #quietNanos}. All
 * times are nanoseconds since one arbitrary moment.
 *
 * <p>A commit {@linkplain #take takes} its task away first, but not during a renewal of it, so that
 * the two never race and the commit names the newest version. If the outcome of a renewal is not
 * known, the task is looked up: only our own renewal can have raised the version and left claimant
 * and number of claims as they were. If it has not, it may do so yet; so the task is renewed before
 * anything else is done with it, and looked up again if that is refused.
 *
 * <p>One thread at a time.
 */
public final class Leases {
  /** Bounds one call: a renewal carries the task's value. */
  private static final int BATCH_TASKS_MAX = 1_000;

  private static final int BATCH_BYTES_MAX = 1 << 20;
  private static final long QUIET_NANOS_MAX = Duration.ofDays(1).toNanos();
  private static final String OTHERS = "others have claimed, changed or deleted it";

  private final Set<Lease> leases = new LinkedHashSet<>();
  private final List<Runnable> losses = new ArrayList<>();

  /** The call under way; null if there is none. */
  private LeaseCall calling;

  /**
   * Keeps the lease of a task that was claimed just now going until it is taken, lost or dropped.
   *
   * @param length how long the lease is
   * @param onLost is told why, once, if it is lost
   */
  public Lease hold(Task task, Duration length, long nowNanos, Consumer<String> onLost) {
    Lease lease = new Lease(task, length.toNanos(), nowNanos, onLost);
    leases.add(lease);
    return lease;
  }

  /**
   * Takes a task out of renewal as soon as no renewal can change its version any more.
   *
   * @return false while one is under way or may be: try again after the next answer, or the end of
   *     the lease; once true, the newest version is in {@link Lease#taken()}
   */
  public boolean take(Lease lease) {
    lease.wanted = true;
    if (lease.state == Lease.State.HELD && !lease.mayBeRenewed) {
      leases.remove(lease);
      lease.state = Lease.State.TAKEN;
    }
    return !lease.isOpen() && !lease.isRenewable();
  }

  /**
   * Puts a taken lease back, as its commit has to wait.
   *
   * @param isInDoubt whether the commit may have been done, or may be done yet: it raises the
   *     version as a renewal does, and must not be taken for one
   */
  public void putBack(Lease lease, boolean isInDoubt) {
    lease.isInDoubt |= isInDoubt;
    lease.state = Lease.State.HELD;
    lease.wanted = false;
    leases.add(lease);
  }

  /** Renews a lease no more and lets nobody take it. */
  public void drop(Lease lease) {
    leases.remove(lease);
    lease.state = Lease.State.LOST;
  }

  /** The same for every lease. */
  void dropAll() {
    List.copyOf(leases).forEach(this::drop);
  }

  /**
   * Lets leases end whose time is over.
   *
   * @return what to ask of the queue now, once; empty while a call is under way or if none is due
   */
  public Optional<LeaseCall> advance(long nowNanos) {
    expire(nowNanos);
    if (calling != null) {
      return Optional.empty();
    }
    calling = lookUp(nowNanos);
    if (calling == null) {
      calling = renewal(nowNanos);
    }
    return Optional.ofNullable(calling);
  }

  /** What tells the holders of leases that were lost since; their callbacks run in there. */
  public List<Runnable> takeLosses() {
    List<Runnable> told = List.copyOf(losses);
    losses.clear();
    return told;
  }

  /** For how long there is nothing to do unless something is reported; zero or more. */
  public long quietNanos(long nowNanos) {
    long quiet = QUIET_NANOS_MAX;
    for (Lease lease : leases) {
      quiet = Math.min(quiet, lease.endsAtNanos - nowNanos);
      if (calling == null && lease.waitsForTime()) {
        quiet = Math.min(quiet, lease.renewAtNanos - nowNanos);
      }
    }
    return Math.max(0, quiet);
  }

  /** A renewal was answered. */
  public void renewed(LeaseCall.Renewal call, ModifyResult result, long nowNanos) {
    ended(call);
    if (result instanceof ModifyResult.Committed committed) {
      Iterator<Task> changed = committed.changed().iterator();
      for (Lease lease : call.leases()) {
        Task newest = changed.next();
        if (lease.isOpen()) {
          lease.prolong(newest, call.sentNanos());
        }
      }
    } else if (result instanceof ModifyResult.DependencyFailure failure) {
      refused(call, failure, nowNanos);
    } else {
      retry(call, Lease.State.UNSURE, nowNanos);
    }
  }

  /**
   * A look-up was answered.
   *
   * @param tasks those that are there
   */
  public void lookedUp(LeaseCall.LookUp call, List<Task> tasks) {
    ended(call);
    Map<TaskId, Task> found = new HashMap<>();
    tasks.forEach(task -> found.put(task.id(), task));
    for (Lease lease : call.leases()) {
      if (lease.state != Lease.State.UNSURE) {
        continue;
      }
      Task now = found.get(lease.task.id());
      if (now != null && now.version() == lease.task.version()) {
        lease.state = Lease.State.HELD;
        lease.mayBeRenewed = true;
      } else if (now != null && !lease.isInDoubt && lease.isOwnRenewal(now)) {
        lease.adopt(now);
      } else {
        lose(lease, OTHERS);
      }
    }
  }

  /** A call failed. */
  public void failed(LeaseCall call, Throwable failure, long nowNanos) {
    ended(call);
    if (failure instanceof EntroQException.Closed) {
      call.leases().forEach(lease -> lose(lease, "the queue is closed"));
    } else if (failure instanceof EntroQException.InvalidArgument) {
      apart(call, failure);
    } else {
      boolean known = call instanceof LeaseCall.Renewal && TaskCommit.didNothing(failure);
      retry(call, known ? Lease.State.HELD : Lease.State.UNSURE, nowNanos);
    }
  }

  private void ended(LeaseCall call) {
    if (call == calling) {
      calling = null;
    }
  }

  private void expire(long nowNanos) {
    for (Lease lease : List.copyOf(leases)) {
      if (lease.endsAtNanos - nowNanos <= 0) {
        lose(lease, "its lease ran out before it could be renewed");
      }
    }
    // A call that is never answered must not keep others from being renewed for ever.
    if (calling != null && calling.leases().stream().noneMatch(Lease::isOpen)) {
      calling = null;
    }
  }

  private void lose(Lease lease, String reason) {
    if (leases.remove(lease)) {
      lease.state = Lease.State.LOST;
      losses.add(() -> lease.tellLost(reason));
    }
  }

  /** The look-up that is due, or null. */
  private LeaseCall lookUp(long nowNanos) {
    List<Lease> unsure =
        leases.stream()
            .filter(lease -> lease.state == Lease.State.UNSURE)
            .filter(lease -> lease.renewAtNanos - nowNanos <= 0)
            .limit(BATCH_TASKS_MAX)
            .toList();
    List<TaskId> ids = unsure.stream().map(lease -> lease.task.id()).toList();
    return unsure.isEmpty()
        ? null
        : new LeaseCall.LookUp(unsure, TaskQuery.withIds(ids).withoutValues());
  }

  /** The renewal that is due, or null: with one go all that will be within a quarter of theirs. */
  private LeaseCall renewal(long nowNanos) {
    if (leases.stream().noneMatch(lease -> lease.isDue(nowNanos, 0))) {
      return null;
    }
    List<Lease> due = due(nowNanos);
    Modification.Builder modification = Modification.builder();
    for (Lease lease : due) {
      lease.state = Lease.State.RENEWING;
      modification.change(Change.of(lease.task).availableIn(Duration.ofNanos(lease.durationNanos)));
    }
    return new LeaseCall.Renewal(due, modification.build(), nowNanos);
  }

  private List<Lease> due(long nowNanos) {
    List<Lease> due = new ArrayList<>();
    long bytes = 0;
    for (Lease lease : leases) {
      if (!lease.isDue(nowNanos, lease.alone ? 0 : lease.durationNanos / 4)) {
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
    return due;
  }

  /** Those that it names are lost, or were renewed late; the others go out again at once. */
  private void refused(LeaseCall call, ModifyResult.DependencyFailure failure, long nowNanos) {
    if (call.leases().stream().noneMatch(lease -> failure.concerns(lease.task.id()))) {
      retry(call, Lease.State.HELD, nowNanos);
      return;
    }
    settle(
        call,
        lease -> {
          if (!failure.concerns(lease.task.id())) {
            lease.state = Lease.State.HELD;
          } else if (lease.mayBeRenewed) {
            lease.rest(Lease.State.UNSURE, nowNanos);
          } else {
            lose(lease, OTHERS);
          }
        });
  }

  /** One of them cannot be renewed at all: tries each alone, to find out which. */
  private void apart(LeaseCall call, Throwable failure) {
    if (call.leases().size() == 1) {
      lose(call.leases().get(0), "its lease cannot be renewed: " + failure.getMessage());
    }
    settle(
        call,
        lease -> {
          lease.state = Lease.State.HELD;
          lease.alone = true;
        });
  }

  /** Tries again soon. */
  private static void retry(LeaseCall call, Lease.State state, long nowNanos) {
    settle(call, lease -> lease.rest(state, nowNanos));
  }

  /** Those that wait for the answer no more, unless they were lost or dropped meanwhile. */
  private static void settle(LeaseCall call, Consumer<Lease> how) {
    call.leases().stream().filter(Lease::isOpen).forEach(how);
  }
}
