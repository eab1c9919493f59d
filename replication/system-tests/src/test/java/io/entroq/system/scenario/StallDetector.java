package io.entroq.system.scenario;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures how long this process was stalled, as members may have been. A thread of its own
 * measures until this is closed.
 */
final class StallDetector implements AutoCloseable {
  private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(5);

  /** Of stalls that {@link #lately} counts. */
  private static final long LONG_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long LATELY_NS = TimeUnit.SECONDS.toNanos(60);

  private final AtomicLong longestNs = new AtomicLong();
  private final Thread thread = new Thread(this::run, "stalls");
  private volatile long lastLongNs = System.nanoTime() - LATELY_NS;
  private volatile boolean isOver;

  StallDetector() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long beforeNs = System.nanoTime();
    while (!isOver) {
      LockSupport.parkNanos(REST_NS);
      long nowNs = System.nanoTime();
      long stallNs = nowNs - beforeNs - REST_NS;
      longestNs.accumulateAndGet(stallNs, Math::max);
      if (stallNs >= LONG_NS) {
        lastLongNs = nowNs;
      }
      beforeNs = nowNs;
    }
  }

  /** Whether there was a long stall within the last minute. */
  boolean lately() {
    return System.nanoTime() - lastLongNs < LATELY_NS;
  }

  Duration longest() {
    return Duration.ofNanos(longestNs.get());
  }

  @Override
  public void close() {
    isOver = true;
  }
}
