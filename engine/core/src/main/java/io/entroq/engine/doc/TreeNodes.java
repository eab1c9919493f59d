package io.entroq.engine.doc;

import io.entroq.engine.memory.Slab;
import org.agrona.UnsafeApi;

/**
 * The nodes of all {@link KeyTree trees}: 512 bytes each, eight cache lines.
 *
 * <p>A leaf has up to 41 entries, each a doc and its <i>head</i>: seven symbols of its {@link
 * SortKey} as a number. An inner node has up to 31 entries, each a child, the first doc below it,
 * and the head of that doc. A node has one array per field: a search reads only heads, and touches
 * two or three cache lines.
 *
 * <p>Keys of one namespace often share a prefix, such as {@code order/2024/}, so heads taken from
 * their beginning would all be equal. A node therefore stores the number of symbols that its
 * entries share, and heads start after those. The shared prefix itself is not stored: a search
 * compares it once, with one doc. So a search reads at most one doc per node, and a few more where
 * heads are equal, whatever the length and prefix of the keys.
 */
final class TreeNodes {

  static final int LEAF_ENTRIES_MAX = 41;
  static final int INNER_ENTRIES_MAX = 31;

  private static final int COUNT = 0;
  private static final int SHARED = 4;
  private static final int NEXT = 8;
  private static final int IS_INNER = 12;
  private static final int HEADS = 16;
  private static final int LEAF_DOCS = HEADS + LEAF_ENTRIES_MAX * Long.BYTES;
  private static final int INNER_DOCS = HEADS + INNER_ENTRIES_MAX * Long.BYTES;
  private static final int CHILDREN = INNER_DOCS + INNER_ENTRIES_MAX * Integer.BYTES;
  private static final int NODE_BYTES = 512;
  private static final int CHUNK_SHIFT = 6;

  private final Slab slab = new Slab(NODE_BYTES, CHUNK_SHIFT);

  int newLeaf() {
    return create(0);
  }

  int newInner() {
    return create(1);
  }

  private int create(int isInner) {
    int node = slab.allocate();
    slab.putInt(node, IS_INNER, isInner);
    slab.putInt(node, NEXT, Slab.NONE);
    return node;
  }

  void free(int node) {
    slab.free(node);
  }

  boolean isInner(int node) {
    return slab.getInt(node, IS_INNER) != 0;
  }

  int capacity(int node) {
    return isInner(node) ? INNER_ENTRIES_MAX : LEAF_ENTRIES_MAX;
  }

  int count(int node) {
    return slab.getInt(node, COUNT);
  }

  /** The node of the same height to the right, or {@link Slab#NONE}. */
  int next(int node) {
    return slab.getInt(node, NEXT);
  }

  void next(int node, int next) {
    slab.putInt(node, NEXT, next);
  }

  /** The number of leading symbols that all entries share; heads start after them. */
  int shared(int node) {
    return slab.getInt(node, SHARED);
  }

  void shared(int node, int symbols) {
    slab.putInt(node, SHARED, symbols);
  }

  long head(int node, int entry) {
    return UnsafeApi.getLong(headAddress(node, entry));
  }

  void head(int node, int entry, long head) {
    UnsafeApi.putLong(headAddress(node, entry), head);
  }

  private long headAddress(int node, int entry) {
    return slab.address(node) + HEADS + (long) entry * Long.BYTES;
  }

  int doc(int node, int entry) {
    return UnsafeApi.getInt(docAddress(node, entry));
  }

  void doc(int node, int entry, int doc) {
    UnsafeApi.putInt(docAddress(node, entry), doc);
  }

  private long docAddress(int node, int entry) {
    int docs = isInner(node) ? INNER_DOCS : LEAF_DOCS;
    return slab.address(node) + docs + (long) entry * Integer.BYTES;
  }

  int child(int node, int entry) {
    return UnsafeApi.getInt(childAddress(node, entry));
  }

  void child(int node, int entry, int child) {
    UnsafeApi.putInt(childAddress(node, entry), child);
  }

  private long childAddress(int node, int entry) {
    return slab.address(node) + CHILDREN + (long) entry * Integer.BYTES;
  }

  /** Makes room for an entry, whose fields are undefined. */
  void open(int node, int entry) {
    shift(node, entry, entry + 1, count(node) - entry);
    slab.putInt(node, COUNT, count(node) + 1);
  }

  /** Removes an entry. */
  void close(int node, int entry) {
    shift(node, entry + 1, entry, count(node) - entry - 1);
    slab.putInt(node, COUNT, count(node) - 1);
  }

  private void shift(int node, int from, int to, int entries) {
    if (entries > 0) {
      copy(node, from, node, to, entries);
    }
  }

  /** Moves entries from the end of a node to the beginning of its right neighbor. */
  void moveRight(int left, int right, int entries) {
    int count = count(left);
    shift(right, 0, entries, count(right));
    copy(left, count - entries, right, 0, entries);
    slab.putInt(left, COUNT, count - entries);
    slab.putInt(right, COUNT, count(right) + entries);
  }

  /** Moves entries from the beginning of a node to the end of its left neighbor. */
  void moveLeft(int left, int right, int entries) {
    int count = count(left);
    copy(right, 0, left, count, entries);
    shift(right, entries, 0, count(right) - entries);
    slab.putInt(left, COUNT, count + entries);
    slab.putInt(right, COUNT, count(right) - entries);
  }

  /** Copies entries between nodes of one height; the ranges may overlap. */
  private void copy(int source, int from, int target, int to, int entries) {
    UnsafeApi.copyMemory(
        headAddress(source, from), headAddress(target, to), (long) entries * Long.BYTES);
    UnsafeApi.copyMemory(
        docAddress(source, from), docAddress(target, to), (long) entries * Integer.BYTES);
    if (isInner(source)) {
      UnsafeApi.copyMemory(
          childAddress(source, from), childAddress(target, to), (long) entries * Integer.BYTES);
    }
  }

  int size() {
    return slab.size();
  }

  long memoryBytes() {
    return slab.memoryBytes();
  }

  void close() {
    slab.close();
  }
}
