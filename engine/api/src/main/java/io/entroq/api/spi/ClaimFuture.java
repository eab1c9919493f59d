package io.entroq.api.spi;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The future of a waiting claim, for implementations of {@link EntroQ}. If the caller completes it,
 * by a cancel or a timeout, the claim is cancelled before that call returns, and so before any
 * later request of the same thread. Thread-safe.
 */
public final class ClaimFuture extends CompletableFuture<List<Task>> {
  private final Runnable cancelClaim;
  private final AtomicBoolean isCancelSent = new AtomicBoolean();

  /**
   * Creates the future of a claim that is about to be sent.
   *
   * @param cancelClaim run once, if the future is completed other than by {@link #answer} or {@link
   *     #fail}
   */
  public ClaimFuture(Runnable cancelClaim) {
    this.cancelClaim = cancelClaim;
  }

  /** Completes with the claimed tasks, perhaps none; returns false if already completed. */
  public boolean answer(List<Task> tasks) {
    return super.complete(tasks);
  }

  /** Completes with a failure; returns false if already completed. */
  public boolean fail(Throwable cause) {
    return super.completeExceptionally(cause);
  }

  @Override
  public boolean complete(List<Task> tasks) {
    return cancelClaimIf(super.complete(tasks));
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    return cancelClaimIf(super.completeExceptionally(cause));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return cancelClaimIf(super.cancel(mayInterruptIfRunning));
  }

  private boolean cancelClaimIf(boolean isCompleted) {
    if (isCompleted && isCancelSent.compareAndSet(false, true)) {
      cancelClaim.run();
    }
    return isCompleted;
  }
}
