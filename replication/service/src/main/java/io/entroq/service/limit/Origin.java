package io.entroq.service.limit;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The connection or address that calls come from, and how much of each limit it has taken. Any
 * thread.
 *
 * <p>A connection may take half of what others leave of a {@link Limit}, an address three quarters.
 * So something is always left for the next one, and nothing is reserved unused. An origin with a
 * single call may take whatever is free.
 */
public final class Origin {
  /** The origin of this process's own calls, which may take everything. */
  public static final Origin NONE = new Origin(null, Long.MAX_VALUE);

  /** A connection may take at most this many times what is left, and so half. */
  private static final long CONNECTION_TIMES = 1;

  /** An address may take three quarters. */
  private static final long ADDRESS_TIMES = 3;

  private final Origin address;
  private final long times;

  /** Has an entry for each limit; only the values change. */
  private final Map<Limit, AtomicLong> taken = new EnumMap<>(Limit.class);

  private Origin(Origin address, long times) {
    this.address = address;
    this.times = times;
    for (Limit limit : Limit.values()) {
      taken.put(limit, new AtomicLong());
    }
  }

  /** An address, which also stands for its connections that carry one call at a time. */
  public static Origin ofAddress() {
    return new Origin(null, ADDRESS_TIMES);
  }

  /** A new connection of this address that carries concurrent calls. */
  public Origin connection() {
    return this == NONE ? NONE : new Origin(this, CONNECTION_TIMES);
  }

  /** The address of a connection; an address itself. */
  public Origin address() {
    return address == null ? this : address;
  }

  /**
   * Whether this origin may take more. Not atomic: concurrent calls may all get the same answer.
   *
   * @param amount how much more
   * @param held how much the same call already has: the share does not bind a single call
   * @param left how much would be left afterwards
   */
  public boolean mayTake(Limit limit, long amount, long held, long left) {
    if (this == NONE) {
      return true;
    }
    long own = taken.get(limit).get();
    return own <= held || own + amount <= times * left;
  }

  /** Adds to what this origin and its address have taken; a negative amount gives back. */
  public void add(Limit limit, long amount) {
    if (this == NONE) {
      return;
    }
    taken.get(limit).addAndGet(amount);
    if (address != null) {
      address.add(limit, amount);
    }
  }

  public long taken(Limit limit) {
    return taken.get(limit).get();
  }
}
