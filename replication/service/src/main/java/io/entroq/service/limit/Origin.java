package io.entroq.service.limit;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where calls come from, and how much of each limit they have taken: a connection that carries many
 * calls, or an address. Any thread.
 *
 * <p>Of each {@link Limit}, a connection may take half of what the others leave, and an address
 * three quarters. So there is always something left for the next one, and nothing is reserved that
 * nobody wants. An origin with a single call may take whatever is free.
 */
public final class Origin {
  /** The origin of this process's own calls: has no share, and may take everything. */
  public static final Origin NONE = new Origin(null, Long.MAX_VALUE);

  /** An origin may take this many times what is left. */
  private static final long CONNECTION_TIMES = 1;

  private static final long ADDRESS_TIMES = 3;

  private final Origin address;
  private final long times;

  /** Has all of them, and is not changed any more. */
  private final Map<Limit, AtomicLong> taken = new EnumMap<>(Limit.class);

  private Origin(Origin address, long times) {
    this.address = address;
    this.times = times;
    for (Limit limit : Limit.values()) {
      taken.put(limit, new AtomicLong());
    }
  }

  /** An address, or a connection of it that carries one call at a time. */
  public static Origin ofAddress() {
    return new Origin(null, ADDRESS_TIMES);
  }

  /** One more connection of an address, which carries many calls. */
  public Origin connection() {
    return this == NONE ? NONE : new Origin(this, CONNECTION_TIMES);
  }

  /** The address of a connection; that of an address is itself. */
  public Origin address() {
    return address == null ? this : address;
  }

  /**
   * Whether this origin may take more. Concurrent calls of one origin may all get the same answer.
   *
   * @param amount how much more
   * @param held how much the same call has already: a single call is not bound to a share
   * @param left how much would be left then
   */
  public boolean mayTake(Limit limit, long amount, long held, long left) {
    if (this == NONE) {
      return true;
    }
    long own = taken.get(limit).get();
    return own <= held || own + amount <= times * left;
  }

  /**
   * Notes that more of something is taken, or less if the amount is negative; also for its address.
   */
  public void add(Limit limit, long amount) {
    if (this == NONE) {
      return;
    }
    taken.get(limit).addAndGet(amount);
    if (address != null) {
      address.add(limit, amount);
    }
  }

  /** How much of something it has taken. */
  public long taken(Limit limit) {
    return taken.get(limit).get();
  }
}
