package io.entroq.api;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Waits for futures on behalf of callers who would rather block. */
final class Blocking {
  private Blocking() {}

  /** Waits through interrupts; they are pending afterwards. */
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw unwrap(e.getCause());
    }
  }

  /** Waits; an interrupt cancels the future. */
  static <T> T awaitOrCancel(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw unwrap(e.getCause());
    } catch (CancellationException e) {
      throw new EntroQException.Closed("the claim was cancelled by somebody else", e);
    } catch (InterruptedException e) {
      future.cancel(false);
      throw e;
    }
  }

  private static RuntimeException unwrap(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known
        ? known
        : new EntroQException.Unavailable("request failed: " + cause, cause);
  }
}
