package io.entroq.client;

import io.entroq.api.Task;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The future of a claim that waits. Whoever completes it from outside, by cancelling it or by a
 * time-out, ends the claim: before that call returns, the word of it is on its way to the server,
 * in front of whatever the same thread asks next.
 */
final class ClaimFuture extends CompletableFuture<List<Task>> {
  private final Runnable giveUp;
  private final AtomicBoolean isGivenUp = new AtomicBoolean();

  /**
   * @param giveUp run once, when somebody else than the client has completed the future
   */
  ClaimFuture(Runnable giveUp) {
    this.giveUp = giveUp;
  }

  /** The server's answer; false if somebody was faster. */
  boolean answer(List<Task> tasks) {
    return super.complete(tasks);
  }

  /** Why there is none; false if somebody was faster. */
  boolean fail(Throwable cause) {
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
