package io.entroq.engine.listing;

import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.engine.doc.LeaseCount;
import io.entroq.engine.memory.Slab;

/**
 * One listing of namespaces: what is asked, and where it stands. As with queues, every namespace
 * that has docs from the first slice to the last is shown once, and leases that have run out may be
 * counted while commands go on, if there are very many.
 */
public final class NamespaceCursor {

  final ListNamespacesDecoder query;
  final NameFilter names;
  boolean isBegun;
  int next;
  int end;

  /** How many namespaces may still be shown. */
  int left;

  /** The namespace whose leases are being counted, and a hash of its name. */
  int counting = Slab.NONE;

  long countingName;
  long countingNowMs;
  final LeaseCount count = new LeaseCount();

  /**
   * A listing that has not begun.
   *
   * @param query and the buffer that it reads must stay as they are until the listing is done
   */
  public NamespaceCursor(ListNamespacesDecoder query) {
    this.query = query;
    this.names = new NameFilter(query);
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether everything has been shown. */
  public boolean isDone() {
    boolean isThrough = !names.hasNext() && next >= end;
    return isBegun && (left == 0 || (isThrough && counting == Slab.NONE));
  }
}
