package io.entroq.codec.wire;

/** A caller's value cannot be stored. The message gives the place and the reason. */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int PATH_CHARS_MAX = 200;

  private final int offset;
  private final String problem;
  private String path = "";

  /**
   * @param offset bytes (for JSON text, characters) from the start of the value; negative if none
   */
  InvalidValueException(int offset, String problem) {
    super(problem);
    this.offset = offset;
    this.problem = problem;
  }

  /** Adds to the path that the value is an element of a list. */
  InvalidValueException inElement(int index) {
    prepend("[" + index + "]");
    return this;
  }

  /** Adds to the path that the value is a member of an object. */
  InvalidValueException inMember(String key) {
    prepend("." + key);
    return this;
  }

  private void prepend(String step) {
    path = step + path;
    if (path.length() > PATH_CHARS_MAX) {
      path = path.substring(0, PATH_CHARS_MAX) + "...";
    }
  }

  /** Path to the problem, such as {@code value.a.b[3]}. */
  public String path() {
    return "value" + path;
  }

  /** Offset of the problem from the start of the value; negative if unknown. */
  public int offset() {
    return offset;
  }

  @Override
  public String getMessage() {
    return offset < 0 ? path() + ": " + problem : path() + " at " + offset + ": " + problem;
  }
}
