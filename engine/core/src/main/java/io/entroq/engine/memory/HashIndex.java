package io.entroq.engine.memory;

import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayList;

/**
 * Finds slots by a 64-bit hash: open addressing in shards that grow one at a time, so growth never
 * causes a long pause. The caller compares the keys:
 *
 * <pre>{@code
 * for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
 *   if (isTheOne(index.slot(at))) { ... }
 * }
 * }</pre>
 *
 * <p>An entry takes 8 bytes. Not thread-safe.
 */
public final class HashIndex {

  /** No entry. */
  public static final long NONE = -1;

  private static final int ENTRY_SHIFT = 3;
  private static final int CAPACITY_MIN = 8;

  private final int shardShift;
  private final Memory[] shards;
  private final long[] addresses;
  private final int[] masks;
  private final int[] sizes;
  private int size;

  /**
   * Creates an empty index.
   *
   * @param shardBits binary logarithm of the number of shards, 0 to 16
   */
  public HashIndex(int shardBits) {
    int count = 1 << shardBits;
    shardShift = 64 - shardBits;
    shards = new Memory[count];
    addresses = new long[count];
    masks = new int[count];
    sizes = new int[count];
  }

  /** The first entry that may have the hash, or {@link #NONE}. */
  public long first(long hash) {
    int shard = shard(hash);
    if (addresses[shard] == 0) {
      return NONE;
    }
    int tag = tag(hash);
    return probe(shard, tag, tag & masks[shard]);
  }

  /** Reads the entry that {@link #first} starts with, to bring it into the CPU caches. */
  public long readAhead(long hash) {
    int shard = shard(hash);
    return addresses[shard] == 0 ? 0 : get(addresses[shard], tag(hash) & masks[shard]);
  }

  /** The next entry that may have the hash, or {@link #NONE}. */
  public long next(long hash, long entry) {
    int shard = (int) (entry >>> 32);
    return probe(shard, tag(hash), ((int) entry + 1) & masks[shard]);
  }

  private long probe(int shard, int tag, int from) {
    long base = addresses[shard];
    int mask = masks[shard];
    int position = from;
    while (true) {
      long entry = get(base, position);
      if (entry == 0) {
        return NONE;
      }
      if ((int) (entry >>> 32) == tag) {
        return (long) shard << 32 | position;
      }
      position = (position + 1) & mask;
    }
  }

  /**
   * The slot whose record holds a key of two words, or {@link Slab#NONE}. Its hash is {@link
   * Mix#key}.
   *
   * @param field the field of the upper word; the lower one follows it
   */
  public int find(Slab slab, int field, long high, long low) {
    long hash = Mix.key(high, low);
    for (long at = first(hash); at != NONE; at = next(hash, at)) {
      int slot = slot(at);
      if (slab.getLong(slot, field + Long.BYTES) == low && slab.getLong(slot, field) == high) {
        return slot;
      }
    }
    return Slab.NONE;
  }

  /** The slot of an entry. */
  public int slot(long entry) {
    return slotOf(get(addresses[(int) (entry >>> 32)], (int) entry));
  }

  /** Adds a slot under a hash. Its key must be new. */
  public void insert(long hash, int slot) {
    int shard = shard(hash);
    // At most three quarters full, so that probes stay short and end.
    if (addresses[shard] == 0 || sizes[shard] >= (masks[shard] + 1) / 4 * 3) {
      grow(shard);
    }
    place(addresses[shard], masks[shard], entry(hash, slot));
    sizes[shard]++;
    size++;
  }

  /** Makes room in an empty index, so that it does not grow during that many inserts. */
  void reserve(int slots) {
    // A quarter more than the average shard, and at most three quarters full.
    long wanted = (long) slots / shards.length * 5 / 3;
    if (wanted > CAPACITY_MIN) {
      int capacity = Integer.highestOneBit((int) wanted - 1) * 2;
      for (int i = 0; i < shards.length; i++) {
        resize(i, capacity);
      }
    }
  }

  public int shardCount() {
    return shards.length;
  }

  /** Adds the slots of a shard to a list, in any order. */
  public void collect(int shard, IntArrayList into) {
    if (addresses[shard] != 0) {
      for (int i = 0; i <= masks[shard]; i++) {
        long entry = get(addresses[shard], i);
        if (entry != 0) {
          into.addInt(slotOf(entry));
        }
      }
    }
  }

  static long entry(long hash, int slot) {
    return (long) tag(hash) << 32 | slot + 1;
  }

  static int slotOf(long entry) {
    return (int) entry - 1;
  }

  /** Adds an entry to a shard; false if its key exists. */
  boolean place(int shard, long entry, HashFill.Keys keys) {
    if (addresses[shard] == 0 || sizes[shard] >= (masks[shard] + 1) / 4 * 3) {
      grow(shard);
    }
    long base = addresses[shard];
    int mask = masks[shard];
    int position = (int) (entry >>> 32) & mask;
    for (long other = get(base, position); other != 0; other = get(base, position)) {
      if (other >>> 32 == entry >>> 32 && keys.areEqual(slotOf(other), slotOf(entry))) {
        return false;
      }
      position = (position + 1) & mask;
    }
    put(base, position, entry);
    sizes[shard]++;
    size++;
    return true;
  }

  private static void place(long base, int mask, long entry) {
    int position = (int) (entry >>> 32) & mask;
    while (get(base, position) != 0) {
      position = (position + 1) & mask;
    }
    put(base, position, entry);
  }

  /** Removes a slot inserted under a hash. Entries found before become invalid. */
  public void remove(long hash, int slot) {
    long entry = first(hash);
    while (entry != NONE && slot(entry) != slot) {
      entry = next(hash, entry);
    }
    Invariant.check(entry != NONE, "a slot that is removed is in the index", slot, hash);
    removeEntry(entry);
  }

  private void removeEntry(long entry) {
    int shard = (int) (entry >>> 32);
    long base = addresses[shard];
    int mask = masks[shard];
    int hole = (int) entry;
    int position = hole;
    while (true) {
      position = (position + 1) & mask;
      long candidate = get(base, position);
      if (candidate == 0) {
        break;
      }
      int home = (int) (candidate >>> 32) & mask;
      // Move it into the hole unless its home is cyclically between the hole and its position.
      if (((position - home) & mask) >= ((position - hole) & mask)) {
        put(base, hole, candidate);
        hole = position;
      }
    }
    put(base, hole, 0);
    size--;
    int left = --sizes[shard];
    Invariant.check(left >= 0, "entries of a shard add up", shard, left);
  }

  private void grow(int shard) {
    resize(shard, shards[shard] == null ? CAPACITY_MIN : (masks[shard] + 1) * 2);
  }

  private void resize(int shard, int capacity) {
    // A probe for a missing key ends only at an empty entry.
    Invariant.check(sizes[shard] < capacity, "an index has room", sizes[shard], capacity);
    Memory old = shards[shard];
    Memory bigger = Memory.allocate(capacity << ENTRY_SHIFT);
    if (old != null) {
      for (int i = 0; i <= masks[shard]; i++) {
        long entry = get(old.address(), i);
        if (entry != 0) {
          place(bigger.address(), capacity - 1, entry);
        }
      }
      old.free();
    }
    shards[shard] = bigger;
    addresses[shard] = bigger.address();
    masks[shard] = capacity - 1;
  }

  /** Frees all memory; the index must not be used afterwards. */
  public void close() {
    for (int i = 0; i < shards.length; i++) {
      if (shards[i] != null) {
        shards[i].free();
        shards[i] = null;
        addresses[i] = 0;
      }
    }
  }

  private static long get(long base, int position) {
    return UnsafeApi.getLong(base + ((long) position << ENTRY_SHIFT));
  }

  private static void put(long base, int position, long entry) {
    UnsafeApi.putLong(base + ((long) position << ENTRY_SHIFT), entry);
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** Bytes of memory held. */
  public long memoryBytes() {
    long bytes = 0;
    for (int i = 0; i < shards.length; i++) {
      if (shards[i] != null) {
        bytes += (masks[i] + 1L) << ENTRY_SHIFT;
      }
    }
    return bytes;
  }

  int shard(long hash) {
    return shardShift == 64 ? 0 : (int) (hash >>> shardShift);
  }

  private static int tag(long hash) {
    return (int) hash;
  }
}
