package io.entroq.server.service.admission;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/** What all that wait for their turn share: the room for them, and the clock. Any thread. */
final class Line {
  private final int max;
  private final ByteBudget bytes;
  private final long waitMaxNanos;
  private final ScheduledExecutorService timer;
  private final AtomicInteger count = new AtomicInteger();

  Line(AdmissionConfig config, ScheduledExecutorService timer) {
    max = config.turnsMax();
    bytes = new ByteBudget(config.turnBytesMax());
    waitMaxNanos = config.waitMax().toNanos();
    this.timer = timer;
  }

  /** Takes a place if there is one. */
  boolean tryEnter(long callBytes) {
    if (count.incrementAndGet() > max) {
      count.decrementAndGet();
      return false;
    }
    if (!bytes.tryTake(callBytes)) {
      count.decrementAndGet();
      return false;
    }
    return true;
  }

  void leave(long callBytes) {
    bytes.give(callBytes);
    count.decrementAndGet();
  }

  int count() {
    return count.get();
  }

  int max() {
    return max;
  }

  long waitMaxNanos() {
    return waitMaxNanos;
  }

  ScheduledExecutorService timer() {
    return timer;
  }
}
