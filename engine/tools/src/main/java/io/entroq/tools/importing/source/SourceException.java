package io.entroq.tools.importing.source;

import io.entroq.client.transport.Failure;

/** A request to a source failed. The message names the source and the cause. */
public final class SourceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** Why it failed. */
  public enum Reason {
    /** Temporary: the request may be retried. */
    PASSING,
    /** The source does not have such a method. */
    UNKNOWN_METHOD,
    /** The response exceeds the message size limit. */
    TOO_LONG,
    /** Permanent. */
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

  public Reason reason() {
    return reason;
  }
}
