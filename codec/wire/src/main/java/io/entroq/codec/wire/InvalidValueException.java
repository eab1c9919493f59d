package io.entroq.codec.wire;

/** The caller gave a value that cannot be stored. The message gives the place and the reason. */
public final class InvalidValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int PATH_CHARS_MAX = 200;

  private final int offset;
  private final String problem;
  private String path = "";

  /**
   * @param offset bytes (of JSON text: characters) from the start of the value; negative: none
   * @param problem what is wrong there
   */
  InvalidValueException(int offset, String problem) {
    super(problem);
    this.offset = offset;
    this.problem = problem;
  }

  /** Says that the value in question is an element of a list. */
  InvalidValueException inElement(int index) {
    prepend("[" + index + "]");
    return this;
  }

  /** Says that the value in question is a member of an object. */
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

  /** Where the trouble is inside the value, as in {@code value.a.b[3]}. */
  public String path() {
    return "value" + path;
  }

  /**
   * Where the trouble was noticed, from the start of the value; negative: nowhere in particular.
   */
  public int offset() {
    return offset;
  }

  @Override
  public String getMessage() {
    return offset < 0 ? path() + ": " + problem : path() + " at " + offset + ": " + problem;
  }
}
