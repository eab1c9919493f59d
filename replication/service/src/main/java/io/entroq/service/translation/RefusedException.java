package io.entroq.service.translation;

/** Refuses a request; the caller gets the reason. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Refusal refusal;

  /** With the reason. */
  public RefusedException(Refusal refusal) {
    // The fault is the caller's, who does not care where in this program it was found.
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  /** The request is wrong in itself; the message names the field. */
  static RefusedException invalid(String message) {
    return new RefusedException(Refusal.invalid(message));
  }

  /** Why. */
  public Refusal refusal() {
    return refusal;
  }

  /** The same about a field of a field. */
  RefusedException in(String outer) {
    return new RefusedException(refusal.in(outer));
  }
}
