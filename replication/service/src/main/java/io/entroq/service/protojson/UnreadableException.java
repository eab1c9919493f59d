package io.entroq.service.protojson;

/** A text that is not the expected message. The exception's message says where and why. */
final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UnreadableException(String message) {
    // The fault is the caller's, who does not care where in this program it was found.
    super(message, null, false, false);
  }
}
