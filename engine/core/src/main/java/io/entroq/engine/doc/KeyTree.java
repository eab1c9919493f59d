package io.entroq.engine.doc;

import io.entroq.codec.message.FieldLimits;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;
import java.nio.ByteBuffer;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The docs of each namespace ordered by key, secondary key and id: one B+tree of slots per
 * namespace, with the nodes of {@link TreeNodes}.
 *
 * <p>Each entry of an inner node names the first doc below it, so the tree copies no keys. A full
 * node is split in half, except the last one of its height: an append starts a new node instead, so
 * docs inserted in key order fill their nodes. A node that is less than a quarter full is merged
 * with a sibling or takes entries from it. The gap between these bounds keeps one doc that is
 * repeatedly inserted and removed from splitting and merging nodes each time.
 *
 * <p>The shape of a tree depends on history, but no visible result depends on the shape. Places are
 * valid until the next change of any tree.
 */
public final class KeyTree {

  /** No place: after the last doc. */
  public static final long END = -1;

  private static final int HEIGHT_MAX = 16;

  private final NamespaceStore namespaces;
  private final DocStore docs;
  private final TreeNodes nodes = new TreeNodes();
  private final SortKey sought = new SortKey();
  private final SortKey other = new SortKey();
  private final SortKey third = new SortKey();
  private final Bytes key = new Bytes();

  /**
   * The keys of a search that are not those of a doc; the keys of docs are read where they are
   * stored.
   */
  private final UnsafeBuffer soughtKeys =
      new UnsafeBuffer(ByteBuffer.allocateDirect(2 * FieldLimits.TEXT_BYTES_MAX));

  /** The path from the root to a leaf: its nodes, and the entry followed in each. */
  private final int[] pathNodes = new int[HEIGHT_MAX];

  private final int[] pathEntries = new int[HEIGHT_MAX];

  public KeyTree(NamespaceStore namespaces, DocStore docs) {
    this.namespaces = namespaces;
    this.docs = docs;
  }

  // Search.

  /** The first doc of a namespace, or {@link #END}. */
  public long first(int namespace) {
    int node = root(namespace);
    if (node == Slab.NONE) {
      return END;
    }
    while (nodes.isInner(node)) {
      node = nodes.child(node, 0);
    }
    return place(node, 0);
  }

  /** The first doc of a namespace after a position, or {@link #END}. */
  public long seek(int namespace, DocPosition position) {
    if (root(namespace) == Slab.NONE) {
      return END;
    }
    position.describe(sought, soughtKeys);
    int leaf = descend(namespace, sought, Slab.NONE);
    long place = place(leaf, rank(leaf, sought));
    return position.isAfter() && isSought(place) ? next(place) : place;
  }

  /** The doc of these keys, or {@link Slab#NONE}: no two docs have the same. */
  public int find(int namespace, Bytes key, Bytes secondary) {
    if (root(namespace) == Slab.NONE) {
      return Slab.NONE;
    }
    soughtKeys.putBytes(0, key.buffer(), key.offset(), key.length());
    soughtKeys.putBytes(key.length(), secondary.buffer(), secondary.offset(), secondary.length());
    sought.set(soughtKeys.addressOffset(), key.length(), secondary.length(), 0, 0);
    int leaf = descend(namespace, sought, Slab.NONE);
    long place = place(leaf, rank(leaf, sought));
    boolean isThere = place != END && docs.hasKeys(doc(place), key, secondary);
    return isThere ? doc(place) : Slab.NONE;
  }

  /** The first doc of a set with docs; the others follow it by secondary key. */
  public long firstOf(int set) {
    docs.sets.key(set, key);
    soughtKeys.putBytes(0, key.buffer(), key.offset(), key.length());
    sought.set(soughtKeys.addressOffset(), key.length(), 0, 0, 0);
    int namespace = docs.sets.namespace(set);
    int leaf = descend(namespace, sought, Slab.NONE);
    long place = place(leaf, rank(leaf, sought));
    Invariant.check(
        place != END && docs.set(doc(place)) == set, "a set has docs in the tree", set, namespace);
    return place;
  }

  private boolean isSought(long place) {
    if (place == END) {
      return false;
    }
    docs.sortKey(doc(place), other);
    return other.mismatch(sought) == SortKey.EQUAL;
  }

  /** The next doc, or {@link #END}. */
  public long next(long place) {
    return place((int) (place >>> Integer.SIZE), (int) place + 1);
  }

  private long place(int leaf, int entry) {
    if (entry < nodes.count(leaf)) {
      return (long) leaf << Integer.SIZE | entry;
    }
    int next = nodes.next(leaf);
    return next == Slab.NONE ? END : (long) next << Integer.SIZE;
  }

  /** The doc at a place. */
  public int doc(long place) {
    return nodes.doc((int) (place >>> Integer.SIZE), (int) place);
  }

  /**
   * Walks from the root to the leaf of a position and records the path.
   *
   * @param doc the doc at the position, or {@link Slab#NONE} if unknown
   */
  private int descend(int namespace, SortKey position, int doc) {
    int node = root(namespace);
    int height = height(namespace);
    for (int level = 0; level < height; level++) {
      int entry = rank(node, position);
      if (entry == nodes.count(node) || nodes.doc(node, entry) != doc) {
        entry = Math.max(entry - 1, 0);
      }
      pathNodes[level] = node;
      pathEntries[level] = entry;
      node = nodes.child(node, entry);
    }
    pathNodes[height] = node;
    return node;
  }

  /** Number of entries of a node before a position. */
  private int rank(int node, SortKey position) {
    int shared = nodes.shared(node);
    int low = 0;
    int high = nodes.count(node);
    if (shared > 0) {
      docs.sortKey(nodes.doc(node, 0), other);
      int at = position.mismatch(other);
      if (at != SortKey.EQUAL && at < shared) {
        return position.compareAt(at, other) < 0 ? 0 : high;
      }
    }
    long head = position.head(shared);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(node, middle, head, position)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBefore(int node, int entry, long head, SortKey position) {
    long entryHead = nodes.head(node, entry);
    if (entryHead != head) {
      return entryHead < head;
    }
    docs.sortKey(nodes.doc(node, entry), other);
    return other.compareTo(position) < 0;
  }

  // Insertion.

  /** Adds a doc to the tree of its namespace. */
  public void add(int doc) {
    int namespace = docs.namespace(doc);
    if (root(namespace) == Slab.NONE) {
      root(namespace, nodes.newLeaf(), 0);
    }
    docs.sortKey(doc, sought);
    int leaf = descend(namespace, sought, Slab.NONE);
    insert(namespace, height(namespace), rank(leaf, sought), doc, Slab.NONE);
  }

  /** Inserts an entry into the node at a level of the path, splitting full nodes. */
  private void insert(int namespace, int level, int entry, int doc, int child) {
    int node = pathNodes[level];
    int right = nodes.count(node) < nodes.capacity(node) ? Slab.NONE : split(node, entry);
    int left = nodes.count(node);
    // Prefer the end of the left node to the beginning of the right one, unless that is empty.
    boolean goesLeft = right == Slab.NONE || entry < left || (entry == left && !isEmpty(right));
    if (goesLeft) {
      put(node, entry, doc, child);
    } else {
      put(right, entry - left, doc, child);
    }
    if (goesLeft && entry == 0) {
      firstChanged(level);
    }
    if (right != Slab.NONE) {
      settle(node);
      settle(right);
      link(namespace, level, node, right);
    }
  }

  private boolean isEmpty(int node) {
    return nodes.count(node) == 0;
  }

  /** Splits a full node before an insert; returns the new node on its right. */
  private int split(int node, int entry) {
    boolean isInner = nodes.isInner(node);
    int count = nodes.count(node);
    boolean isAppended = entry == count && nodes.next(node) == Slab.NONE;
    int right = isInner ? nodes.newInner() : nodes.newLeaf();
    nodes.next(right, nodes.next(node));
    nodes.next(node, right);
    // An inner node needs two entries, so that every node has a sibling.
    int moved = isAppended ? (isInner ? 1 : 0) : count / 2;
    nodes.moveRight(node, right, moved);
    return right;
  }

  /** Adds a new node to its parent. */
  private void link(int namespace, int level, int node, int right) {
    if (level > 0) {
      insert(namespace, level - 1, pathEntries[level - 1] + 1, nodes.doc(right, 0), right);
      return;
    }
    int root = nodes.newInner();
    put(root, 0, nodes.doc(node, 0), node);
    put(root, 1, nodes.doc(right, 0), right);
    int height = height(namespace) + 1;
    Invariant.check(height < HEIGHT_MAX, "height of a tree", height, namespace);
    root(namespace, root, height);
  }

  private void put(int node, int entry, int doc, int child) {
    nodes.open(node, entry);
    if (nodes.isInner(node)) {
      nodes.child(node, entry, child);
    }
    set(node, entry, doc);
  }

  /** Sets the doc of an entry and updates the heads of the node. */
  private void set(int node, int entry, int doc) {
    nodes.doc(node, entry, doc);
    int count = nodes.count(node);
    int shared = 0;
    if (count > 1) {
      docs.sortKey(doc, other);
      docs.sortKey(nodes.doc(node, entry == 0 ? 1 : 0), third);
      shared = other.mismatch(third);
    }
    int before = nodes.shared(node);
    if (count <= 2 || shared < before) {
      rebuild(node, shared);
    } else {
      docs.sortKey(doc, other);
      nodes.head(node, entry, other.head(before));
    }
  }

  /** Recomputes the shared symbols and the heads of a node. */
  private void settle(int node) {
    int shared = 0;
    int last = nodes.count(node) - 1;
    if (last > 0) {
      docs.sortKey(nodes.doc(node, 0), other);
      docs.sortKey(nodes.doc(node, last), third);
      shared = other.mismatch(third);
    }
    rebuild(node, shared);
  }

  private void rebuild(int node, int shared) {
    nodes.shared(node, shared);
    for (int entry = 0; entry < nodes.count(node); entry++) {
      docs.sortKey(nodes.doc(node, entry), other);
      nodes.head(node, entry, other.head(shared));
    }
  }

  /** Updates the ancestors after the first doc of the node at a level of the path has changed. */
  private void firstChanged(int level) {
    int doc = nodes.doc(pathNodes[level], 0);
    for (int above = level - 1; above >= 0; above--) {
      set(pathNodes[above], pathEntries[above], doc);
      if (pathEntries[above] > 0) {
        return;
      }
    }
  }

  // Removal.

  /** Removes a doc from the tree of its namespace. */
  public void remove(int doc) {
    int namespace = docs.namespace(doc);
    docs.sortKey(doc, sought);
    int level = height(namespace);
    int leaf = descend(namespace, sought, doc);
    int entry = rank(leaf, sought);
    Invariant.check(
        entry < nodes.count(leaf) && nodes.doc(leaf, entry) == doc, "a doc is found", doc, entry);
    nodes.close(leaf, entry);
    if (entry == 0 && !isEmpty(leaf)) {
      firstChanged(level);
    }
    while (level > 0 && nodes.count(pathNodes[level]) < nodes.capacity(pathNodes[level]) / 4) {
      refill(level);
      level--;
    }
    if (level == 0) {
      shrink(namespace);
    }
  }

  /** Removes a root with a single child, or an empty one. */
  private void shrink(int namespace) {
    int root = root(namespace);
    int height = height(namespace);
    while (height > 0 && nodes.count(root) == 1) {
      int child = nodes.child(root, 0);
      nodes.free(root);
      root = child;
      height--;
    }
    if (isEmpty(root)) {
      nodes.free(root);
      root = Slab.NONE;
    }
    root(namespace, root, height);
  }

  /** Merges a node with a sibling, or balances their entries. */
  private void refill(int level) {
    int above = pathNodes[level - 1];
    int leftEntry = Math.max(pathEntries[level - 1] - 1, 0);
    int left = nodes.child(above, leftEntry);
    int right = nodes.child(above, leftEntry + 1);
    int sum = nodes.count(left) + nodes.count(right);
    boolean isMerged = sum <= nodes.capacity(left) / 4 * 3;
    int wanted = isMerged ? sum : sum / 2;
    if (wanted < nodes.count(left)) {
      nodes.moveRight(left, right, nodes.count(left) - wanted);
    } else {
      nodes.moveLeft(left, right, wanted - nodes.count(left));
    }
    settle(left);
    // The left node may have been empty: then its ancestors still name a removed doc.
    pathNodes[level] = left;
    pathEntries[level - 1] = leftEntry;
    firstChanged(level);
    if (isMerged) {
      nodes.next(left, nodes.next(right));
      nodes.free(right);
      nodes.close(above, leftEntry + 1);
    } else {
      settle(right);
      set(above, leftEntry + 1, nodes.doc(right, 0));
    }
  }

  private int root(int namespace) {
    return namespaces.slab.getInt(namespace, NamespaceStore.ROOT);
  }

  private int height(int namespace) {
    return namespaces.slab.getInt(namespace, NamespaceStore.HEIGHT);
  }

  private void root(int namespace, int root, int height) {
    namespaces.slab.putInt(namespace, NamespaceStore.ROOT, root);
    namespaces.slab.putInt(namespace, NamespaceStore.HEIGHT, height);
  }

  int nodeCount() {
    return nodes.size();
  }

  public long memoryBytes() {
    return nodes.memoryBytes();
  }

  /** Frees all memory; the trees must not be used afterwards. */
  public void close() {
    nodes.close();
    BufferUtil.free(soughtKeys.byteBuffer());
  }
}
