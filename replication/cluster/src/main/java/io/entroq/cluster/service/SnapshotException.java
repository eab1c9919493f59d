package io.entroq.cluster.service;

/** A snapshot cannot be written, or is damaged. */
public final class SnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isDamage;

  private SnapshotException(String message, boolean isDamage) {
    super(message);
    this.isDamage = isDamage;
  }

  SnapshotException(String message) {
    this(message, false);
  }

  static SnapshotException damaged(String what) {
    return new SnapshotException("the snapshot is damaged: " + what, true);
  }

  /** Whether the snapshot is damaged. */
  public boolean isDamage() {
    return isDamage;
  }
}
