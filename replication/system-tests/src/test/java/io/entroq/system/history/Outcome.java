package io.entroq.system.history;

/** The outcome of an operation, as its caller knows it. */
public enum Outcome {
  /** It happened; a claim may have found nothing. */
  DONE,
  /** It conflicted with the state and had no effect. */
  REFUSED,
  /** It failed for another reason and had no effect. */
  NOT_DONE,
  /** It may have happened. */
  UNKNOWN,

  /** It happened, as other operations show. Set by {@link OutcomeInference} only. */
  INFERRED;

  public boolean mayBeDone() {
    return isDone() || this == UNKNOWN;
  }

  boolean isDone() {
    return this == DONE || this == INFERRED;
  }
}
