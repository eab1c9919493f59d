package io.entroq.api.worker;

import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/** What is to become of a task that was worked on. Immutable. */
public sealed interface Outcome {
  /** The work is done: the task is deleted. */
  static Outcome done() {
    return Done.PLAIN;
  }

  /** The work is done: the task is deleted, and in the same step the rest happens. */
  static Outcome done(Modification rest) {
    return new Done(rest);
  }

  /**
   * Exactly this happens, in one step. Where it names the claimed task, the newest version is
   * meant. A change of the claimed task that leaves its arrival as it was makes it available at
   * once.
   *
   * @param modification changes or deletes the claimed task, as otherwise it might be committed
   *     twice; has no then-claim
   */
  static Outcome modify(Modification modification) {
    return new Modify(modification);
  }

  /** The work failed and is to be tried again after the worker's back-off. */
  static Outcome retry(String reason) {
    return new Retry(Optional.empty(), reason);
  }

  /** The work failed and is to be tried again after a while of zero or more. */
  static Outcome retry(Duration delay, String reason) {
    return new Retry(Optional.of(delay), reason);
  }

  /**
   * The task belongs into another queue, where it is available at once. Nothing has failed; but the
   * claim counts towards {@link WorkerBuilder#maxClaims}, so a way of many steps needs more of
   * them, or a task of its own for each step.
   */
  static Outcome moveTo(String queue) {
    return new Move(queue, "");
  }

  /**
   * The work failed and the task belongs into another queue, where it is available at once.
   *
   * @param reason goes into the task's {@code err}; its attempt goes up
   */
  static Outcome moveTo(String queue, String reason) {
    return new Move(queue, reason);
  }

  /** The work failed for good: the task goes to the error queue, without more tries. */
  static Outcome quarantine(String reason) {
    return new Quarantine(reason);
  }

  /**
   * The task is for somebody else to work on: it is available again at once. The claim counts
   * towards {@link WorkerBuilder#maxClaims}.
   */
  static Outcome release() {
    return Release.RELEASE;
  }

  /**
   * {@link #done()} and {@link #done(Modification)}.
   *
   * @param rest what else happens
   */
  record Done(Modification rest) implements Outcome {
    private static final Done PLAIN = new Done(Modification.empty());

    /** Checks the component. */
    public Done {
      refuseThenClaim(rest);
    }
  }

  /**
   * {@link #modify(Modification)}.
   *
   * @param modification what happens
   */
  record Modify(Modification modification) implements Outcome {
    /** Checks the component. */
    public Modify {
      refuseThenClaim(modification);
    }
  }

  /**
   * {@link #retry(Duration, String)}.
   *
   * @param delay until then nobody gets the task; empty: the worker's back-off
   * @param reason goes into the task's {@code err}
   */
  record Retry(Optional<Duration> delay, String reason) implements Outcome {
    /** Checks the components. */
    public Retry {
      Objects.requireNonNull(reason, "reason");
      if (delay.filter(Duration::isNegative).isPresent()) {
        throw new EntroQException.InvalidArgument("delay must not be negative, is " + delay.get());
      }
    }
  }

  /**
   * {@link #moveTo(String, String)}.
   *
   * @param queue where to
   * @param reason why, if something failed; empty otherwise
   */
  record Move(String queue, String reason) implements Outcome {
    /** Checks the components. */
    public Move {
      Objects.requireNonNull(queue, "queue");
      Objects.requireNonNull(reason, "reason");
    }
  }

  /**
   * {@link #quarantine(String)}.
   *
   * @param reason goes into the task's {@code err}
   */
  record Quarantine(String reason) implements Outcome {
    /** Checks the component. */
    public Quarantine {
      Objects.requireNonNull(reason, "reason");
    }
  }

  /** {@link #release()}. */
  enum Release implements Outcome {
    /** The only one. */
    RELEASE
  }

  private static void refuseThenClaim(Modification modification) {
    if (modification.thenClaim().isPresent()) {
      throw new EntroQException.InvalidArgument(
          "thenClaim must be absent: nobody would work on what it claims");
    }
  }
}
