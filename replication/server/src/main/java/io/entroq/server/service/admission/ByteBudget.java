package io.entroq.server.service.admission;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes may be in memory at a time for one purpose. Any thread. */
public final class ByteBudget {
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  /** So many. */
  public ByteBudget(long max) {
    this.max = max;
  }

  /**
   * Takes bytes if there are as many left. What is larger than the whole budget is let through when
   * nothing else is there, as it could never be otherwise.
   */
  public boolean tryTake(long bytes) {
    long before;
    do {
      before = taken.get();
      if (before > 0 && before + bytes > max) {
        return false;
      }
    } while (!taken.compareAndSet(before, before + bytes));
    return true;
  }

  /** Takes bytes, whether they are left or not. */
  public void take(long bytes) {
    taken.addAndGet(bytes);
  }

  /** Gives bytes back. */
  public void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** How many there are in all. */
  public long max() {
    return max;
  }

  /** How many are taken. */
  public long taken() {
    return taken.get();
  }
}
