package io.entroq.api.codec;

/** A value and an object do not go together; the message says why. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Says why. */
  public CodecException(String message) {
    super(message);
  }

  /** Says why, and what found out. */
  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
