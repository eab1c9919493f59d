package io.entroq.cluster.service;

/**
 * This member's state differs from that of a majority at the same log position. The member has
 * stopped, and its snapshots from there on are not used again.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long position;

  DivergedException(long position, String message) {
    super(message);
    this.position = position;
  }

  /** The first position in the cluster's log at which the state is known to be wrong. */
  public long position() {
    return position;
  }
}
