package io.entroq.service.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts how much of a {@link Limit} is taken: calls, connections, or bytes in memory. No {@link
 * Origin} takes more than its share. Any thread.
 */
public final class Budget {
  private final Limit limit;
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  /** The result of an attempt to take an amount. */
  public enum Outcome {
    TAKEN,
    /** The connection has its share; other connections of the address may have room. */
    CONNECTION_FULL,
    /** The address has its share. */
    ADDRESS_FULL,
    /** Not enough is left, whatever the origin. */
    FULL
  }

  public Budget(Limit limit, long max) {
    this.limit = limit;
    this.max = max;
  }

  /**
   * Takes an amount if enough is left. Takes an amount above the maximum when nothing else is
   * taken, since it would never fit otherwise.
   *
   * @param held how much the same call already has
   */
  public Outcome take(Origin origin, long amount, long held) {
    long before;
    do {
      before = taken.get();
      Outcome outcome = outcome(origin, amount, held, before);
      if (outcome != Outcome.TAKEN) {
        return outcome;
      }
    } while (!taken.compareAndSet(before, before + amount));
    origin.add(limit, amount);
    return Outcome.TAKEN;
  }

  private Outcome outcome(Origin origin, long amount, long held, long before) {
    long left = max - before - amount;
    // Checked first: a call that waits for its own origin's share must not block others.
    if (!origin.address().mayTake(limit, amount, held, left)) {
      return Outcome.ADDRESS_FULL;
    }
    if (!origin.mayTake(limit, amount, held, left)) {
      return Outcome.CONNECTION_FULL;
    }
    return before > 0 && left < 0 ? Outcome.FULL : Outcome.TAKEN;
  }

  /** Like {@link #take}; returns whether it was taken. */
  public boolean tryTake(Origin origin, long amount, long held) {
    return take(origin, amount, held) == Outcome.TAKEN;
  }

  /** Whether the amount could be taken now. */
  public boolean hasRoom(Origin origin, long amount) {
    return outcome(origin, amount, 0, taken.get()) == Outcome.TAKEN;
  }

  /** Whether an origin is within its share. */
  public boolean isWithinShare(Origin origin) {
    long left = max - taken.get();
    return origin.mayTake(limit, 0, 0, left) && origin.address().mayTake(limit, 0, 0, left);
  }

  /** Takes an amount even if not enough is left. */
  public void force(Origin origin, long amount) {
    taken.addAndGet(amount);
    origin.add(limit, amount);
  }

  /** Gives an amount back. */
  public void give(Origin origin, long amount) {
    force(origin, -amount);
  }

  public Limit limit() {
    return limit;
  }

  public long taken(Origin origin) {
    return origin.taken(limit);
  }

  /** The total amount. */
  public long max() {
    return max;
  }

  /** The amount taken by all origins. */
  public long taken() {
    return taken.get();
  }
}
