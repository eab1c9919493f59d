package io.entroq.tools.terminal;

import java.io.PrintWriter;
import java.util.regex.Pattern;

/**
 * Text that is safe to print. Names and messages may be untrusted, so control characters, which
 * terminals obey, are replaced.
 */
public final class PlainLine {
  private static final Pattern CONTROL = Pattern.compile("\\p{IsControl}");

  private PlainLine() {}

  /** Replaces each control character, including line ends, with a question mark. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** Prints {@linkplain #of such a line} and flushes. */
  public static void print(PrintWriter to, String text) {
    to.println(of(text));
    to.flush();
  }

  /** Formats a line, and {@linkplain #print prints} it. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more library
  public static void printf(PrintWriter to, String format, Object... args) {
    print(to, format.formatted(args));
  }
}
