package io.entroq.engine.memory;

import java.util.Arrays;

/**
 * Fills a hash index with many slots. It sorts batches by shard, so the entries of a shard are
 * written while it is in the CPU caches.
 */
public final class HashFill {

  private static final int BATCH_MAX = 1 << 20;

  @FunctionalInterface
  public interface Keys {
    /** True if two slots have the same key. */
    boolean areEqual(int a, int b);
  }

  private final HashIndex index;
  private final Keys keys;
  private final long[] hashes;
  private final int[] slots;
  private final long[] sorted;
  private final int[] ends;
  private int size;
  private int duplicate = Slab.NONE;

  /**
   * Makes room in an empty index.
   *
   * @param count the number of slots to come
   */
  public HashFill(HashIndex index, int count, Keys keys) {
    this.index = index;
    this.keys = keys;
    int batch = Math.min(count, BATCH_MAX);
    hashes = new long[batch];
    slots = new int[batch];
    sorted = new long[batch];
    ends = new int[index.shardCount() + 1];
    index.reserve(count);
  }

  public void add(long hash, int slot) {
    hashes[size] = hash;
    slots[size] = slot;
    size++;
    if (size == hashes.length) {
      flush();
    }
  }

  /**
   * Completes the index after the last slot.
   *
   * @return a slot with the same key as another, or {@link Slab#NONE}
   */
  public int finish() {
    flush();
    return duplicate;
  }

  private void flush() {
    sort();
    int from = 0;
    for (int shard = 0; shard < ends.length - 1; shard++) {
      int end = ends[shard];
      for (int i = from; i < end; i++) {
        if (!index.place(shard, sorted[i], keys)) {
          duplicate = HashIndex.slotOf(sorted[i]);
        }
      }
      from = end;
    }
    size = 0;
  }

  /** A counting sort; afterwards {@link #ends} holds the end of each shard's entries. */
  private void sort() {
    Arrays.fill(ends, 0);
    for (int i = 0; i < size; i++) {
      ends[index.shard(hashes[i]) + 1]++;
    }
    for (int shard = 1; shard < ends.length; shard++) {
      ends[shard] += ends[shard - 1];
    }
    for (int i = 0; i < size; i++) {
      sorted[ends[index.shard(hashes[i])]++] = HashIndex.entry(hashes[i], slots[i]);
    }
  }
}
