package io.entroq.service.protojson;

/** A text that is not the expected message. The exception's message says where and why. */
final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableException(String message) {
    // No stack trace: the error is the caller's.
    super(message, null, false, false);
  }
}
