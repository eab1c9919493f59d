package io.entroq.api.redrive;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Limits the average rate of tasks since its creation. Not thread-safe. */
public final class Pacer {
  private static final int BATCHES_PER_SECOND = 10;

  private final double perSecond;
  private final LongSupplier nanoTime;
  private final long startNanos;

  /**
   * @param perSecond tasks per second; 0: no limit
   */
  public Pacer(double perSecond, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
  }

  /** The size of the next batch, small enough for an even rate. */
  public int batch(int max) {
    return perSecond == 0 ? max : (int) Math.max(1, Math.min(max, perSecond / BATCHES_PER_SECOND));
  }

  /** How long from now until more than this number of tasks may be done, zero or less for now. */
  public long waitNanos(long done) {
    if (perSecond == 0) {
      return 0;
    }
    long dueNanos = (long) (done / perSecond * TimeUnit.SECONDS.toNanos(1));
    return dueNanos - (nanoTime.getAsLong() - startNanos);
  }
}
