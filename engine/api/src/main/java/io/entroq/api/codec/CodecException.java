package io.entroq.api.codec;

/** An object cannot be encoded or a value cannot be decoded; the message says why. */
public final class CodecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CodecException(String message) {
    super(message);
  }

  public CodecException(String message, Throwable cause) {
    super(message, cause);
  }
}
