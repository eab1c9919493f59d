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

  private final AtomicLong longestNs = new AtomicLong();
  private final Thread thread = new Thread(this::run, "stalls");
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
      longestNs.accumulateAndGet(nowNs - beforeNs - REST_NS, Math::max);
      beforeNs = nowNs;
    }
  }

  Duration longest() {
    return Duration.ofNanos(longestNs.get());
  }

  @Override
  public void close() {
    isOver = true;
  }
}
