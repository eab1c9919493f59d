package io.entroq.client;

/**
 * What a server can do besides the v1 API of EntroQ.
 *
 * @param bits as a server tells them
 */
record ServerFeatures(long bits) {
  private static final int STREAM = 3;
  private static final int POSITIONS = 4;

  /** What of it a client relies on that has found it: all but what it can do without. */
  long reliedOn() {
    return bits & ~(1L << STREAM | 1L << POSITIONS);
  }

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
    return has(STREAM);
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
