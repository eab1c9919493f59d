package io.entroq.api.worker;

import java.util.Objects;

/**
 * Ends a handler with an {@link Outcome} from deep inside it. Handlers throw it. It is no {@link
 * io.entroq.api.EntroQException}, so that a handler that catches those does not catch it.
 */
public final class OutcomeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Outcome outcome;

  public OutcomeException(Outcome outcome) {
    super(outcome.toString());
    this.outcome = Objects.requireNonNull(outcome, "outcome");
  }

  /** What the worker does with the task, as if the handler had returned it. */
  public Outcome outcome() {
    return outcome;
  }
}
