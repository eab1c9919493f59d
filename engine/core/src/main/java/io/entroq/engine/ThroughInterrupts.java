package io.entroq.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits for something to end even if the thread is interrupted. */
public final class ThroughInterrupts {
  private ThroughInterrupts() {}

  /** Waits until it is over; interrupts are pending afterwards. The wait may begin anew. */
  public static void await(Wait wait) {
    boolean interrupted = false;
    boolean isOver = false;
    while (!isOver) {
      try {
        wait.await();
        isOver = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a latch. Interrupts do not prolong it, and are pending afterwards.
   *
   * @return false if the time is up
   */
  public static boolean await(CountDownLatch latch, Duration atMost) {
    long endNs = System.nanoTime() + atMost.toNanos();
    await(
        () -> {
          boolean unused = latch.await(endNs - System.nanoTime(), TimeUnit.NANOSECONDS);
        });
    return latch.getCount() == 0;
  }

  /** Returns when something is over. */
  @FunctionalInterface
  public interface Wait {
    /** Waits; after an interrupt it is called once more. */
    void await() throws InterruptedException;
  }
}
