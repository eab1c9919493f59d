package io.entroq.api.worker;

import io.entroq.api.Task;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A task that is being worked on and whose lease goes on, by the hands of {@link Leases}. */
public final class Lease {
  /** Where a lease stands. */
  enum State {
    /** Held at the version of {@link #task}. */
    HELD,
    /** A renewal is under way: held at that version or at the next. */
    RENEWING,
    /** What came of a renewal is not known: held at that version or at the next. */
    UNSURE,
    /** Handed over to be committed: renewed no more. */
    TAKEN,
    /** Lost, or given up. */
    LOST
  }

  private static final long REST_NANOS_MAX = Duration.ofSeconds(1).toNanos();

  final long durationNanos;
  private final Consumer<String> onLost;

  State state = State.HELD;

  /** The newest version known to be held. */
  Task task;

  /** When to renew next, when it ends unless renewed. */
  long renewAtNanos;

  long endsAtNanos;

  /** Somebody waits to take it: renew it no more than has to be. */
  boolean wanted;

  /** A commit of this version may have been done, or may be done yet. */
  boolean isInDoubt;

  /** A renewal of this version went unanswered and may be done yet. */
  boolean mayBeRenewed;

  /** To be renewed alone, as a renewal together with others was refused. */
  boolean alone;

  Lease(Task task, long durationNanos, long nowNanos, Consumer<String> onLost) {
    this.task = task;
    this.durationNanos = durationNanos;
    this.onLost = onLost;
    prolong(task, nowNanos);
  }

  /** Once taken: the newest version; empty if the lease is lost. */
  public Optional<Task> taken() {
    return state == State.TAKEN ? Optional.of(task) : Optional.empty();
  }

  /** Held at this version, for a whole lease since the given time. */
  void prolong(Task newest, long sinceNanos) {
    task = newest;
    state = State.HELD;
    isInDoubt = false;
    mayBeRenewed = false;
    renewAtNanos = sinceNanos + durationNanos / 2;
    endsAtNanos = sinceNanos + durationNanos;
  }

  /**
   * The renewal that nobody knew of did happen, at a time not known: held at this version, and to
   * be renewed at once for a lease that is known.
   *
   * @param found read without its value
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

  /** In this state nothing is done about it for a moment. */
  void rest(State newState, long nowNanos) {
    state = newState;
    renewAtNanos = nowNanos + Math.min(durationNanos / 10, REST_NANOS_MAX);
  }

  /** Whether only a renewal of this lease can have made the task what it is now. */
  boolean isOwnRenewal(Task found) {
    return found.version() == task.version() + 1
        && found.claims() == task.claims()
        && found.claimant().equals(task.claimant());
  }

  /** Whether an answer is waited for: held at the known version or at the next. */
  boolean isOpen() {
    return state == State.RENEWING || state == State.UNSURE;
  }

  /** Whether a renewal is due, or so nearly that it can go along with others. */
  boolean isDue(long nowNanos, long slackNanos) {
    return isRenewable() && renewAtNanos - nowNanos <= slackNanos;
  }

  /** Whether it goes on: also if it is wanted, until no other renewal can change its version. */
  boolean isRenewable() {
    return state == State.HELD && (!wanted || mayBeRenewed);
  }

  /** Whether something is to be done about it as soon as its time has come. */
  boolean waitsForTime() {
    return state == State.UNSURE || isRenewable();
  }

  void tellLost(String reason) {
    onLost.accept(reason);
  }
}
