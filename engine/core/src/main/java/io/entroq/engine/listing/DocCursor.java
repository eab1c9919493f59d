package io.entroq.engine.listing;

import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.engine.doc.DocPosition;

/**
 * One listing of docs: what is asked, and where it stands.
 *
 * <p>Docs of a range come by key, secondary key and id. Every doc that is in the range from the
 * first slice to the last, with the same keys, is shown once. What was inserted after the first
 * slice is left out. A doc whose keys change in between may be shown where it was, where it is, at
 * both places or at none.
 */
public final class DocCursor {

  final ListDocsDecoder query;
  final DocPosition position = new DocPosition();
  boolean isBegun;

  /** Whether nothing is left to be shown. */
  boolean isThrough;

  /** What was inserted after this is not shown. */
  long firstSequence;

  int nextId;

  /** How many docs may still be shown. */
  int left;

  /**
   * A listing that has not begun.
   *
   * @param query and the buffer that it reads must stay as they are until the listing is done
   */
  public DocCursor(ListDocsDecoder query) {
    this.query = query;
    boolean isLimited = query.limit() > 0 && query.idCount() == 0;
    this.left = isLimited ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether everything has been shown. */
  public boolean isDone() {
    return isThrough || left == 0;
  }
}
