package io.entroq.cluster.service;

/** A snapshot cannot be written, or is not what was written. */
public final class SnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  SnapshotException(String message) {
    super(message);
  }
}
