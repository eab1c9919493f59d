package io.entroq.service.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much there may be of something at a time: of calls, or of bytes in memory. Nobody takes more
 * than the share of his {@link Origin}. Any thread.
 */
public final class Budget {
  private final Limit resource;
  private final long max;
  private final AtomicLong taken = new AtomicLong();

  /** What comes of an attempt to take some of it. */
  public enum Outcome {
    /** It has been taken. */
    TAKEN,
    /** The connection has its share; others of the same address may have room. */
    CONNECTION_FULL,
    /** All connections of the address together have their share. */
    ADDRESS_FULL,
    /** There is not as much left for anybody. */
    FULL
  }

  /** So much of something. */
  public Budget(Limit resource, long max) {
    this.resource = resource;
    this.max = max;
  }

  /**
   * Takes some if there is as much left. What is larger than the whole budget is let through when
   * nothing else is there, as it could never be otherwise.
   *
   * @param held how much the call has already that takes it
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
    origin.add(resource, amount);
    return Outcome.TAKEN;
  }

  private Outcome outcome(Origin origin, long amount, long held, long before) {
    long left = max - before - amount;
    // First, so that whoever has its share does not have all others wait for what it cannot have.
    if (!origin.address().mayTake(resource, amount, held, left)) {
      return Outcome.ADDRESS_FULL;
    }
    if (!origin.mayTake(resource, amount, held, left)) {
      return Outcome.CONNECTION_FULL;
    }
    return before > 0 && left < 0 ? Outcome.FULL : Outcome.TAKEN;
  }

  /** The same as {@link #take}; returns whether it has been taken. */
  public boolean tryTake(Origin origin, long amount, long held) {
    return take(origin, amount, held) == Outcome.TAKEN;
  }

  /** Whether as much could be taken now. */
  public boolean hasRoom(Origin origin, long amount) {
    return outcome(origin, amount, 0, taken.get()) == Outcome.TAKEN;
  }

  /** Whether an origin has no more than its share. */
  public boolean isWithinShare(Origin origin) {
    long left = max - taken.get();
    return origin.mayTake(resource, 0, 0, left) && origin.address().mayTake(resource, 0, 0, left);
  }

  /** Takes some, whether it is left or not. */
  public void force(Origin origin, long amount) {
    taken.addAndGet(amount);
    origin.add(resource, amount);
  }

  /** Gives some back. */
  public void give(Origin origin, long amount) {
    force(origin, -amount);
  }

  /** How much of it an origin has taken. */
  public long taken(Origin origin) {
    return origin.taken(resource);
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
