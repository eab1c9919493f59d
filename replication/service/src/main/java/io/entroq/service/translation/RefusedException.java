package io.entroq.service.translation;

/** Refuses a request; the caller gets the reason. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** With the reason. */
  public RefusedException(Refusal refusal) {
    // No stack trace: the error is the caller's.
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  /** The request is invalid; the message names the field. */
  static RefusedException invalid(String message) {
    return new RefusedException(Refusal.invalid(message));
  }

  /** The reason. */
  public Refusal refusal() {
    return refusal;
  }

  /** The same error in a nested field. */
  RefusedException in(String outer) {
    return new RefusedException(refusal.in(outer));
  }
}
