package io.entroq.codec.wire;

/** The caller gave a text that is not an id. The message gives the reason, not the field. */
public final class InvalidIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong. */
  public InvalidIdException(String message) {
    super(message);
  }
}
