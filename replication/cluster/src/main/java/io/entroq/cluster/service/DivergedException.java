package io.entroq.cluster.service;

/**
 * The state of this member is not that of the others: a majority of them has another digest at the
 * same place of the log. It has stopped, and its snapshots from there on are not used again.
 */
public final class DivergedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long position;

  DivergedException(long position, String message) {
    super(message);
    this.position = position;
  }

  /** Place in the log of the cluster from which on its state is known to be wrong. */
  public long position() {
    return position;
  }
}
