package io.entroq.perf.peers.cycle;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The time of one measurement, as its callers share it: when they begin, when cycles count, when
 * they end, and whether all that was inserted has been committed. Any thread.
 */
final class Window {
  private final Timing timing;
  private final CountDownLatch ready;
  private final CountDownLatch begin = new CountDownLatch(1);
  private final AtomicInteger inserting;
  private final AtomicLong left = new AtomicLong();
  private final AtomicBoolean isGivenUp = new AtomicBoolean();
  private volatile long fromNs;
  private volatile long untilNs;
  private volatile long drainedByNs;

  Window(Timing timing, int callers) {
    this.timing = timing;
    ready = new CountDownLatch(callers);
    inserting = new AtomicInteger(callers);
  }

  /** A caller is ready; waits for the others. */
  void awaitBegin() throws InterruptedException {
    ready.countDown();
    begin.await();
  }

  /** Lets the callers begin as soon as all are ready, or one has given up. */
  void begin() throws InterruptedException {
    ready.await();
    fromNs = System.nanoTime() + timing.warmUp().toNanos();
    untilNs = fromNs + timing.measured().toNanos();
    drainedByNs = untilNs + timing.drain().toNanos();
    begin.countDown();
  }

  boolean isOver() {
    return System.nanoTime() - untilNs >= 0 || isGivenUp.get();
  }

  boolean counts(long ns) {
    return ns - fromNs >= 0 && ns - untilNs < 0;
  }

  /** A caller inserts no more. */
  void insertedAll(long debt) {
    left.addAndGet(debt);
    inserting.decrementAndGet();
  }

  /** Something was committed after the end. */
  void drained(int tasks) {
    left.addAndGet(-tasks);
  }

  /** Whether there is nothing left to commit, or no time. */
  boolean isDrained() {
    boolean isEmpty = inserting.get() == 0 && left.get() <= 0;
    return isEmpty || isGivenUp.get() || System.nanoTime() - drainedByNs >= 0;
  }

  /** A caller has failed: the others need not go on. */
  void giveUp() {
    isGivenUp.set(true);
    while (ready.getCount() > 0) {
      ready.countDown();
    }
  }
}
