package io.entroq.engine.doc;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Namespaces by slot and by name. A namespace appears with its first doc set and disappears with
 * its last. It costs a record of 64 bytes, its name, and a node of {@link KeyTree} if it has docs.
 *
 * <p>All of this follows from the sets and docs, so an image of the state does not contain it.
 */
public final class NamespaceStore {

  private static final int NAME_HASH = 0;

  /** The block of the name, length first; never {@link Arena#NONE} in a live record. */
  private static final int NAME = 8;

  static final int LEASES_BLOCK = 16;
  static final int LEASES_ADDRESS = 24;
  static final int LEASES_CAPACITY = 32;
  static final int LEASES_SIZE = 36;

  /** Docs of the sets that {@link LeaseIndex} has. */
  static final int LEASES_DOCS = 40;

  // The tree of a namespace: see KeyTree.
  static final int ROOT = 44;

  static final int HEIGHT = 48;
  private static final int DOCS = 52;
  private static final int SETS = 56;
  private static final int RECORD_BYTES = 64;
  private static final int CHUNK_SHIFT = 6;

  final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT);
  final Arena arena;
  private final HashIndex index = new HashIndex(0);
  private final Bytes scratch = new Bytes();
  private int lastFound = Slab.NONE;

  public NamespaceStore(Arena arena) {
    this.arena = arena;
  }

  /** The slot of the namespace with this name, or {@link Slab#NONE}. */
  public int find(DirectBuffer name, int offset, int length) {
    // Commands come in runs for one namespace: comparing names is cheaper than hashing.
    if (lastFound != Slab.NONE && isNamed(lastFound, name, offset, length)) {
      return lastFound;
    }
    long hash = Mix.bytes(name, offset, length);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int namespace = index.slot(at);
      if (slab.getLong(namespace, NAME_HASH) == hash && isNamed(namespace, name, offset, length)) {
        lastFound = namespace;
        return namespace;
      }
    }
    return Slab.NONE;
  }

  /**
   * The slot of the namespace with this name, which is added if necessary. The caller must add a
   * set to a new one at once.
   */
  public int findOrAdd(DirectBuffer name, int offset, int length) {
    int namespace = find(name, offset, length);
    return namespace != Slab.NONE ? namespace : add(name, offset, length);
  }

  private int add(DirectBuffer name, int offset, int length) {
    int namespace = slab.allocate();
    long block = arena.allocate(Integer.BYTES + length);
    int at = arena.offset(block);
    arena.buffer(block).putInt(at, length);
    arena.buffer(block).putBytes(at + Integer.BYTES, name, offset, length);
    long hash = Mix.bytes(name, offset, length);
    slab.putLong(namespace, NAME, block);
    slab.putLong(namespace, NAME_HASH, hash);
    slab.putInt(namespace, ROOT, Slab.NONE);
    index.insert(hash, namespace);
    return namespace;
  }

  void docAdded(int namespace) {
    slab.putInt(namespace, DOCS, docCount(namespace) + 1);
  }

  void docRemoved(int namespace) {
    int docs = docCount(namespace) - 1;
    Invariant.check(docs >= 0, "docs of a namespace", namespace, docs);
    slab.putInt(namespace, DOCS, docs);
  }

  void setAdded(int namespace) {
    slab.putInt(namespace, SETS, slab.getInt(namespace, SETS) + 1);
  }

  /** Removes the namespace with its last set, which must be out of all indexes. */
  void setRemoved(int namespace) {
    int sets = slab.getInt(namespace, SETS) - 1;
    Invariant.check(sets >= 0, "sets of a namespace", namespace, sets);
    slab.putInt(namespace, SETS, sets);
    if (sets == 0) {
      remove(namespace);
    }
  }

  private void remove(int namespace) {
    Invariant.check(
        slab.getInt(namespace, ROOT) == Slab.NONE
            && slab.getInt(namespace, LEASES_SIZE) == 0
            && docCount(namespace) == 0,
        "no doc and no index of a namespace outlives its sets",
        namespace,
        docCount(namespace));
    if (namespace == lastFound) {
      lastFound = Slab.NONE;
    }
    index.remove(slab.getLong(namespace, NAME_HASH), namespace);
    arena.free(slab.getLong(namespace, NAME));
    arena.free(slab.getLong(namespace, LEASES_BLOCK));
    slab.putLong(namespace, NAME, Arena.NONE);
    slab.free(namespace);
  }

  private boolean isNamed(int namespace, DirectBuffer name, int offset, int length) {
    name(namespace, scratch);
    return scratch.matches(name, offset, length);
  }

  public void name(int namespace, Bytes into) {
    long block = slab.getLong(namespace, NAME);
    into.set(
        arena.buffer(block),
        arena.offset(block) + Integer.BYTES,
        UnsafeApi.getInt(arena.address(block)));
  }

  public long nameHash(int namespace) {
    return slab.getLong(namespace, NAME_HASH);
  }

  long nameBlock(int namespace) {
    return slab.getLong(namespace, NAME);
  }

  /** One more than the highest slot ever used; see {@link #isAlive}. */
  public int highWater() {
    return slab.highWater();
  }

  /** True if the slot holds a namespace. */
  public boolean isAlive(int namespace) {
    return slab.getLong(namespace, NAME) != Arena.NONE;
  }

  public int size() {
    return slab.size();
  }

  public int docCount(int namespace) {
    return slab.getInt(namespace, DOCS);
  }

  /** Bytes of records and index. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    index.close();
    slab.close();
  }
}
