package io.entroq.engine.receipt;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Clients by slot and by id, with the receipts of their requests. A ring per client holds its
 * receipts by request number, starting at the first number that is not acknowledged.
 *
 * <p>Every client is on one of two lists, ordered by last request: clients with a parked claim,
 * which are never removed, and idle ones, the first of which is removed when there are too many.
 * The order is state.
 */
public final class ClientStore {

  /** How far a request number may be above the acknowledged ones. */
  public static final int OPEN_REQUESTS_MAX = 1024;

  static final int HIGH = 0;
  static final int LOW = 8;

  /** Never 0 in a live record. */
  static final int ACKED_BELOW = 16;

  static final int RING = 24;
  static final int RING_CAPACITY = 32;
  private static final int PARKED = 36;
  static final int PREVIOUS = 40;
  static final int NEXT = 44;
  private static final int RECEIPTS = 48;
  private static final int RECORD_BYTES = 56;

  private static final int RING_CAPACITY_MIN = 8;
  static final int IDLE = 0;
  static final int BUSY = 1;

  final Slab slab;
  final Arena arena;
  private final HashIndex index = new HashIndex(2);
  final int[] heads = {Slab.NONE, Slab.NONE};
  private final int[] tails = {Slab.NONE, Slab.NONE};

  /**
   * Creates an empty store.
   *
   * @param arena holds rings and receipts
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public ClientStore(Arena arena, int chunkShift) {
    this.arena = arena;
    this.slab = new Slab(RECORD_BYTES, chunkShift, ACKED_BELOW);
  }

  /** The slot of a client, or {@link Slab#NONE}. */
  public int find(long high, long low) {
    return index.find(slab, HIGH, high, low);
  }

  /** Adds a new client as the most recent one. */
  public int add(long high, long low) {
    int client = addUnlisted(high, low, 1);
    append(client, IDLE);
    return client;
  }

  /** Adds a client without adding it to a list. */
  int addUnlisted(long high, long low, long ackedBelow) {
    int client = slab.allocate();
    slab.putLong(client, HIGH, high);
    slab.putLong(client, LOW, low);
    slab.putLong(client, ACKED_BELOW, ackedBelow);
    index.insert(Mix.key(high, low), client);
    return client;
  }

  /** Counts a parked claim of a client that is on no list yet. */
  void parkedUnlisted(int client) {
    slab.putInt(client, PARKED, slab.getInt(client, PARKED) + 1);
  }

  /** Removes an idle client without receipts. */
  public void remove(int client) {
    Invariant.check(slab.getInt(client, RECEIPTS) == 0, "no receipts left", client, 0);
    Invariant.check(list(client) == IDLE, "no claims parked", client, 0);
    unlink(client);
    index.remove(Mix.key(high(client), low(client)), client);
    arena.free(slab.getLong(client, RING));
    slab.free(client);
    Invariant.check(index.size() == slab.size(), "each client is in the index", client, size());
  }

  public int size() {
    return slab.size();
  }

  /** Bytes of records. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    index.close();
    slab.close();
  }

  /** The idle client with the oldest last request, or {@link Slab#NONE}. */
  public int longestIdle() {
    return heads[IDLE];
  }

  /** The first client of those with parked claims, or {@link Slab#NONE}. */
  public int firstBusy() {
    return heads[BUSY];
  }

  /** The first client of all: those with parked claims, then the idle ones. */
  public int first() {
    return heads[BUSY] != Slab.NONE ? heads[BUSY] : heads[IDLE];
  }

  /** The client after one in that order, or {@link Slab#NONE}. */
  public int next(int client) {
    int next = slab.getInt(client, NEXT);
    return next == Slab.NONE && list(client) == BUSY ? heads[IDLE] : next;
  }

  /** Makes a client the most recent one of its list. */
  public void touch(int client) {
    if (tails[list(client)] != client) {
      unlink(client);
      append(client, list(client));
    }
  }

  public long high(int client) {
    return slab.getLong(client, HIGH);
  }

  public long low(int client) {
    return slab.getLong(client, LOW);
  }

  /** The client has received every reply to a number below this. */
  public long ackedBelow(int client) {
    return slab.getLong(client, ACKED_BELOW);
  }

  /** Raises the acknowledged numbers; the receipts below must be gone. */
  public void ackedBelow(int client, long number) {
    // A number that is reused would be executed a second time.
    Invariant.check(number >= ackedBelow(client), "acknowledged for good", client, number);
    slab.putLong(client, ACKED_BELOW, number);
  }

  public int receiptCount(int client) {
    return slab.getInt(client, RECEIPTS);
  }

  /** Adds 1 or -1 to the parked claims of a client. */
  public void parked(int client, int by) {
    int before = list(client);
    int parked = slab.getInt(client, PARKED) + by;
    Invariant.check(parked >= 0, "parked claims of a client", client, parked);
    if ((parked > 0 ? BUSY : IDLE) != before) {
      unlink(client);
      slab.putInt(client, PARKED, parked);
      append(client, list(client));
    } else {
      slab.putInt(client, PARKED, parked);
    }
  }

  /** The receipt of a number inside the window, or {@link Arena#NONE}. */
  public long receipt(int client, long number) {
    int capacity = slab.getInt(client, RING_CAPACITY);
    if (number - ackedBelow(client) >= capacity) {
      return Arena.NONE;
    }
    return ringGet(slab.getLong(client, RING), (int) number & (capacity - 1));
  }

  /** Sets the receipt of a number; {@link Arena#NONE} removes it. */
  public void receipt(int client, long number, long block) {
    long ahead = number - ackedBelow(client);
    Invariant.check(ahead >= 0 && ahead < OPEN_REQUESTS_MAX, "request window", number, ahead);
    if (ahead >= slab.getInt(client, RING_CAPACITY)) {
      grow(client, (int) ahead + 1);
    }
    long ring = slab.getLong(client, RING);
    int position = (int) number & (slab.getInt(client, RING_CAPACITY) - 1);
    if (arena.isShared(ring)) {
      ring = arena.replace(ring);
      slab.putLong(client, RING, ring);
    }
    int before = ringGet(ring, position) == Arena.NONE ? 0 : 1;
    int after = block == Arena.NONE ? 0 : 1;
    ringPut(ring, position, block);
    int receipts = slab.getInt(client, RECEIPTS) + after - before;
    Invariant.check(
        receipts >= 0 && receipts <= slab.getInt(client, RING_CAPACITY),
        "receipts",
        client,
        receipts);
    slab.putInt(client, RECEIPTS, receipts);
  }

  private void grow(int client, int needed) {
    int old = slab.getInt(client, RING_CAPACITY);
    int capacity = Math.max(RING_CAPACITY_MIN, Integer.highestOneBit(needed * 2 - 1));
    long oldRing = slab.getLong(client, RING);
    long ring = arena.allocate(capacity * Long.BYTES);
    arena.buffer(ring).setMemory(arena.offset(ring), capacity * Long.BYTES, (byte) 0);
    long from = ackedBelow(client);
    for (long number = from; number < from + old; number++) {
      ringPut(ring, (int) number & (capacity - 1), ringGet(oldRing, (int) number & (old - 1)));
    }
    arena.free(oldRing);
    slab.putLong(client, RING, ring);
    slab.putInt(client, RING_CAPACITY, capacity);
  }

  /** Numbers from {@link #ackedBelow} on that may have a receipt. */
  public int window(int client) {
    return slab.getInt(client, RING_CAPACITY);
  }

  private long ringGet(long ring, int position) {
    UnsafeBuffer buffer = arena.buffer(ring);
    return buffer.getLong(arena.offset(ring) + position * Long.BYTES);
  }

  private void ringPut(long ring, int position, long block) {
    arena.buffer(ring).putLong(arena.offset(ring) + position * Long.BYTES, block);
  }

  /** The list that a client belongs on. */
  int list(int client) {
    return slab.getInt(client, PARKED) > 0 ? BUSY : IDLE;
  }

  void append(int client, int list) {
    int tail = tails[list];
    slab.putInt(client, PREVIOUS, tail);
    slab.putInt(client, NEXT, Slab.NONE);
    if (tail == Slab.NONE) {
      heads[list] = client;
    } else {
      slab.putInt(tail, NEXT, client);
    }
    tails[list] = client;
  }

  private void unlink(int client) {
    int list = list(client);
    int previous = slab.getInt(client, PREVIOUS);
    int next = slab.getInt(client, NEXT);
    Invariant.check(
        (previous == Slab.NONE) == (heads[list] == client),
        "the head has none before it",
        client,
        list);
    Invariant.check(
        (next == Slab.NONE) == (tails[list] == client), "the tail has none after it", client, list);
    if (previous == Slab.NONE) {
      heads[list] = next;
    } else {
      slab.putInt(previous, NEXT, next);
    }
    if (next == Slab.NONE) {
      tails[list] = previous;
    } else {
      slab.putInt(next, PREVIOUS, previous);
    }
  }
}
