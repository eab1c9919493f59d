package io.entroq.service.insight.sweep;

import io.entroq.engine.gateway.Gateway;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Looks at all queues now and then: only when somebody asks, not before the last look is ten
 * seconds old, and for at most a hundredth of the time. Any thread.
 */
public final class QueueSweep {
  /** Looks are at least so far apart. */
  static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

  /** After a look nobody looks for so many times as long. */
  static final int REST_PARTS = 100;

  /** If the last look is older, it is worth to wait for the next. */
  static final long STALE_NS = TimeUnit.SECONDS.toNanos(60);

  private final Gateway gateway;
  private final int queuesMax;
  private final Executor executor;
  private final LongSupplier nanoTime;
  private CompletableFuture<SweepColumns> latest =
      CompletableFuture.completedFuture(SweepColumns.NONE);
  private CompletableFuture<SweepColumns> next;
  private long beganNs;
  private long endedNs;
  private long restNs;
  private boolean hasLooked;

  /**
   * @param queuesMax how many queues are remembered
   * @param executor sorts
   */
  public QueueSweep(Gateway gateway, int queuesMax, Executor executor, LongSupplier nanoTime) {
    this.gateway = gateway;
    this.queuesMax = queuesMax;
    this.executor = executor;
    this.nanoTime = nanoTime;
  }

  /**
   * The last look, unless that is too old to be of use. Looks again if it is time.
   *
   * @return completes exceptionally if the engine refuses and there is no earlier look
   */
  public synchronized CompletableFuture<SweepColumns> look() {
    long nowNs = nanoTime.getAsLong();
    if (next == null && (!hasLooked || nowNs - endedNs >= restNs)) {
      begin(nowNs);
    }
    boolean isStale = !hasLooked || nowNs - endedNs > STALE_NS + restNs;
    return (isStale && next != null ? next : latest).copy();
  }

  /** How old the last look is, in nanoseconds; 0 before the first. */
  public synchronized long ageNs() {
    return hasLooked ? nanoTime.getAsLong() - endedNs : 0;
  }

  private void begin(long nowNs) {
    beganNs = nowNs;
    QueueWalk walk = new QueueWalk(System::currentTimeMillis, queuesMax, executor);
    CompletableFuture<SweepColumns> begun = walk.found();
    // Who waits goes on after the end of the look is noted.
    next = begun.whenComplete((found, failure) -> end(begun, failure == null));
    walk.begin(gateway);
  }

  private synchronized void end(CompletableFuture<SweepColumns> ended, boolean isGood) {
    endedNs = nanoTime.getAsLong();
    restNs = Math.max(INTERVAL_NS, REST_PARTS * (endedNs - beganNs));
    next = null;
    if (isGood) {
      latest = ended;
      hasLooked = true;
    } else if (!hasLooked) {
      latest = ended;
    }
  }
}
