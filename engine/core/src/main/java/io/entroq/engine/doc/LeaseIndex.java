package io.entroq.engine.doc;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;

/**
 * The claimed sets with docs of each namespace: a heap by the end of their leases, and the number
 * of their docs. Nothing runs when a lease expires: it stays in the heap until a write to the
 * namespace removes it, and {@link LeaseCount} subtracts the expired ones.
 *
 * <p>Nothing here is state: it follows from the sets and the time. The order of the heap need not
 * be total, because the order of equal leases has no effect.
 */
public final class LeaseIndex extends SlotHeap {

  /** Expired leases removed per write to the namespace. */
  private static final int EXPIRED_AT_ONCE = 2;

  private final DocSetStore sets;
  private final Slab slab;
  private final SlotArrays arrays;

  public LeaseIndex(NamespaceStore namespaces, DocSetStore sets) {
    this.sets = sets;
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
    return sets.arrivalMs(a) < sets.arrivalMs(b);
  }

  @Override
  protected void moved(int set, int position) {
    sets.leasePosition(set, position);
  }

  /** Adds a set if it has docs and a current lease. */
  public void add(int set, long nowMs) {
    int namespace = sets.namespace(set);
    dropExpired(namespace, nowMs);
    if (sets.docCount(set) == 0 || !sets.hasClaimant(set) || sets.arrivalMs(set) <= nowMs) {
      return;
    }
    int size = size(namespace);
    arrays.reserve(namespace, size);
    attach(namespace, size);
    Invariant.check(sets.leasePosition(set) == Slab.NONE, "a lease is added once", set, size);
    add(set);
    slab.putInt(namespace, NamespaceStore.LEASES_SIZE, size + 1);
    slab.putInt(namespace, NamespaceStore.LEASES_DOCS, docs(namespace) + sets.docCount(set));
  }

  /** Each write adds at most one lease, so eventually all expired ones are removed. */
  private void dropExpired(int namespace, long nowMs) {
    for (int i = 0; i < EXPIRED_AT_ONCE && size(namespace) > 0; i++) {
      int first = arrays.get(namespace, 0);
      if (sets.arrivalMs(first) > nowMs) {
        return;
      }
      remove(first);
    }
  }

  /** Removes a set if it is in the index. */
  public void remove(int set) {
    int position = sets.leasePosition(set);
    if (position == Slab.NONE) {
      return;
    }
    int namespace = sets.namespace(set);
    int size = size(namespace);
    attach(namespace, size);
    Invariant.check(position < size && at(position) == set, "leased where it says", set, position);
    removeAt(position);
    sets.leasePosition(set, Slab.NONE);
    slab.putInt(namespace, NamespaceStore.LEASES_SIZE, size - 1);
    int docsLeft = docs(namespace) - sets.docCount(set);
    Invariant.check(docsLeft >= 0 && (docsLeft == 0) == (size == 1), "docs", namespace, docsLeft);
    slab.putInt(namespace, NamespaceStore.LEASES_DOCS, docsLeft);
    arrays.shrink(namespace, size - 1);
  }

  private void attach(int namespace, int size) {
    attach(arrays.address(namespace), size, arrays.capacity(namespace));
  }

  private int size(int namespace) {
    return slab.getInt(namespace, NamespaceStore.LEASES_SIZE);
  }

  private int docs(int namespace) {
    return slab.getInt(namespace, NamespaceStore.LEASES_DOCS);
  }

  /**
   * Counts docs of expired leases: continues a walk through the heap that visits parents before
   * children and skips the children of a current lease. Exact if nothing changes meanwhile.
   *
   * @param count the position and result of the walk
   * @param steps the maximum number of leases to count
   * @return true if all are counted
   */
  public boolean count(int namespace, long nowMs, LeaseCount count, int steps) {
    int at = count.position;
    int size = size(namespace);
    for (int left = steps; left > 0 && at != Slab.NONE; ) {
      if (at < size && sets.arrivalMs(arrays.get(namespace, at)) <= nowMs) {
        count.expired += sets.docCount(arrays.get(namespace, at));
        left--;
        at = 2 * at + 1;
      } else {
        at = nextSubtree(at);
      }
    }
    count.position = at;
    count.claimed = docs(namespace) - count.expired;
    return at == Slab.NONE;
  }
}
