package io.entroq.console.call;

import io.entroq.service.translation.Refusal;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** A call was refused, or nobody knows what became of it. */
public final class CallFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  CallFailedException(Refusal refusal) {
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  /** Why a call failed, out of what a future fails with; empty if it was a defect instead. */
  public static Optional<Refusal> refusalIn(Throwable failure) {
    return cause(failure) instanceof CallFailedException failed
        ? Optional.of(failed.refusal)
        : Optional.empty();
  }

  /** What a future failed with, below what futures wrap it in. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Why; DEADLINE_EXCEEDED or UNKNOWN if a change may have been made. */
  public Refusal refusal() {
    return refusal;
  }
}
