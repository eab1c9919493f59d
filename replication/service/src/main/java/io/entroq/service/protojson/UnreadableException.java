package io.entroq.service.protojson;

/** A value that does not fit its field. */
final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isUnknownName;

  UnreadableException(String message) {
    this(message, false);
  }

  private UnreadableException(String message, boolean isUnknownName) {
    // No stack trace: the error is the caller's.
    super(message, null, false, false);
    this.isUnknownName = isUnknownName;
  }

  /** No field has this name. */
  static UnreadableException unknownName(String message) {
    return new UnreadableException(message, true);
  }

  boolean isUnknownName() {
    return isUnknownName;
  }
}
