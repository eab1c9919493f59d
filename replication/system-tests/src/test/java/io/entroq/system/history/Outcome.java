package io.entroq.system.history;

/** What came of it, as the caller was told. */
public enum Outcome {
  /** It was done; a claim may have found nothing. */
  DONE,
  /** It did not fit the state, and nothing was done. */
  REFUSED,
  /** It could not be done for another reason, and nothing was done. */
  NOT_DONE,
  /** It may have been done. */
  UNKNOWN,

  /**
   * Nobody was told, but it was done, as others have seen. No caller says so: {@link Proofs} do.
   */
  PROVEN;

  /** Whether it may have had an effect. */
  public boolean mayBeDone() {
    return isDone() || this == UNKNOWN;
  }

  /** Whether it had its effect for sure. */
  boolean isDone() {
    return this == DONE || this == PROVEN;
  }
}
