package io.entroq.codec.message;

/** The bytes of a message do not match its schema. No part of the message may be used. */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String field;
  private final int offset;
  private final String problem;

  /**
   * @param field message and field, such as {@code Claim.lease_ms}
   * @param offset bytes from the start of the outermost message
   * @param problem what is wrong there
   */
  public MalformedMessageException(String field, int offset, String problem) {
    super(field + " at byte " + offset + ": " + problem);
    this.field = field;
    this.offset = offset;
    this.problem = problem;
  }

  /** Message and field, such as {@code Claim.lease_ms}. */
  public String field() {
    return field;
  }

  /** Where the problem was detected, in bytes from the start of the outermost message. */
  public int offset() {
    return offset;
  }

  /** What is wrong, for who wrote the message as another one with fields of the same names. */
  public String describe(String message) {
    return (field.startsWith(message) ? field.substring(message.length()) : field) + ": " + problem;
  }
}
