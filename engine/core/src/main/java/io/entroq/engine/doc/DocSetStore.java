package io.entroq.engine.doc;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * All doc sets by slot, and by namespace and key: the docs of one key share version, claimant and
 * arrival time, which are here. A record takes 96 bytes; the key has a block. While its number of
 * docs or its arrival time changes, a set must be out of {@link LeaseIndex}.
 *
 * <p>A set outlives its docs, so that its version goes on. Sets without docs are in a list, least
 * recently written first.
 */
public final class DocSetStore {

  static final int LEASE_POSITION = 0;
  static final int NAMESPACE = 4;
  static final int ARRIVAL = 8;
  static final int CLAIMANT_HIGH = 16;
  static final int CLAIMANT_LOW = 24;
  static final int MODIFIED = 32;

  /** The block of the key, length first; never {@link Arena#NONE} in a live record. */
  static final int KEY = 40;

  static final int CREATED_SEQUENCE = 48;
  static final int ORDER = 56;

  /** The block of the namespace's name, so that writing an image needs no lookup. */
  static final int NAMESPACE_NAME = 64;

  static final int VERSION = 72;
  static final int FLAGS = 76;
  static final int DOCS = 80;
  static final int OLDER = 84;
  static final int NEWER = 88;
  static final int RECORD_BYTES = 96;

  static final int CLAIMANT_TEXT = 1;

  /** In the list of sets without docs. */
  static final int LISTED = 1 << 1;

  private static final int INDEX_SHARD_BITS = 4;

  final Slab slab;
  final Arena arena;
  private final NamespaceStore namespaces;
  private final HashIndex index = new HashIndex(INDEX_SHARD_BITS);
  private final Bytes scratch = new Bytes();
  private int oldest = Slab.NONE;
  private int newest = Slab.NONE;
  private int listed;
  private long lastOrder;

  /**
   * Creates an empty store.
   *
   * @param arena holds the keys
   * @param namespaces counts the sets of each namespace
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public DocSetStore(Arena arena, NamespaceStore namespaces, int chunkShift) {
    this.arena = arena;
    this.namespaces = namespaces;
    this.slab = new Slab(RECORD_BYTES, chunkShift, KEY);
  }

  /** The slot of a set, or {@link Slab#NONE}; {@code namespace} may be {@link Slab#NONE}. */
  public int find(int namespace, DirectBuffer key, int offset, int length) {
    if (namespace == Slab.NONE) {
      return Slab.NONE;
    }
    long hash = hash(namespace, key, offset, length);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int set = index.slot(at);
      if (namespace(set) == namespace && hasKey(set, key, offset, length)) {
        return set;
      }
    }
    return Slab.NONE;
  }

  private static long hash(int namespace, DirectBuffer key, int offset, int length) {
    return Mix.fold(Mix.bytes(key, offset, length), namespace);
  }

  private long indexHash(int set) {
    key(set, scratch);
    return hash(namespace(set), scratch.buffer(), scratch.offset(), scratch.length());
  }

  private boolean hasKey(int set, DirectBuffer key, int offset, int length) {
    key(set, scratch);
    return scratch.matches(key, offset, length);
  }

  /** Adds a set that is not there, without docs and not in the list; every other field is zero. */
  public int add(int namespace, DirectBuffer key, int offset, int length) {
    int set = slab.allocate();
    long block = arena.allocate(Integer.BYTES + length);
    int at = arena.offset(block);
    arena.buffer(block).putInt(at, length);
    arena.buffer(block).putBytes(at + Integer.BYTES, key, offset, length);
    slab.putLong(set, KEY, block);
    slab.putInt(set, LEASE_POSITION, Slab.NONE);
    slab.putInt(set, NAMESPACE, namespace);
    slab.putLong(set, NAMESPACE_NAME, namespaces.nameBlock(namespace));
    index.insert(hash(namespace, key, offset, length), set);
    Invariant.check(index.size() == slab.size(), "each set is in the index", set, index.size());
    namespaces.setAdded(namespace);
    return set;
  }

  /** Removes a set without docs that is not in the list, and its namespace with the last set. */
  public void remove(int set) {
    Invariant.check(docCount(set) == 0 && !isListed(set), "unused", set, docCount(set));
    Invariant.check(leasePosition(set) == Slab.NONE, "no lease outlives its set", set, 0);
    int namespace = namespace(set);
    index.remove(indexHash(set), set);
    arena.free(slab.getLong(set, KEY));
    slab.free(set);
    Invariant.check(index.size() == slab.size(), "each set is in the index", set, index.size());
    namespaces.setRemoved(namespace);
  }

  public int size() {
    return slab.size();
  }

  /**
   * One more than the highest slot ever used. To visit all sets, skip those not {@link #isAlive}.
   */
  public int highWater() {
    return slab.highWater();
  }

  /** True if the slot holds a set. */
  public boolean isAlive(int set) {
    return slab.getLong(set, KEY) != Arena.NONE;
  }

  /** Bytes of records and index, without keys. */
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

  // Order of writes, and the list of sets without docs.

  /** The order number of the last write to any set; 0 before the first. */
  public long lastOrder() {
    return lastOrder;
  }

  /** The order number of the last write to a set. */
  public long order(int set) {
    return slab.getLong(set, ORDER);
  }

  /** Makes a set, which must not be in the list, the one written last. */
  public void written(int set) {
    Invariant.check(!isListed(set), "a set keeps its place in the list", set, listed);
    slab.putLong(set, ORDER, ++lastOrder);
  }

  /** Restores the order number of a set. The last one follows: the set written last is kept. */
  void restoreOrder(int set, long order) {
    slab.putLong(set, ORDER, order);
    lastOrder = Math.max(lastOrder, order);
  }

  private boolean isListed(int set) {
    return (slab.getInt(set, FLAGS) & LISTED) != 0;
  }

  /** Adds a set without docs to the list, as its newest. */
  public void list(int set) {
    Invariant.check(docCount(set) == 0 && !isListed(set), "without docs", set, docCount(set));
    Invariant.check(
        newest == Slab.NONE || order(newest) < order(set), "listed in order", set, order(set));
    slab.putInt(set, FLAGS, slab.getInt(set, FLAGS) | LISTED);
    slab.putInt(set, OLDER, newest);
    slab.putInt(set, NEWER, Slab.NONE);
    if (newest == Slab.NONE) {
      oldest = set;
    } else {
      slab.putInt(newest, NEWER, set);
    }
    newest = set;
    listed++;
  }

  /** Takes a set out of the list, if it is there. */
  public void unlist(int set) {
    if (!isListed(set)) {
      return;
    }
    slab.putInt(set, FLAGS, slab.getInt(set, FLAGS) & ~LISTED);
    int older = slab.getInt(set, OLDER);
    int newer = slab.getInt(set, NEWER);
    if (older == Slab.NONE) {
      oldest = newer;
    } else {
      slab.putInt(older, NEWER, newer);
    }
    if (newer == Slab.NONE) {
      newest = older;
    } else {
      slab.putInt(newer, OLDER, older);
    }
    listed--;
    Invariant.check(
        listed >= 0 && (listed == 0) == (oldest == Slab.NONE), "sets of the list", set, listed);
  }

  /** The least recently written set without docs, or {@link Slab#NONE}. */
  public int oldestListed() {
    return oldest;
  }

  /** Number of sets without docs. */
  public int listedCount() {
    return listed;
  }

  // The fields of a set.

  public int namespace(int set) {
    return slab.getInt(set, NAMESPACE);
  }

  public void key(int set, Bytes into) {
    long block = slab.getLong(set, KEY);
    into.set(
        arena.buffer(block),
        arena.offset(block) + Integer.BYTES,
        UnsafeApi.getInt(arena.address(block)));
  }

  public int docCount(int set) {
    return slab.getInt(set, DOCS);
  }

  void docAdded(int set) {
    Invariant.check(leasePosition(set) == Slab.NONE, "docs of a lease are counted once", set, 0);
    slab.putInt(set, DOCS, docCount(set) + 1);
  }

  void docRemoved(int set) {
    int docs = docCount(set) - 1;
    Invariant.check(leasePosition(set) == Slab.NONE, "docs of a lease are counted once", set, 0);
    Invariant.check(docs >= 0, "docs of a set", set, docs);
    slab.putInt(set, DOCS, docs);
  }

  public int version(int set) {
    return slab.getInt(set, VERSION);
  }

  public void version(int set, int version) {
    slab.putInt(set, VERSION, version);
  }

  /** The sequence that created it; distinguishes successive sets of one key. */
  public long createdSequence(int set) {
    return slab.getLong(set, CREATED_SEQUENCE);
  }

  public void createdSequence(int set, long sequence) {
    slab.putLong(set, CREATED_SEQUENCE, sequence);
  }

  /** While it is held, the end of the lease, in milliseconds since the epoch. */
  public long arrivalMs(int set) {
    return slab.getLong(set, ARRIVAL);
  }

  public void arrivalMs(int set, long arrivalMs) {
    slab.putLong(set, ARRIVAL, arrivalMs);
  }

  public long modifiedMs(int set) {
    return slab.getLong(set, MODIFIED);
  }

  public void modifiedMs(int set, long modifiedMs) {
    slab.putLong(set, MODIFIED, modifiedMs);
  }

  public long claimantHigh(int set) {
    return slab.getLong(set, CLAIMANT_HIGH);
  }

  public long claimantLow(int set) {
    return slab.getLong(set, CLAIMANT_LOW);
  }

  /** True if the set has a claimant, whose lease may have expired. */
  public boolean hasClaimant(int set) {
    return (claimantHigh(set) | claimantLow(set)) != 0;
  }

  /** True if the text of the claimant is stored. */
  public boolean hasClaimantText(int set) {
    return (slab.getInt(set, FLAGS) & CLAIMANT_TEXT) != 0;
  }

  /** Sets the claimant; zeros for none. */
  public void claimant(int set, long high, long low, boolean hasText) {
    slab.putLong(set, CLAIMANT_HIGH, high);
    slab.putLong(set, CLAIMANT_LOW, low);
    int flags = slab.getInt(set, FLAGS) & ~CLAIMANT_TEXT;
    slab.putInt(set, FLAGS, hasText ? flags | CLAIMANT_TEXT : flags);
  }

  int leasePosition(int set) {
    return slab.getInt(set, LEASE_POSITION);
  }

  void leasePosition(int set, int position) {
    slab.putInt(set, LEASE_POSITION, position);
  }

  /** A hash of the key and all fields except the namespace. */
  public long fieldsHash(int set) {
    key(set, scratch);
    long key = Mix.bytes(scratch.buffer(), scratch.offset(), scratch.length());
    long at = slab.address(set);
    return Mix.fold(
        key,
        Mix.share(0, UnsafeApi.getLong(at + ARRIVAL))
            + Mix.share(1, UnsafeApi.getLong(at + CLAIMANT_HIGH))
            + Mix.share(2, UnsafeApi.getLong(at + CLAIMANT_LOW))
            + Mix.share(3, UnsafeApi.getLong(at + MODIFIED))
            + Mix.share(4, UnsafeApi.getLong(at + CREATED_SEQUENCE))
            + Mix.share(5, UnsafeApi.getLong(at + ORDER))
            + Mix.share(6, UnsafeApi.getInt(at + VERSION))
            + Mix.share(7, UnsafeApi.getInt(at + DOCS)));
  }
}
