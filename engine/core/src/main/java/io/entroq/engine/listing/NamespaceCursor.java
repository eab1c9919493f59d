package io.entroq.engine.listing;

import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.engine.doc.LeaseCount;
import io.entroq.engine.memory.Slab;

/**
 * One listing of namespaces: the query and the position. Every namespace that has docs from the
 * first slice to the last is listed once. If very many leases have expired, they are counted while
 * commands continue.
 */
public final class NamespaceCursor {

  final ListNamespacesDecoder query;
  final NameFilter names;
  boolean isBegun;
  int next;
  int end;

  /** How many namespaces may still be listed. */
  int left;

  /** The namespace whose leases are being counted, and a hash of its name. */
  int counting = Slab.NONE;

  long countingName;
  long countingNowMs;
  final LeaseCount count = new LeaseCount();

  /**
   * Begins a listing.
   *
   * @param query must not change until the listing is done, nor must its buffer
   */
  public NamespaceCursor(ListNamespacesDecoder query) {
    this.query = query;
    this.names = new NameFilter(query);
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether the listing is complete. */
  public boolean isDone() {
    boolean isAtEnd = !names.hasNext() && next >= end;
    return isBegun && (left == 0 || (isAtEnd && counting == Slab.NONE));
  }
}
