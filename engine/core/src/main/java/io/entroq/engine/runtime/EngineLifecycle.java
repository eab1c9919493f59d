package io.entroq.engine.runtime;

import io.entroq.api.EntroQException;
import java.util.concurrent.atomic.AtomicReference;

/** Whether an engine takes requests, and why not; any thread. */
public final class EngineLifecycle {
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean isClosing;

  /** Whether requests are taken. */
  public boolean isOpen() {
    return !isClosing && failure.get() == null;
  }

  public boolean isClosing() {
    return isClosing;
  }

  public void close() {
    isClosing = true;
  }

  /** Records that the engine has failed; only the first cause is kept. */
  public void fail(Throwable cause) {
    if (!failure.compareAndSet(null, cause)) {
      Throwable first = failure.get();
      if (first != cause) {
        first.addSuppressed(cause);
      }
    }
  }

  /** Why the engine has failed; null if it has not. */
  public Throwable failure() {
    return failure.get();
  }

  /** The exception for a call after close or failure. */
  public EntroQException.Closed closed() {
    Throwable cause = failure.get();
    return cause == null
        ? new EntroQException.Closed("the engine is closed")
        : new EntroQException.Closed("the engine has stopped: " + cause.getMessage(), cause);
  }
}
