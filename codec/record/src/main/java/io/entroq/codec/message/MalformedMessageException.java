package io.entroq.codec.message;

/** The bytes of a message do not match its schema. No part of the message may be used. */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final int offset;

  /**
   * @param field message and field, such as {@code Claim.lease_ms}
   * @param offset bytes from the start of the outermost message
   * @param problem what is wrong there
   */
  public MalformedMessageException(String field, int offset, String problem) {
    super(field + " at byte " + offset + ": " + problem);
    this.field = field;
    this.offset = offset;
  }

  /** Message and field, such as {@code Claim.lease_ms}. */
  public String field() {
    return field;
  }

  /** Where the problem was detected, in bytes from the start of the outermost message. */
  public int offset() {
    return offset;
  }
}
