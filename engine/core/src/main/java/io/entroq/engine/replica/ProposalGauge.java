package io.entroq.engine.replica;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Backlog of the proposing thread, which writes it; any thread reads. */
final class ProposalGauge {
  private final AtomicInteger unsent = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();
  private final AtomicLong oldestNs = new AtomicLong();

  /**
   * @param beganNs when the oldest arrived; meaningless if there is none
   */
  void set(int nowUnsent, int nowUnanswered, long beganNs) {
    unsent.setRelease(nowUnsent);
    unanswered.setRelease(nowUnanswered);
    oldestNs.setRelease(beganNs);
  }

  int unsent() {
    return unsent.getAcquire();
  }

  int unanswered() {
    return unanswered.getAcquire();
  }

  /** Age of the oldest, in nanoseconds; 0: there is none. */
  long oldestNs(long nowNs) {
    return unsent() + unanswered() == 0 ? 0 : Math.max(0, nowNs - oldestNs.getAcquire());
  }
}
