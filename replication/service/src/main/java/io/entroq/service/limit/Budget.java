package io.entroq.service.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what is taken of a {@link Limit}: calls, connections, or bytes in memory. Nobody takes
 * more than the share of its {@link Origin}. Any thread.
 */
public final class Budget {
  private final Limit limit;
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  /** What an attempt to take some of it leads to. */
  public enum Outcome {
    /** It has been taken. */
    TAKEN,
    /** The connection has its share; others of the same address may have room. */
    CONNECTION_FULL,
    /** All connections of the address together have their share. */
    ADDRESS_FULL,
    /** There is not enough left for anybody. */
    FULL
  }

  /**
   * Nothing of it is taken.
   *
   * @param max how much there is
   */
  public Budget(Limit limit, long max) {
    this.limit = limit;
    this.max = max;
  }

  /**
   * Takes some if there is enough left. An amount above the maximum is taken when nothing else is,
   * since there would never be room for it otherwise.
   *
   * @param held how much the same call has already
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
    // First, so that nobody waits behind a call that waits for its own origin's share.
    if (!origin.address().mayTake(limit, amount, held, left)) {
      return Outcome.ADDRESS_FULL;
    }
    if (!origin.mayTake(limit, amount, held, left)) {
      return Outcome.CONNECTION_FULL;
    }
    return before > 0 && left < 0 ? Outcome.FULL : Outcome.TAKEN;
  }

  /** Takes some like {@link #take}; returns whether it was taken. */
  public boolean tryTake(Origin origin, long amount, long held) {
    return take(origin, amount, held) == Outcome.TAKEN;
  }

  /** Whether that amount could be taken now. */
  public boolean hasRoom(Origin origin, long amount) {
    return outcome(origin, amount, 0, taken.get()) == Outcome.TAKEN;
  }

  /** Whether an origin has no more than its share. */
  public boolean isWithinShare(Origin origin) {
    long left = max - taken.get();
    return origin.mayTake(limit, 0, 0, left) && origin.address().mayTake(limit, 0, 0, left);
  }

  /** Takes some even if there is none left. */
  public void force(Origin origin, long amount) {
    taken.addAndGet(amount);
    origin.add(limit, amount);
  }

  /** Gives some back. */
  public void give(Origin origin, long amount) {
    force(origin, -amount);
  }

  /** Which limit this counts. */
  public Limit limit() {
    return limit;
  }

  /** How much an origin has taken. */
  public long taken(Origin origin) {
    return origin.taken(limit);
  }

  /** How much there is in all. */
  public long max() {
    return max;
  }

  /** How much is taken. */
  public long taken() {
    return taken.get();
  }
}
