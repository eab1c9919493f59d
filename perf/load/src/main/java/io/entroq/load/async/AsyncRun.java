package io.entroq.load.async;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Several {@link AsyncLoop}s at once. For one thread. */
public final class AsyncRun {
  private final List<AsyncLoop> loops;

  public AsyncRun(List<? extends AsyncLoop> loops) {
    this.loops = List.copyOf(loops);
  }

  public void begin() {
    loops.forEach(AsyncLoop::begin);
  }

  /** How many cycles have ended in all loops. */
  public long cycles() {
    return loops.stream().mapToLong(AsyncLoop::cycles).sum();
  }

  /**
   * Stops all loops, and waits until they have ended.
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
        throw new IllegalStateException("a load failed", loop.failure());
      }
    }
  }
}
