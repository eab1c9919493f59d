package io.entroq.server.service.authz;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/** Lets in so many at a time, and lets so many wait. Any thread; does not block. */
final class Turnstile {
  private final int insideMax;
  private final int waitingMax;
  private final Queue<BooleanSupplier> waiting = new ArrayDeque<>();
  private int inside;

  Turnstile(int insideMax, int waitingMax) {
    this.insideMax = insideMax;
    this.waitingMax = waitingMax;
  }

  /**
   * Lets somebody in, now or later.
   *
   * @param visitor is called inside, and tells whether he stays, until {@link #leave}
   * @return whether he was, or waits to be; if not, as many wait as may
   */
  boolean enter(BooleanSupplier visitor) {
    synchronized (this) {
      if (inside == insideMax) {
        return waiting.size() < waitingMax && waiting.add(visitor);
      }
      inside++;
    }
    if (!visitor.getAsBoolean()) {
      leave();
    }
    return true;
  }

  /** Somebody who stayed leaves. */
  void leave() {
    BooleanSupplier next = next();
    while (next != null && !next.getAsBoolean()) {
      next = next();
    }
  }

  /** Whoever takes over the place; if nobody does, it is free. */
  private synchronized BooleanSupplier next() {
    BooleanSupplier next = waiting.poll();
    if (next == null) {
      inside--;
    }
    return next;
  }
}
