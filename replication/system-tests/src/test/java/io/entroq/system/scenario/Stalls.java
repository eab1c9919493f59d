package io.entroq.system.scenario;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * For how long this process could not go on though it wanted to, which is what may have befallen
 * the members as well. A thread of its own looks until this is closed.
 */
final class Stalls implements AutoCloseable {
  private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AtomicLong longestNs = new AtomicLong();
  private final Thread thread = new Thread(this::look, "stalls");
  private volatile boolean isOver;

  /** Begins to look. */
  Stalls() {
    thread.setDaemon(true);
    thread.start();
  }

  private void look() {
    long beforeNs = System.nanoTime();
    while (!isOver) {
      LockSupport.parkNanos(REST_NS);
      long nowNs = System.nanoTime();
      longestNs.accumulateAndGet(nowNs - beforeNs - REST_NS, Math::max);
      beforeNs = nowNs;
    }
  }

  /** The longest since it began. */
  Duration longest() {
    return Duration.ofNanos(longestNs.get());
  }

  @Override
  public void close() {
    isOver = true;
  }
}
