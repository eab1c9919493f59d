package io.entroq.perf.load;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A bounded rate: lets its caller go on when as much time has passed as what it did is worth. What
 * was lost in the last tenth of a second is made up for, what was lost before is not. For one
 * thread.
 */
public final class Pace {
  private static final long MADE_UP_NS = TimeUnit.MILLISECONDS.toNanos(100);

  private final double nsPerItem;
  private long nextNs = System.nanoTime();

  /** Of so many items a second. */
  public Pace(double perSecond) {
    nsPerItem = TimeUnit.SECONDS.toNanos(1) / perSecond;
  }

  /** Waits until items done before have had their time, then counts these. */
  public void await(int items) {
    long nowNs = System.nanoTime();
    while (nowNs < nextNs) {
      LockSupport.parkNanos(nextNs - nowNs);
      nowNs = System.nanoTime();
    }
    nextNs = Math.max(nextNs, nowNs - MADE_UP_NS) + Math.round(items * nsPerItem);
  }
}
