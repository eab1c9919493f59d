package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** The lease of a task being handled, managed by {@link Leases}. */
public final class Lease {
  enum State {
    /** Held at the version of {@link #task}. */
    HELD,
    /** A renewal is in flight: held at that version or the next. */
    RENEWING,
    /** The outcome of a renewal is unknown: held at that version or the next. */
    UNSURE,
    /** Taken for the commit; not renewed. */
    TAKEN,
    /** Lost or dropped. */
    LOST
  }

  private static final long REST_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  final long durationNanos;
  private final Consumer<String> onLost;

  State state = State.HELD;

  /** The task at the newest version known to be held. */
  Task task;

  /** When to renew or look up next. */
  long renewAtNanos;

  /** When the lease ends unless it is renewed. */
  long endsAtNanos;

  /** A commit is waiting to take it: renew only if required. */
  boolean wanted;

  /** A commit of this version may have been applied, or may still be. */
  boolean isInDoubt;

  /** An unanswered renewal of this version may still be applied. */
  boolean mayBeRenewed;

  /** Renew it alone, because a batch with it was rejected. */
  boolean alone;

  Lease(Task task, long durationNanos, long nowNanos, Consumer<String> onLost) {
    this.task = task;
    this.durationNanos = durationNanos;
    this.onLost = onLost;
    prolong(task, nowNanos);
  }

  /** The task at its newest version once the lease is taken; empty if it is lost. */
  public Optional<Task> taken() {
    return state == State.TAKEN ? Optional.of(task) : Optional.empty();
  }

  /** Holds this version for a full lease from the given time. */
  void prolong(Task newest, long sinceNanos) {
    task = newest;
    state = State.HELD;
    isInDoubt = false;
    mayBeRenewed = false;
    renewAtNanos = sinceNanos + durationNanos / 2;
    endsAtNanos = sinceNanos + durationNanos;
  }

  /**
   * The uncertain renewal was applied, at an unknown time: holds the new version, and renews at
   * once to get a lease with a known end.
   *
   * @param found the task as read, without its value
   */
  void adopt(Task found) {
    task =
        new Task(
            found.id(),
            found.version(),
            found.queue(),
            found.arrivalTime(),
            found.claimant(),
            task.value(),
            found.created(),
            found.modified(),
            found.claims(),
            found.attempt(),
            found.err());
    state = State.HELD;
    mayBeRenewed = false;
  }

  /** Moves to a state and waits for a moment before the next action. */
  void rest(State newState, long nowNanos) {
    state = newState;
    renewAtNanos = nowNanos + Math.min(durationNanos / 10, REST_NANOS_MAX);
  }

  /** Whether only our own renewal can have produced this version of the task. */
  boolean isOwnRenewal(Task found) {
    return found.version() == task.version() + 1
        && found.claims() == task.claims()
        && found.claimant().equals(task.claimant());
  }

  /** Whether a renewal is not settled: held at the known version or the next. */
  boolean isOpen() {
    return state == State.RENEWING || state == State.UNSURE;
  }

  /** Whether a renewal is due within the slack. */
  boolean isDue(long nowNanos, long slackNanos) {
    return isRenewable() && renewAtNanos - nowNanos <= slackNanos;
  }

  /** Whether to renew it: even if wanted, while an earlier renewal may still change its version. */
  boolean isRenewable() {
    return state == State.HELD && (!wanted || mayBeRenewed);
  }

  /** Whether there is something to do at {@link #renewAtNanos}. */
  boolean waitsForTime() {
    return state == State.UNSURE || isRenewable();
  }

  void notifyLost(String reason) {
    onLost.accept(reason);
  }
}
