package io.entroq.engine.embedded;

import io.entroq.api.EntroQException;
import java.util.concurrent.atomic.AtomicReference;

/** Whether an engine takes requests, and if not, why; any thread. */
final class EngineState {
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean isClosing;

  /** Whether requests are taken. */
  boolean isOpen() {
    return !isClosing && failure.get() == null;
  }

  boolean isClosing() {
    return isClosing;
  }

  void close() {
    isClosing = true;
  }

  /** The engine must not go on; the first reason counts. */
  void fail(Throwable cause) {
    if (!failure.compareAndSet(null, cause)) {
      Throwable first = failure.get();
      if (first != cause) {
        first.addSuppressed(cause);
      }
    }
  }

  /** Why the engine has failed; null if it has not. */
  Throwable failure() {
    return failure.get();
  }

  /** What a call gets that came too late. */
  EntroQException.Closed closed() {
    Throwable cause = failure.get();
    return cause == null
        ? new EntroQException.Closed("the engine is closed")
        : new EntroQException.Closed("the engine has stopped: " + cause.getMessage(), cause);
  }
}
