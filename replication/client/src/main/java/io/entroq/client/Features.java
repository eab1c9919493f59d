package io.entroq.client;

/**
 * What a server can do besides the v1 API of EntroQ.
 *
 * @param bits as a server tells them
 */
record Features(long bits) {
  /** Requests that may be sent again. */
  boolean hasIdentity() {
    return has(0);
  }

  /** Claims inside a Modify. */
  boolean hasThenClaim() {
    return has(2);
  }

  /** Streams that carry requests. */
  boolean hasStream() {
    return has(3);
  }

  /** Values that are bytes. */
  boolean hasRawValues() {
    return has(5);
  }

  /** Claims that end by themselves. */
  boolean hasClaimDeadline() {
    return has(6);
  }

  /** Claims that can be ended by their number. */
  boolean hasCancelClaim() {
    return has(7);
  }

  private boolean has(int bit) {
    return (bits >> bit & 1) == 1;
  }
}
