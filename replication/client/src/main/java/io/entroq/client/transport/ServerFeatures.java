package io.entroq.client.transport;

/**
 * The features of a server beyond EntroQ's v1 API.
 *
 * @param bits as in the server's response
 */
public record ServerFeatures(long bits) {
  private static final int STREAM = 3;
  private static final int POSITIONS = 4;
  private static final int POLICIES = 8;
  private static final int POOLS = 9;
  private static final int FEED = 10;
  private static final int INSIGHT = 12;
  private static final int AS_OF = 13;

  /**
   * The features that other servers must have too: all except those that the client can lose. A
   * member may learn a little later than others that the log has policies or pools. Feeds say
   * themselves if there are none, as do answers as of a point, and the client asks for no insight.
   */
  public long required() {
    return bits
        & ~(1L << STREAM
            | 1L << POSITIONS
            | 1L << POLICIES
            | 1L << POOLS
            | 1L << FEED
            | 1L << INSIGHT
            | 1L << AS_OF);
  }

  /** Request identities, so that requests may be repeated. */
  public boolean hasIdentity() {
    return has(0);
  }

  /** Claims of several tasks. */
  public boolean hasLimit() {
    return has(1);
  }

  /** A claim in a Modify. */
  public boolean hasThenClaim() {
    return has(2);
  }

  /** Request streams. */
  public boolean hasStream() {
    return has(STREAM);
  }

  /** Byte values. */
  public boolean hasRawValues() {
    return has(5);
  }

  /** Claims with a deadline. */
  public boolean hasClaimDeadline() {
    return has(6);
  }

  /** Cancellation of claims by number. */
  public boolean hasCancelClaim() {
    return has(7);
  }

  /** Policies, failures and attributes. */
  public boolean hasPolicies() {
    return has(POLICIES);
  }

  /** Pools and topics. */
  public boolean hasPools() {
    return has(POOLS);
  }

  private boolean has(int bit) {
    return (bits >> bit & 1) == 1;
  }
}
