package io.entroq.engine;

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

  /** Returns when something is over. */
  @FunctionalInterface
  public interface Wait {
    /** Waits; after an interrupt it is called once more. */
    void await() throws InterruptedException;
  }
}
