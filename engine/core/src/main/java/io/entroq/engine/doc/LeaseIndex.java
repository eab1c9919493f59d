package io.entroq.engine.doc;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;

/**
 * The claimed docs of each namespace: a heap by the end of their leases. Nothing runs when a lease
 * expires: it stays in the heap until a write to the namespace removes it, and {@link LeaseCount}
 * subtracts the expired ones.
 *
 * <p>Nothing here is state: it follows from the docs and the time. The order of the heap need not
 * be total, because the order of equal leases has no effect.
 */
public final class LeaseIndex extends SlotHeap {

  /** Expired leases removed per write to the namespace. */
  private static final int EXPIRED_AT_ONCE = 2;

  private final DocStore docs;
  private final Slab slab;
  private final SlotArrays arrays;

  public LeaseIndex(NamespaceStore namespaces, DocStore docs) {
    this.docs = docs;
    this.slab = namespaces.slab;
    this.arrays =
        new SlotArrays(
            namespaces.slab,
            namespaces.arena,
            NamespaceStore.LEASES_BLOCK,
            NamespaceStore.LEASES_ADDRESS,
            NamespaceStore.LEASES_CAPACITY);
  }

  @Override
  protected boolean before(int a, int b) {
    return docs.arrivalMs(a) < docs.arrivalMs(b);
  }

  @Override
  protected void moved(int doc, int position) {
    docs.leasePosition(doc, position);
  }

  /** Adds a doc if it has a current lease. */
  public void add(int doc, long nowMs) {
    int namespace = docs.namespace(doc);
    dropExpired(namespace, nowMs);
    if (!docs.hasClaimant(doc) || docs.arrivalMs(doc) <= nowMs) {
      return;
    }
    int size = size(namespace);
    arrays.reserve(namespace, size);
    attach(namespace, size);
    Invariant.check(docs.leasePosition(doc) == Slab.NONE, "a lease is added once", doc, size);
    add(doc);
    slab.putInt(namespace, NamespaceStore.LEASES_SIZE, size + 1);
  }

  /** Each write adds at most one lease, so eventually all expired ones are removed. */
  private void dropExpired(int namespace, long nowMs) {
    for (int i = 0; i < EXPIRED_AT_ONCE && size(namespace) > 0; i++) {
      int first = arrays.get(namespace, 0);
      if (docs.arrivalMs(first) > nowMs) {
        return;
      }
      remove(first);
    }
  }

  /** Removes a doc if it is in the index. */
  public void remove(int doc) {
    int position = docs.leasePosition(doc);
    if (position == Slab.NONE) {
      return;
    }
    int namespace = docs.namespace(doc);
    int size = size(namespace);
    attach(namespace, size);
    Invariant.check(position < size && at(position) == doc, "leased where it says", doc, position);
    removeAt(position);
    docs.leasePosition(doc, Slab.NONE);
    slab.putInt(namespace, NamespaceStore.LEASES_SIZE, size - 1);
    arrays.shrink(namespace, size - 1);
  }

  private void attach(int namespace, int size) {
    attach(arrays.address(namespace), size, arrays.capacity(namespace));
  }

  private int size(int namespace) {
    return slab.getInt(namespace, NamespaceStore.LEASES_SIZE);
  }

  /**
   * Counts expired leases: continues a walk through the heap that visits parents before children
   * and skips the children of a current lease. Exact if nothing changes meanwhile.
   *
   * @param count the position and result of the walk
   * @param steps the maximum number of leases to count
   * @return true if all are counted
   */
  public boolean count(int namespace, long nowMs, LeaseCount count, int steps) {
    int at = count.position;
    int size = size(namespace);
    for (int left = steps; left > 0 && at != Slab.NONE; ) {
      if (at < size && docs.arrivalMs(arrays.get(namespace, at)) <= nowMs) {
        count.expired++;
        left--;
        at = 2 * at + 1;
      } else {
        at = nextSubtree(at);
      }
    }
    count.position = at;
    count.claimed = size - count.expired;
    return at == Slab.NONE;
  }
}
