package io.entroq.console.value;

/** Error texts of tasks. */
public final class ErrText {
  private static final int LINE_MAX = 160;

  private ErrText() {}

  /** Its first line that is not blank, at most 160 characters; empty if there is none. */
  public static String line(String err) {
    String line = err.lines().map(String::strip).filter(l -> !l.isEmpty()).findFirst().orElse("");
    return line.length() <= LINE_MAX ? line : line.substring(0, LINE_MAX) + "…";
  }
}
