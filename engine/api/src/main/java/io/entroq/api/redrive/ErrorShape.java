package io.entroq.api.redrive;

import java.util.regex.Pattern;

/**
 * The shape of an error: its first line without what differs between tasks. Errors with the same
 * shape probably have the same cause. Numbers and ids become {@code #}, quoted text becomes {@code
 * "..."}. A shape is valid Unicode without control characters, and begins and ends with no blank,
 * so that forms and command lines pass it on unchanged.
 */
public final class ErrorShape {
  /** Most characters of a shape. */
  public static final int CHARS_MAX = 120;

  /** Of an error, no more is looked at. */
  private static final int LOOKED_AT_MAX = 4 * CHARS_MAX;

  /** Control characters, and halves of characters whose other half was cut off. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cs}]");

  private static final char NUMBER = '#';
  private static final String QUOTES = "\"'`";
  private static final int[] UUID_PARTS = {8, 4, 4, 4, 12};

  /** Shorter words of hexadecimal digits may be words. */
  private static final int HEX_MIN = 8;

  private ErrorShape() {}

  /** The shape of an error; at most {@link #CHARS_MAX} characters. Takes linear time. */
  public static String of(String err) {
    String line = firstLine(err);
    StringBuilder shape = new StringBuilder();
    int at = 0;
    while (at < line.length() && shape.length() < CHARS_MAX) {
      char c = line.charAt(at);
      if (QUOTES.indexOf(c) >= 0) {
        at = appendQuoted(line, at, shape);
      } else if (isWord(c)) {
        at = appendWord(line, at, shape);
      } else {
        shape.append(c);
        at++;
      }
    }
    shape.setLength(Math.min(shape.length(), CHARS_MAX));
    return printable(shape);
  }

  private static String firstLine(String err) {
    String text = err.length() > LOOKED_AT_MAX ? err.substring(0, LOOKED_AT_MAX) : err;
    return text.lines()
        .map(ErrorShape::printable)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }

  private static String printable(CharSequence text) {
    return UNPRINTABLE.matcher(text).replaceAll(" ").strip();
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c);
  }

  /** An apostrophe in a word begins no quotation, and neither does what never ends. */
  private static int appendQuoted(String line, int at, StringBuilder shape) {
    char quote = line.charAt(at);
    boolean isInWord = at > 0 && (isWord(line.charAt(at - 1)) || line.charAt(at - 1) == NUMBER);
    int end = isInWord ? -1 : line.indexOf(quote, at + 1);
    shape.append(quote);
    if (end < 0) {
      return at + 1;
    }
    shape.append("...").append(quote);
    return end + 1;
  }

  private static int appendWord(String line, int at, StringBuilder shape) {
    if (isUuid(line, at)) {
      shape.append(NUMBER);
      return at + 36;
    }
    int end = at;
    boolean hasDigit = false;
    boolean isHex = true;
    while (end < line.length() && isWord(line.charAt(end))) {
      char c = line.charAt(end);
      hasDigit |= Character.isDigit(c);
      isHex &= isHex(c) || (end == at + 1 && c == 'x' && line.charAt(at) == '0');
      end++;
    }
    boolean isNumber = hasDigit && isHex && (end - at >= HEX_MIN || line.startsWith("0x", at));
    if (isNumber) {
      shape.append(NUMBER);
    } else {
      appendWithoutDigits(line, at, end, shape);
    }
    return end;
  }

  private static void appendWithoutDigits(String line, int from, int to, StringBuilder shape) {
    for (int i = from; i < to; i++) {
      if (!Character.isDigit(line.charAt(i))) {
        shape.append(line.charAt(i));
      } else if (i == from || !Character.isDigit(line.charAt(i - 1))) {
        shape.append(NUMBER);
      }
    }
  }

  private static boolean isUuid(String line, int from) {
    int at = from;
    for (int part : UUID_PARTS) {
      if (at > from) {
        if (at >= line.length() || line.charAt(at) != '-') {
          return false;
        }
        at++;
      }
      int end = at + part;
      for (; at < end; at++) {
        if (at >= line.length() || !isHex(line.charAt(at))) {
          return false;
        }
      }
    }
    return at == line.length() || !isWord(line.charAt(at));
  }

  private static boolean isHex(char c) {
    return Character.digit(c, 16) >= 0 && c < 128;
  }
}
