package io.entroq.api.worker;

import java.util.Objects;

/** Says from deep inside a handler what is to become of the task. */
public final class OutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Outcome outcome;

  /** Ends the handler as if it had returned this. */
  public OutcomeException(Outcome outcome) {
    super(outcome.toString());
    this.outcome = Objects.requireNonNull(outcome, "outcome");
  }

  /** What is to become of the task. */
  public Outcome outcome() {
    return outcome;
  }
}
