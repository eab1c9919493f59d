package io.entroq.codec.wire;

/** A text is not an id. The caller is to blame; the message says why, without the field's name. */
public final class InvalidIdException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong. */
  public InvalidIdException(String message) {
    super(message);
  }
}
