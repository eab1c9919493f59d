package io.entroq.tools.terminal;

import java.io.PrintWriter;
import java.util.regex.Pattern;

/**
 * A line for people. Names and messages in it come from strangers, and a terminal obeys some
 * characters, those of Latin-1 above ASCII too: none of them gets through.
 */
public final class PlainLine {
  private static final Pattern CONTROL = Pattern.compile("\\p{IsControl}");

  private PlainLine() {}

  /** The text with a question mark for each control character, line ends among them. */
  public static String of(String text) {
    return CONTROL.matcher(text).replaceAll("?");
  }

  /** Prints {@linkplain #of such a line}, and hands it over. */
  public static void print(PrintWriter to, String text) {
    to.println(of(text));
    to.flush();
  }
}
