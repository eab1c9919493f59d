package io.entroq.engine.listing;

import io.entroq.codec.result.ListPoliciesDecoder;

/**
 * One listing of policies and limiters: the query and the position. Every policy that exists from
 * the first slice to the last is listed once.
 */
public final class PolicyCursor {

  final ListPoliciesDecoder query;
  boolean isBegun;
  int next;
  int end;

  /** How many policies may still be listed. */
  int left;

  /**
   * Begins a listing.
   *
   * @param query must not change until the listing is done, nor must its buffer
   */
  public PolicyCursor(ListPoliciesDecoder query) {
    this.query = query;
    this.left = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
  }

  /** Whether the listing is complete. */
  public boolean isDone() {
    return isBegun && (left == 0 || next >= end);
  }
}
