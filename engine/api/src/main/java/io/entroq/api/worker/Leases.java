package io.entroq.api.worker;

import io.entroq.api.DocSet;
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
 * Decides when to renew the leases of tasks, for runtimes that bring their own threads or none. A
 * lease is renewed after two thirds of the time that was granted, together with the doc sets held
 * with the task; those due at about the same time share a call, and there is one call at a time. A
 * renewal that failed is retried at growing intervals until the lease ends.
 *
 * <p>This class does no IO and does not block. The driver calls {@link #advance}, sends the call
 * that it returns, reports the reply, and calls {@link #advance} again, at the latest after {@link
 * #quietNanos}. All times are nanoseconds since one arbitrary moment.
 *
 * <p>Before a commit, {@link #take} removes the lease from renewal, but not while a renewal is in
 * flight. So commit and renewal never race, and the commit names the newest version. If the outcome
 * of a renewal is unknown, the task is looked up. Only our own renewal can raise the version and
 * leave claimant and number of claims unchanged. If the version is unchanged, the renewal may still
 * be applied later; the task is therefore renewed before anything else, and looked up again if that
 * fails.
 *
 * <p>Not thread-safe.
 */
public final class Leases {
  /** Bounds of one call. */
  private static final int BATCH_TASKS_MAX = 1_000;

  /** The response repeats the tasks, and servers refuse what would make it too large. */
  private static final int BATCH_BYTES_MAX = 1 << 20;

  private static final long QUIET_NANOS_MAX = Duration.ofDays(1).toNanos();
  private static final String OTHERS = "others have claimed, changed or deleted it";

  private final Set<Lease> leases = new LinkedHashSet<>();
  private final List<Runnable> notices = new ArrayList<>();

  /** The call in flight, or null. */
  private LeaseCall calling;

  /**
   * Starts to renew the lease of a task that was just claimed, until it is taken, lost or dropped.
   * Each renewal asks for as much time as the claim was granted.
   *
   * @param onLost called once with the reason if the lease is lost
   */
  public Lease hold(Task task, long nowNanos, Consumer<String> onLost) {
    return hold(task, nowNanos, Duration.ZERO, () -> {}, onLost);
  }

  /**
   * The same for a task that may be worked on for a time. After that the lease is not renewed, and
   * the handler must be interrupted.
   *
   * @param maxRuntime counted from now; zero for no limit
   * @param onOverdue called once if the lease is neither taken nor lost by then
   */
  public Lease hold(
      Task task, long nowNanos, Duration maxRuntime, Runnable onOverdue, Consumer<String> onLost) {
    Lease lease = new Lease(task, nowNanos, onLost);
    lease.limitTo(maxRuntime, nowNanos, onOverdue);
    leases.add(lease);
    return lease;
  }

  /**
   * Removes a lease from renewal, unless a renewal may still change the task's version.
   *
   * @return false while a renewal is or may be in flight: try again after the next report or the
   *     end of the lease. Once true, {@link Lease#taken()} has the newest version
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
   * Resumes renewal of a taken lease because its commit must be retried later; the run time no
   * longer counts. Does nothing if it was dropped in the meantime.
   *
   * @param isInDoubt whether the commit may have been applied or may still be. It raises the
   *     version as a renewal does, and must not be mistaken for one
   */
  public void putBack(Lease lease, boolean isInDoubt) {
    lease.isInDoubt |= isInDoubt;
    lease.unlimit();
    resume(lease);
  }

  /** Resumes renewal of a lease that was taken while its handler runs. */
  void resume(Lease lease) {
    if (lease.state == Lease.State.LOST) {
      return;
    }
    lease.state = Lease.State.HELD;
    lease.wanted = false;
    leases.add(lease);
  }

  /** Stops renewing a lease; it can no longer be taken. */
  public void drop(Lease lease) {
    leases.remove(lease);
    lease.state = Lease.State.LOST;
  }

  void dropAll() {
    List.copyOf(leases).forEach(this::drop);
  }

  /**
   * Expires leases and run times, and returns the next call.
   *
   * @return the call to send now; empty if one is in flight or none is due
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

  /**
   * Returns and clears the callbacks of leases that were lost or became overdue since the last
   * call; the caller runs them.
   */
  public List<Runnable> takeNotices() {
    List<Runnable> taken = List.copyOf(notices);
    notices.clear();
    return taken;
  }

  /** How long {@link #advance} has nothing to do unless something is reported; zero or more. */
  public long quietNanos(long nowNanos) {
    long quiet = QUIET_NANOS_MAX;
    for (Lease lease : leases) {
      quiet = Math.min(quiet, lease.endsAtNanos - nowNanos);
      quiet = Math.min(quiet, lease.untilOverdueNanos(nowNanos));
      if (calling == null && lease.waitsForTime()) {
        quiet = Math.min(quiet, lease.renewAtNanos - nowNanos);
      }
    }
    return Math.max(0, quiet);
  }

  /** Reports the reply to a renewal. */
  public void renewed(LeaseCall.Renewal call, ModifyResult result, long nowNanos) {
    ended(call);
    if (result instanceof ModifyResult.Committed committed) {
      Iterator<Task> changed = committed.changed().iterator();
      Iterator<DocSet> sets = committed.changedSets().iterator();
      for (Lease lease : call.leases()) {
        Task newest = changed.next();
        if (lease.isOpen()) {
          lease.prolong(newest, sets, call.sentNanos());
        } else {
          lease.sets().forEach(held -> sets.next());
        }
      }
    } else if (result instanceof ModifyResult.DependencyFailure failure) {
      refused(call, failure, nowNanos);
    } else {
      retry(call, Lease.State.UNSURE, nowNanos);
    }
  }

  /**
   * Reports the reply to a lookup.
   *
   * @param tasks the tasks that exist
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

  /** Reports that a call failed. */
  public void failed(LeaseCall call, Throwable failure, long nowNanos) {
    ended(call);
    if (failure instanceof EntroQException.Closed) {
      call.leases().forEach(lease -> lose(lease, "the queue is closed"));
    } else if (failure instanceof EntroQException.InvalidArgument) {
      renewSeparately(call, failure);
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
      } else if (lease.untilOverdueNanos(nowNanos) <= 0) {
        notices.add(lease.overdue());
      }
    }
    // A call that is never answered must not block other renewals forever.
    if (calling != null && calling.leases().stream().noneMatch(Lease::isOpen)) {
      calling = null;
    }
  }

  private void lose(Lease lease, String reason) {
    if (leases.remove(lease)) {
      lease.state = Lease.State.LOST;
      notices.add(() -> lease.notifyLost(reason));
    }
  }

  /** The lookup that is due, or null. */
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

  /** The renewal that is due, or null; it includes leases due within a sixth of their length. */
  private LeaseCall renewal(long nowNanos) {
    if (leases.stream().noneMatch(lease -> lease.isDue(nowNanos, 0))) {
      return null;
    }
    List<Lease> due = due(nowNanos);
    Modification.Builder modification = Modification.builder();
    for (Lease lease : due) {
      lease.state = Lease.State.RENEWING;
      modification.renew(lease.task, lease.length);
      lease.sets().forEach(held -> modification.renewSet(held.set(), lease.length));
    }
    return new LeaseCall.Renewal(due, modification.build(), nowNanos);
  }

  private List<Lease> due(long nowNanos) {
    List<Lease> due = new ArrayList<>();
    long bytes = 0;
    for (Lease lease : leases) {
      if (!lease.isDue(nowNanos, lease.slackNanos())) {
        continue;
      }
      bytes += lease.task.value().size() + (long) lease.task.err().length();
      boolean fits = due.size() < BATCH_TASKS_MAX && bytes <= BATCH_BYTES_MAX && !lease.alone;
      if (!fits && !due.isEmpty()) {
        break;
      }
      due.add(lease);
      if (lease.alone) {
        break;
      }
    }
    return due;
  }

  /** Leases named in the failure are lost or were renewed late; the others are retried at once. */
  private void refused(LeaseCall call, ModifyResult.DependencyFailure failure, long nowNanos) {
    if (call.leases().stream().noneMatch(lease -> lease.isConcernedBy(failure))) {
      retry(call, Lease.State.HELD, nowNanos);
      return;
    }
    settle(
        call,
        lease -> {
          if (!lease.isConcernedBy(failure)) {
            lease.state = Lease.State.HELD;
          } else if (lease.mayBeRenewed) {
            lease.rest(Lease.State.UNSURE, nowNanos);
          } else {
            lose(lease, OTHERS);
          }
        });
  }

  /** One of the leases can never be renewed: tries each alone to find out which. */
  private void renewSeparately(LeaseCall call, Throwable failure) {
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

  private static void retry(LeaseCall call, Lease.State state, long nowNanos) {
    settle(call, lease -> lease.rest(state, nowNanos));
  }

  /** Settles the leases of a call, except those lost or dropped in the meantime. */
  private static void settle(LeaseCall call, Consumer<Lease> how) {
    call.leases().stream().filter(Lease::isOpen).forEach(how);
  }
}
