package io.entroq.service.protojson;

/** Input that does not fit the message; the exception's message says where and why. */
final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableException(String message) {
    // No stack trace: this is the caller's error.
    super(message, null, false, false);
  }
}
