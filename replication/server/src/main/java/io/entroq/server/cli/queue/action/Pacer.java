package io.entroq.server.cli.queue.action;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Keeps to so many tasks a second on average, counted from the beginning. For one thread. */
final class Pacer {
  private static final int BATCHES_PER_SECOND = 10;

  private final double perSecond;
  private final LongSupplier nanoTime;
  private final Consumer<Duration> pause;
  private final long startNanos;

  /**
   * Begins to count.
   *
   * @param perSecond how many tasks; 0: as many as can be
   * @param nanoTime a clock
   * @param pause lets time pass
   */
  Pacer(double perSecond, LongSupplier nanoTime, Consumer<Duration> pause) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.startNanos = nanoTime.getAsLong();
  }

  /** How many tasks to take at once, so that they come evenly. */
  int batch(int most) {
    return perSecond == 0
        ? most
        : (int) Math.max(1, Math.min(most, perSecond / BATCHES_PER_SECOND));
  }

  /** Waits until so many tasks may have been done and the next ones are due. */
  void await(long done) {
    if (perSecond == 0) {
      return;
    }
    long dueNanos = (long) (done / perSecond * TimeUnit.SECONDS.toNanos(1));
    long waitNanos = dueNanos - (nanoTime.getAsLong() - startNanos);
    if (waitNanos > 0) {
      pause.accept(Duration.ofNanos(waitNanos));
    }
  }
}
