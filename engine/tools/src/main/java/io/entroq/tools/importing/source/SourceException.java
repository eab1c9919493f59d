package io.entroq.tools.importing.source;

import io.entroq.client.transport.Failure;

/** A source has not answered. The message says which, and why. */
public final class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** What that means for whoever asked. */
  public enum Reason {
    /** Nothing that is about the request: the same may be asked again. */
    PASSING,
    /** The source does not have such a method. */
    UNKNOWN_METHOD,
    /** The answer is longer than a message may be. */
    TOO_LONG,
    /** It will be the same next time. */
    REFUSED
  }

  SourceException(String where, Failure failure) {
    super("the source %s: %s".formatted(where, failure));
    this.reason = reason(failure);
  }

  private static Reason reason(Failure failure) {
    if (failure.isTransient()) {
      return Reason.PASSING;
    }
    if (failure.isUnimplemented()) {
      return Reason.UNKNOWN_METHOD;
    }
    return failure.isResourceExhausted() ? Reason.TOO_LONG : Reason.REFUSED;
  }

  /** What that means. */
  public Reason reason() {
    return reason;
  }
}
