package io.entroq.engine.listing;

import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.engine.doc.LeaseIndex;
import io.entroq.engine.doc.NamespaceStore;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.task.Bytes;

/**
 * Lists the namespaces that have docs with their counts (contract 2.9), a slice at a time. Those
 * that have only doc sets without docs are left out.
 */
public final class NamespaceLister {

  /** The effort to look at a namespace and its name, where skipping a free slot is 1. */
  private static final int LOOK_EFFORT = 8;

  /** The effort to show a namespace. */
  private static final int SHOW_EFFORT = 16;

  /** So many leases that have run out are counted at a time, and what that takes. */
  private static final int LEASES_AT_ONCE = 16;

  private final NamespaceStore namespaces;
  private final LeaseIndex leases;
  private final Bytes name = new Bytes();

  public NamespaceLister(NamespaceStore namespaces, LeaseIndex leases) {
    this.namespaces = namespaces;
    this.leases = leases;
  }

  /**
   * Continues a listing.
   *
   * @param effort how much work to do, in free slots skipped; a namespace counts for many
   * @return false if the sink is full or the listing is complete
   */
  public boolean list(NamespaceCursor cursor, long nowMs, int effort, NamespaceVisitor sink) {
    if (!cursor.isBegun) {
      cursor.isBegun = true;
      cursor.end = cursor.names.walks() ? namespaces.highWater() : 0;
    }
    int left = effort;
    while (left > 0 && !cursor.isDone()) {
      if (cursor.counting == Slab.NONE) {
        left -= find(cursor, nowMs);
      } else if (!isSame(cursor)) {
        cursor.counting = Slab.NONE;
      } else if (!leases.count(
          cursor.counting, cursor.countingNowMs, cursor.count, LEASES_AT_ONCE)) {
        left -= LEASES_AT_ONCE * LOOK_EFFORT;
      } else {
        left -= SHOW_EFFORT;
        if (!show(cursor, sink)) {
          return false;
        }
      }
    }
    return !cursor.isDone();
  }

  /** Looks at one place for a namespace to show. */
  private int find(NamespaceCursor cursor, long nowMs) {
    ListNamespacesDecoder query = cursor.query;
    if (cursor.names.hasNext()) {
      int i = cursor.names.next();
      begin(
          cursor,
          namespaces.find(query.buffer(), query.matchExactOffset(i), query.matchExactLength(i)),
          nowMs);
      return LOOK_EFFORT;
    }
    int namespace = cursor.next++;
    if (!namespaces.isAlive(namespace)) {
      return 1;
    }
    namespaces.name(namespace, name);
    if (cursor.names.matches(name.buffer(), name.offset(), name.length())) {
      begin(cursor, namespace, nowMs);
    }
    return LOOK_EFFORT;
  }

  private void begin(NamespaceCursor cursor, int namespace, long nowMs) {
    boolean hasDocs = namespace != Slab.NONE && namespaces.docCount(namespace) > 0;
    cursor.counting = hasDocs ? namespace : Slab.NONE;
    cursor.countingName = namespace == Slab.NONE ? 0 : namespaces.nameHash(namespace);
    cursor.countingNowMs = nowMs;
    cursor.count.clear();
  }

  private boolean isSame(NamespaceCursor cursor) {
    return namespaces.isAlive(cursor.counting)
        && namespaces.docCount(cursor.counting) > 0
        && namespaces.nameHash(cursor.counting) == cursor.countingName;
  }

  private boolean show(NamespaceCursor cursor, NamespaceVisitor sink) {
    int namespace = cursor.counting;
    namespaces.name(namespace, name);
    // Leases that were counted may have been removed since.
    int claimed = Math.max(0, cursor.count.claimed());
    boolean isTaken =
        sink.onNamespace(
            name.buffer(), name.offset(), name.length(), namespaces.docCount(namespace), claimed);
    if (isTaken) {
      cursor.counting = Slab.NONE;
      cursor.left--;
    }
    return isTaken;
  }
}
