package io.entroq.api.redrive;

import io.entroq.api.EntroQException;
import io.entroq.api.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Which tasks of a dead queue to return: those to which everything given here applies. Immutable;
 * the methods that are named after a component return modified copies.
 *
 * @param err text that the error must contain; may be empty
 * @param origin the queue from which the engine must have moved the task; empty for any, and for
 *     tasks that a client moved
 * @param reason why the engine must have moved it; empty for any, and for tasks that a client moved
 * @param attemptsMin how many failures the task must have at least; zero or more
 * @param olderThan for how long at least it must have been dead
 * @param newerThan for how long at most it may have been dead; not less than {@code olderThan}
 */
public record RedriveFilter(
    String err,
    Optional<String> origin,
    Optional<Task.DeadReason> reason,
    int attemptsMin,
    Optional<Duration> olderThan,
    Optional<Duration> newerThan) {
  private static final RedriveFilter ALL =
      new RedriveFilter(
          "", Optional.empty(), Optional.empty(), 0, Optional.empty(), Optional.empty());

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public RedriveFilter {
    Objects.requireNonNull(err, "err");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(reason, "reason");
    Redrive.require(attemptsMin >= 0, "attemptsMin must not be negative, is " + attemptsMin);
    Redrive.require(
        !olderThan.orElse(Duration.ZERO).isNegative(), "olderThan must not be negative");
    Redrive.require(
        newerThan.map(max -> max.compareTo(olderThan.orElse(Duration.ZERO)) >= 0).orElse(true),
        "newerThan must not be less than olderThan, or than zero");
  }

  /** Selects all tasks. */
  public static RedriveFilter all() {
    return ALL;
  }

  /** Only tasks whose error contains this text. */
  public RedriveFilter err(String text) {
    return new RedriveFilter(text, origin, reason, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that the engine moved from this queue. */
  public RedriveFilter origin(String queue) {
    return new RedriveFilter(err, Optional.of(queue), reason, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that the engine moved for this reason. */
  public RedriveFilter reason(Task.DeadReason why) {
    return new RedriveFilter(err, origin, Optional.of(why), attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that failed at least this often. */
  public RedriveFilter attemptsMin(int attempts) {
    return new RedriveFilter(err, origin, reason, attempts, olderThan, newerThan);
  }

  /** Only tasks that have been dead for at least this long. */
  public RedriveFilter olderThan(Duration min) {
    return new RedriveFilter(err, origin, reason, attemptsMin, Optional.of(min), newerThan);
  }

  /** Only tasks that have been dead for at most this long. */
  public RedriveFilter newerThan(Duration max) {
    return new RedriveFilter(err, origin, reason, attemptsMin, olderThan, Optional.of(max));
  }

  /**
   * Whether a task is selected.
   *
   * @param task died when the engine moved it; if a client did, when it was last written
   * @param now the time of the queue's clock
   */
  public boolean matches(Task task, Instant now) {
    Duration age = Duration.between(task.deadAt().orElse(task.modified()), now);
    return task.err().contains(err)
        && origin.map(queue -> task.origin().equals(origin)).orElse(true)
        && reason.map(why -> task.reason().equals(reason)).orElse(true)
        && task.attempt() >= attemptsMin
        && olderThan.map(min -> age.compareTo(min) >= 0).orElse(true)
        && newerThan.map(max -> age.compareTo(max) <= 0).orElse(true);
  }
}
