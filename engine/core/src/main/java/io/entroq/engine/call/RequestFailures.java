package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.EngineLifecycle;

/** Creates the exceptions for requests without a result. Any thread. */
public final class RequestFailures {
  private final EngineLifecycle state;

  public RequestFailures(EngineLifecycle state) {
    this.state = state;
  }

  /**
   * The exception for a slot without a result; created on the caller's thread, so that its stack
   * trace shows the caller.
   */
  public EntroQException of(RequestSlot slot) {
    return switch (slot.outcome()) {
      case REFUSED -> refused(slot.cause());
      case NOT_STARTED -> notStarted(slot.cause());
      case UNKNOWN -> unknown(slot.kind, slot.cause());
      case REPLIED -> throw new IllegalArgumentException("the request has a result");
    };
  }

  private static EntroQException refused(Throwable cause) {
    if (cause instanceof EntroQException.ResourceExhausted) {
      return new EntroQException.ResourceExhausted(cause.getMessage());
    }
    if (cause instanceof EntroQException.PermissionDenied) {
      return new EntroQException.PermissionDenied(cause.getMessage());
    }
    return cause instanceof EntroQException.Unavailable
        ? new EntroQException.Unavailable(cause.getMessage(), cause)
        : new EntroQException.InvalidArgument(cause.getMessage(), cause);
  }

  private EntroQException notStarted(Throwable cause) {
    return cause == null
        ? state.closed()
        : new EntroQException.Unavailable("the engine has stopped: " + cause, cause);
  }

  static EntroQException unknown(RequestKind kind, Throwable cause) {
    return kind.isWrite()
        ? new EntroQException.OutcomeUnknown(describe(cause))
        : new EntroQException.Unavailable(describe(cause), cause);
  }

  static String describe(Throwable cause) {
    return "the engine failed while the request was in progress: " + cause;
  }
}
