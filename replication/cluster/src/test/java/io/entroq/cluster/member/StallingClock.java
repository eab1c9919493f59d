package io.entroq.cluster.member;

import io.entroq.engine.time.LogClock;
import io.entroq.engine.time.SlewedClock;
import java.util.concurrent.CountDownLatch;

/** Stalls the consensus module, which asks for the time at the start of each duty cycle. */
final class StallingClock implements LogClock {
  private final LogClock clock = new SlewedClock(difference -> {});
  private final CountDownLatch stalled = new CountDownLatch(1);
  private volatile CountDownLatch gate = new CountDownLatch(0);

  void stall() throws InterruptedException {
    gate = new CountDownLatch(1);
    stalled.await();
  }

  void goOn() {
    gate.countDown();
  }

  @Override
  public long nowMs() {
    CountDownLatch closed = gate;
    if (closed.getCount() > 0) {
      stalled.countDown();
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return clock.nowMs();
  }

  @Override
  public void start(long floorMs) {
    clock.start(floorMs);
  }

  @Override
  public long wallMs() {
    return clock.wallMs();
  }

  @Override
  public long estimateMs() {
    return clock.estimateMs();
  }

  @Override
  public long nanosUntil(long deadlineMs) {
    return clock.nanosUntil(deadlineMs);
  }
}
