package io.entroq.server.service.http;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of bodies may be in memory at a time. Any thread. */
final class ByteBudget {
  private final long bytesMax;
  private final AtomicLong taken = new AtomicLong();

  ByteBudget(long bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Takes bytes if there are as many left. */
  boolean tryTake(long bytes) {
    if (taken.addAndGet(bytes) <= bytesMax) {
      return true;
    }
    give(bytes);
    return false;
  }

  /** Takes bytes, whether they are left or not. */
  void take(long bytes) {
    taken.addAndGet(bytes);
  }

  /** Gives bytes back. */
  void give(long bytes) {
    taken.addAndGet(-bytes);
  }

  long taken() {
    return taken.get();
  }
}
