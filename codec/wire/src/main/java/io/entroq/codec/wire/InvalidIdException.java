package io.entroq.codec.wire;

/** A caller's text is not an id. The message gives the reason, not the field. */
public final class InvalidIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  public InvalidIdException(String message) {
    super(message);
  }
}
