package io.entroq.engine.listing;

import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.engine.doc.DocPosition;

/**
 * One listing of docs: the query and the position.
 *
 * <p>Docs of a range or a key are ordered by key, secondary key and id. Every doc that stays from
 * the first slice to the last is listed once. Docs inserted after the first slice are left out.
 */
public final class DocCursor {

  final ListDocsDecoder query;
  final DocPosition position = new DocPosition();
  boolean isBegun;

  /** Whether the walk has reached the end. */
  boolean isAtEnd;

  /** Items inserted after this sequence are left out. */
  long firstSequence;

  int nextId;

  /** How many docs may still be listed. */
  int left;

  /**
   * Begins a listing.
   *
   * @param query must not change until the listing is done, nor must its buffer
   */
  public DocCursor(ListDocsDecoder query) {
    this.query = query;
    boolean isLimited = query.limit() > 0 && query.idCount() == 0;
    this.left = isLimited ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether the listing is complete. */
  public boolean isDone() {
    return isAtEnd || left == 0;
  }
}
