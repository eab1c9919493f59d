package io.entroq.api.worker;

import io.entroq.api.DocSet;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The lease of a task being handled and of doc sets held with it, managed by {@link Leases}. */
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

  /** Longer leases count as this long, so that times in nanoseconds cannot overflow. */
  private static final Duration LENGTH_MAX = Duration.ofDays(365);

  /** The first retry of a renewal comes after this part of the time that is left for retries. */
  private static final int RETRIES = 8;

  /** What was granted when the task was claimed, and is asked for by renewals. */
  final Duration length;

  private final Consumer<String> onLost;

  State state = State.HELD;

  /** The task at the newest version known to be held. */
  Task task;

  /** Doc sets held with the task. */
  private List<HeldSet> sets = List.of();

  /** For how long the version of {@link #task} was granted. */
  private long grantedNanos;

  /** Failures since the last renewal. */
  private int failures;

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

  /** Called when the run time is over; null if there is no limit. */
  private Runnable onOverdue;

  private long overdueAtNanos;

  /** The run time is over: not renewed unless it is put back. */
  private boolean isOverdue;

  Lease(Task task, long nowNanos, Consumer<String> onLost) {
    this.task = task;
    this.length = task.lease();
    this.onLost = onLost;
    prolong(task, nowNanos);
  }

  /** Limits how long it is renewed; zero for no limit. */
  void limitTo(Duration maxRuntime, long nowNanos, Runnable whenOverdue) {
    if (!maxRuntime.isZero()) {
      boolean isLong = maxRuntime.compareTo(LENGTH_MAX) > 0;
      overdueAtNanos = nowNanos + (isLong ? LENGTH_MAX : maxRuntime).toNanos();
      onOverdue = whenOverdue;
    }
  }

  /** Ends the limit: the handler has returned. */
  void unlimit() {
    onOverdue = null;
    isOverdue = false;
  }

  /** How long until the run time is over; {@code Long.MAX_VALUE} if never or already noticed. */
  long untilOverdueNanos(long nowNanos) {
    return onOverdue == null || wanted ? Long.MAX_VALUE : overdueAtNanos - nowNanos;
  }

  /** Ends renewal and returns what to call. */
  Runnable overdue() {
    Runnable callback = onOverdue;
    onOverdue = null;
    isOverdue = true;
    return callback;
  }

  /** The task at its newest version once the lease is taken; empty if it is lost. */
  public Optional<Task> taken() {
    return state == State.TAKEN ? Optional.of(task) : Optional.empty();
  }

  /** The doc sets held with the task, at their newest versions. */
  List<HeldSet> sets() {
    return sets;
  }

  /** Holds doc sets, too, that were claimed until the end of this lease. */
  void add(List<HeldSet> claimed) {
    List<HeldSet> all = new ArrayList<>(sets);
    all.removeIf(held -> claimed.stream().anyMatch(more -> more.set().isSameSet(held.set())));
    all.addAll(claimed);
    sets = List.copyOf(all);
  }

  /** Holds this version for as long as was granted, from the given time. */
  void prolong(Task newest, long sinceNanos) {
    task = newest;
    state = State.HELD;
    isInDoubt = false;
    mayBeRenewed = false;
    failures = 0;
    Duration granted = newest.lease();
    grantedNanos = (granted.compareTo(LENGTH_MAX) > 0 ? LENGTH_MAX : granted).toNanos();
    renewAtNanos = sinceNanos + grantedNanos / 3 * 2;
    endsAtNanos = sinceNanos + grantedNanos;
  }

  /** The same, with the sets that were renewed with it. */
  void prolong(Task newest, Iterator<DocSet> renewed, long sinceNanos) {
    prolong(withKnownValue(newest), sinceNanos);
    sets = sets.stream().map(held -> held.atVersion(renewed.next().version())).toList();
  }

  /**
   * The uncertain renewal was applied, at an unknown time: holds the new version, and renews at
   * once to get a lease with a known end.
   *
   * @param found the task as read, without its value
   */
  void adopt(Task found) {
    task = withKnownValue(found);
    sets = sets.stream().map(held -> held.atVersion(held.set().version() + 1)).toList();
    state = State.HELD;
    mayBeRenewed = false;
  }

  /** With the value as it was claimed: a renewal does not change it, and a lookup omits it. */
  private Task withKnownValue(Task newest) {
    return newest.withValue(task.value());
  }

  /**
   * Moves to a state and waits before the next action: for an eighth of the time between the first
   * attempt and the end of the lease, then for twice as long each time.
   */
  void rest(State newState, long nowNanos) {
    state = newState;
    long first = grantedNanos / 3 / RETRIES;
    renewAtNanos = nowNanos + (first << Math.min(failures, RETRIES));
    failures++;
  }

  /** How much earlier than needed it is renewed together with others. */
  long slackNanos() {
    return alone ? 0 : grantedNanos / 6;
  }

  /** Whether a renewal failed because of its task or its sets. */
  boolean isConcernedBy(ModifyResult.DependencyFailure failure) {
    return failure.concerns(task.id())
        || sets.stream().anyMatch(held -> failure.docs().concerns(held.set()));
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
    return state == State.HELD && (!(wanted || isOverdue) || mayBeRenewed);
  }

  /** Whether there is something to do at {@link #renewAtNanos}. */
  boolean waitsForTime() {
    return state == State.UNSURE || isRenewable();
  }

  void notifyLost(String reason) {
    onLost.accept(reason);
  }
}
