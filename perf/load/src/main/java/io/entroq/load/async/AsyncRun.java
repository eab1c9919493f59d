package io.entroq.load.async;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Several {@link AsyncLoop}s at once. For one thread. */
public final class AsyncRun {
  private final List<AsyncLoop> loops;

  /** Of loops that have not begun. */
  public AsyncRun(List<? extends AsyncLoop> loops) {
    this.loops = List.copyOf(loops);
  }

  /** Begins all. */
  public void begin() {
    loops.forEach(AsyncLoop::begin);
  }

  /** How many cycles all have had. */
  public long cycles() {
    return loops.stream().mapToLong(AsyncLoop::cycles).sum();
  }

  /**
   * Ends all, and waits until they have ended.
   *
   * @throws IllegalStateException if one has failed
   */
  public void end() throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(loops.size());
    for (AsyncLoop loop : loops) {
      loop.stop(ended::countDown);
    }
    ended.await();
    for (AsyncLoop loop : loops) {
      if (loop.failure() != null) {
        throw new IllegalStateException("a load went wrong", loop.failure());
      }
    }
  }
}
