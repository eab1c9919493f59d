package io.entroq.api.spi;

import io.entroq.api.EntroQ;
import io.entroq.api.Task;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The future of a waiting claim, for implementations of {@link EntroQ}. A caller that completes it,
 * by cancelling or by a timeout, ends the claim: the cancellation is sent before that call returns,
 * and before any further request of the same thread. Any thread.
 */
public final class ClaimFuture extends CompletableFuture<List<Task>> {
  private final Runnable giveUp;
  private final AtomicBoolean isGivenUp = new AtomicBoolean();

  /**
   * For a claim that is about to be asked for.
   *
   * @param giveUp run once, when somebody has completed the future by another way than {@link
   *     #answer} and {@link #fail}
   */
  public ClaimFuture(Runnable giveUp) {
    this.giveUp = giveUp;
  }

  /** What was claimed, perhaps nothing; false if somebody was faster. */
  public boolean answer(List<Task> tasks) {
    return super.complete(tasks);
  }

  /** Why there is no answer; false if somebody was faster. */
  public boolean fail(Throwable cause) {
    return super.completeExceptionally(cause);
  }

  @Override
  public boolean complete(List<Task> tasks) {
    return giveUpIf(super.complete(tasks));
  }

  @Override
  public boolean completeExceptionally(Throwable cause) {
    return giveUpIf(super.completeExceptionally(cause));
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    return giveUpIf(super.cancel(mayInterruptIfRunning));
  }

  private boolean giveUpIf(boolean isCompleted) {
    if (isCompleted && isGivenUp.compareAndSet(false, true)) {
      giveUp.run();
    }
    return isCompleted;
  }
}
