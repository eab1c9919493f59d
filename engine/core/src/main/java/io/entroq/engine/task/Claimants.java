package io.entroq.engine.task;

import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import org.agrona.DirectBuffer;

/**
 * The texts of claimants whose key does not determine them. Each text is stored once and reference
 * counted: every task, doc set, parked claim and receipt that names such a claimant holds one
 * reference.
 */
public final class Claimants {

  static final int HIGH = 0;
  static final int LOW = 8;

  /** The block of the text; never {@link Arena#NONE} in a live record. */
  static final int TEXT = 16;

  static final int REFERENCES = 24;
  static final int TEXT_LENGTH = 28;
  private static final int RECORD_BYTES = 32;
  private static final int CHUNK_SHIFT = 8;

  private final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT, TEXT);
  private final HashIndex index = new HashIndex(0);
  private final Arena arena;
  private final Bytes scratch = new Bytes();

  public Claimants(Arena arena) {
    this.arena = arena;
  }

  /** True if a different text has this key; an empty text never conflicts. */
  public boolean conflicts(long high, long low, DirectBuffer text, int offset, int length) {
    int slot = length == 0 || index.size() == 0 ? Slab.NONE : find(high, low);
    if (slot == Slab.NONE) {
      return false;
    }
    long block = slab.getLong(slot, TEXT);
    Bytes known =
        scratch.set(arena.buffer(block), arena.offset(block), slab.getInt(slot, TEXT_LENGTH));
    return !known.matches(text, offset, length);
  }

  /** Adds a reference to a text, which is copied if it is new. */
  public void acquire(long high, long low, DirectBuffer text, int offset, int length) {
    if (!isKnown(high, low)) {
      add(high, low, text, offset, length);
    }
    acquire(high, low);
  }

  void add(long high, long low, DirectBuffer text, int offset, int length) {
    int slot = slab.allocate();
    long block = arena.allocate(length);
    arena.buffer(block).putBytes(arena.offset(block), text, offset, length);
    slab.putLong(slot, HIGH, high);
    slab.putLong(slot, LOW, low);
    slab.putLong(slot, TEXT, block);
    slab.putInt(slot, TEXT_LENGTH, length);
    index.insert(Mix.key(high, low), slot);
  }

  /** Adds a reference to a known text. */
  public void acquire(long high, long low) {
    int slot = known(high, low);
    slab.putInt(slot, REFERENCES, slab.getInt(slot, REFERENCES) + 1);
  }

  /** Drops a reference, and the text with the last one. */
  public void release(long high, long low) {
    int slot = known(high, low);
    int references = slab.getInt(slot, REFERENCES) - 1;
    Invariant.check(references >= 0, "references to a claimant's text", slot, references);
    slab.putInt(slot, REFERENCES, references);
    if (references == 0) {
      index.remove(Mix.key(high, low), slot);
      arena.free(slab.getLong(slot, TEXT));
      slab.free(slot);
      Invariant.check(index.size() == slab.size(), "each text is in the index", slot, slab.size());
    }
  }

  public boolean isKnown(long high, long low) {
    return find(high, low) != Slab.NONE;
  }

  /** True if every text has a reference. */
  public boolean areAllReferred() {
    for (int slot = 0; slot < slab.highWater(); slot++) {
      if (slab.getLong(slot, TEXT) != Arena.NONE && slab.getInt(slot, REFERENCES) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Refers to a known text. */
  public void text(long high, long low, Bytes into) {
    int slot = known(high, low);
    long block = slab.getLong(slot, TEXT);
    into.set(arena.buffer(block), arena.offset(block), slab.getInt(slot, TEXT_LENGTH));
  }

  /** Bytes of records and index. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  public int size() {
    return slab.size();
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

  private int known(long high, long low) {
    int slot = find(high, low);
    Invariant.check(slot != Slab.NONE, "a claimant's text is held", high, low);
    return slot;
  }

  private int find(long high, long low) {
    return index.find(slab, HIGH, high, low);
  }
}
