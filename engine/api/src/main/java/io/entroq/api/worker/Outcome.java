package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What a worker does with a task after its handler. Immutable. */
public sealed interface Outcome {
  /** Deletes the task: the work is done. */
  static Outcome done() {
    return Done.PLAIN;
  }

  /** Deletes the task and applies the rest atomically: the work is done. */
  static Outcome done(Modification rest) {
    return new Done(rest);
  }

  /**
   * Applies exactly this modification. The worker replaces the version of the claimed task by the
   * newest one. A change that leaves the arrival of the claimed task as it was makes the task
   * available immediately.
   *
   * @param modification must change or delete the claimed task, so that it cannot commit twice, and
   *     must have no then-claim
   */
  static Outcome modify(Modification modification) {
    return new Modify(modification);
  }

  /** Retries the failed task after the worker's backoff. */
  static Outcome retry(String reason) {
    return new Retry(Optional.empty(), reason);
  }

  /** Retries the failed task after a delay of zero or more. */
  static Outcome retry(Duration delay, String reason) {
    return new Retry(Optional.of(delay), reason);
  }

  /** Moves the task to another queue, where it is available immediately. This is not a failure. */
  static Outcome moveTo(String queue) {
    return new Move(queue, "");
  }

  /**
   * Moves the failed task to another queue, where it is available immediately.
   *
   * @param reason appended to the task's {@code err}; if not empty, its attempt goes up by one
   */
  static Outcome moveTo(String queue, String reason) {
    return new Move(queue, reason);
  }

  /** Moves the task to the error queue without further retries. */
  static Outcome quarantine(String reason) {
    return new Quarantine(reason);
  }

  /**
   * Ends the lease, so that the task is available immediately. The claim counts towards {@link
   * WorkerBuilder#maxClaims}.
   */
  static Outcome release() {
    return Release.RELEASE;
  }

  /**
   * A word for this kind of outcome, for metrics and traces: {@code done}, {@code modify}, {@code
   * fail} for a modification that reports a failure, {@code retry}, {@code move}, {@code
   * quarantine} or {@code release}.
   */
  String kind();

  /** Why the work failed; empty if it did not. */
  default Optional<String> failure() {
    return Optional.empty();
  }

  /**
   * {@link #done()} and {@link #done(Modification)}.
   *
   * @param rest what else to apply; may be empty
   */
  record Done(Modification rest) implements Outcome {
    private static final Done PLAIN = new Done(Modification.empty());

    public Done {
      refuseThenClaim(rest);
    }

    @Override
    public String kind() {
      return "done";
    }
  }

  /** {@link #modify(Modification)}. */
  record Modify(Modification modification) implements Outcome {
    public Modify {
      refuseThenClaim(modification);
    }

    @Override
    public String kind() {
      return modification.fails().isEmpty() ? "modify" : "fail";
    }

    @Override
    public Optional<String> failure() {
      return modification.fails().stream().map(Modification.Fail::err).findFirst();
    }
  }

  /**
   * {@link #retry(Duration, String)}.
   *
   * @param delay until the task is available; empty for the worker's backoff
   * @param reason appended to the task's {@code err}
   */
  record Retry(Optional<Duration> delay, String reason) implements Outcome {
    public Retry {
      Objects.requireNonNull(reason, "reason");
      if (delay.filter(Duration::isNegative).isPresent()) {
        throw new EntroQException.InvalidArgument("delay must not be negative, is " + delay.get());
      }
    }

    @Override
    public String kind() {
      return "retry";
    }

    @Override
    public Optional<String> failure() {
      return Optional.of(reason);
    }
  }

  /**
   * {@link #moveTo(String, String)}.
   *
   * @param queue the target queue
   * @param reason why the work failed; empty if it did not
   */
  record Move(String queue, String reason) implements Outcome {
    public Move {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String kind() {
      return "move";
    }

    @Override
    public Optional<String> failure() {
      return Optional.of(reason).filter(text -> !text.isEmpty());
    }
  }

  /**
   * {@link #quarantine(String)}.
   *
   * @param reason appended to the task's {@code err}
   */
  record Quarantine(String reason) implements Outcome {
    public Quarantine {
      Objects.requireNonNull(reason, "reason");
    }

    @Override
    public String kind() {
      return "quarantine";
    }

    @Override
    public Optional<String> failure() {
      return Optional.of(reason);
    }
  }

  /** {@link #release()}. */
  enum Release implements Outcome {
    RELEASE;

    @Override
    public String kind() {
      return "release";
    }
  }

  private static void refuseThenClaim(Modification modification) {
    if (modification.thenClaim().isPresent()) {
      throw new EntroQException.InvalidArgument(
          "thenClaim must be absent: the worker would not handle the tasks it claims");
    }
  }
}
