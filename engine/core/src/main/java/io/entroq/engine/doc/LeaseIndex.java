package io.entroq.engine.doc;

import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotArrays;
import io.entroq.engine.memory.SlotHeap;

/**
 * The claimed docs of each namespace: a heap by the end of their leases. A lease that has run out
 * stays in the heap until the namespace is written to, and the docs of one that never is are told
 * apart by {@link LeaseCount}; so nobody has to act when time passes.
 *
 * <p>Nothing here is state: all of it follows from the docs and the time. Nor need the order of the
 * heap be total, since nobody asks which of two equal docs is the first.
 */
public final class LeaseIndex extends SlotHeap {

  /** So many leases that have run out are taken out when the namespace is written to. */
  private static final int EXPIRED_AT_ONCE = 2;

  private final DocStore docs;
  private final Slab slab;
  private final SlotArrays arrays;

  /** Creates an index without a doc. */
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

  /** Adds a doc if somebody holds it now. */
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

  /** Each write adds one lease at most, so that in the long run none stays. */
  private void dropExpired(int namespace, long nowMs) {
    for (int i = 0; i < EXPIRED_AT_ONCE && size(namespace) > 0; i++) {
      int first = arrays.get(namespace, 0);
      if (docs.arrivalMs(first) > nowMs) {
        return;
      }
      remove(first);
    }
  }

  /** Takes a doc out, if it is in. */
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
   * Goes on with a walk through the heap that counts the leases that have run out: parents before
   * children, and back at the first that has not. Exact if nothing changes on the way.
   *
   * @param count where the walk stands, and what it has found
   * @param steps how many leases to count at most
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
