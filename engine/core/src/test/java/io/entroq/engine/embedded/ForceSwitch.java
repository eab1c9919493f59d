package io.entroq.engine.embedded;

import io.entroq.engine.log.Forcer;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A disk that forces when it is told to, or never again. */
final class ForceSwitch implements Forcer {
  private static final int ALL = 1_000_000;

  private final Semaphore permits = new Semaphore(0);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger insideMost = new AtomicInteger();
  private volatile boolean fails;

  @Override
  public void force(String what, Action action) throws IOException {
    asked.incrementAndGet();
    insideMost.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      permits.acquireUninterruptibly();
      if (fails) {
        throw new IOException("the disk has gone");
      }
      action.run();
    } finally {
      inside.decrementAndGet();
    }
  }

  /** Lets one force through. */
  void one() {
    permits.release();
  }

  /** Lets all forces through from here on. */
  void all() {
    permits.release(ALL);
  }

  /** Fails the force that waits, and all that follow. */
  void fail() {
    fails = true;
    permits.release(ALL);
  }

  /** How many forces have begun. */
  int asked() {
    return asked.get();
  }

  /** How many forces were under way at once. */
  int insideMost() {
    return insideMost.get();
  }
}
