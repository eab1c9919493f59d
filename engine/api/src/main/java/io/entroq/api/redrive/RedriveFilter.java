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
 * @param shape the {@link ErrorShape} that the error must have, which is empty for tasks without an
 *     error; at most 120 characters; absent for any
 * @param origin the queue from which the engine must have moved the task; empty for any, and for
 *     tasks that a client moved
 * @param reason why the engine must have moved it; empty for any, and for tasks that a client moved
 * @param isWithoutOrigin whether only tasks are selected that a client moved
 * @param attemptsMin how many failures the task must have at least; zero or more
 * @param olderThan for how long at least it must have been dead
 * @param newerThan for how long at most it may have been dead; not less than {@code olderThan}
 */
public record RedriveFilter(
    String err,
    Optional<String> shape,
    Optional<String> origin,
    Optional<Task.DeadReason> reason,
    boolean isWithoutOrigin,
    int attemptsMin,
    Optional<Duration> olderThan,
    Optional<Duration> newerThan) {
  private static final RedriveFilter ALL =
      new RedriveFilter(
          "",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          false,
          0,
          Optional.empty(),
          Optional.empty());

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public RedriveFilter {
    Objects.requireNonNull(err, "err");
    Objects.requireNonNull(origin, "origin");
    Redrive.require(
        shape.map(text -> text.length() <= ErrorShape.CHARS_MAX).orElse(true),
        "shape must have at most %d characters".formatted(ErrorShape.CHARS_MAX));
    Redrive.require(
        !isWithoutOrigin || (origin.isEmpty() && reason.isEmpty()),
        "tasks without an origin have no origin and no reason to select them by");
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
    return new RedriveFilter(
        text, shape, origin, reason, isWithoutOrigin, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks whose error has exactly this {@link ErrorShape}. */
  public RedriveFilter shape(String exact) {
    return new RedriveFilter(
        err,
        Optional.of(exact),
        origin,
        reason,
        isWithoutOrigin,
        attemptsMin,
        olderThan,
        newerThan);
  }

  /** Only tasks that the engine moved from this queue. */
  public RedriveFilter origin(String queue) {
    return new RedriveFilter(
        err, shape, Optional.of(queue), reason, isWithoutOrigin, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that the engine moved for this reason. */
  public RedriveFilter reason(Task.DeadReason why) {
    return new RedriveFilter(
        err, shape, origin, Optional.of(why), isWithoutOrigin, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that a client moved, which have no origin and no reason. */
  public RedriveFilter withoutOrigin() {
    return new RedriveFilter(err, shape, origin, reason, true, attemptsMin, olderThan, newerThan);
  }

  /** Only tasks that failed at least this often. */
  public RedriveFilter attemptsMin(int attempts) {
    return new RedriveFilter(
        err, shape, origin, reason, isWithoutOrigin, attempts, olderThan, newerThan);
  }

  /** Only tasks that have been dead for at least this long. */
  public RedriveFilter olderThan(Duration min) {
    return new RedriveFilter(
        err, shape, origin, reason, isWithoutOrigin, attemptsMin, Optional.of(min), newerThan);
  }

  /** Only tasks that have been dead for at most this long. */
  public RedriveFilter newerThan(Duration max) {
    return new RedriveFilter(
        err, shape, origin, reason, isWithoutOrigin, attemptsMin, olderThan, Optional.of(max));
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
        && shape.map(exact -> ErrorShape.of(task.err()).equals(exact)).orElse(true)
        && origin.map(queue -> task.origin().equals(origin)).orElse(true)
        && reason.map(why -> task.reason().equals(reason)).orElse(true)
        && !(isWithoutOrigin && task.origin().isPresent())
        && task.attempt() >= attemptsMin
        && olderThan.map(min -> age.compareTo(min) >= 0).orElse(true)
        && newerThan.map(max -> age.compareTo(max) <= 0).orElse(true);
  }
}
