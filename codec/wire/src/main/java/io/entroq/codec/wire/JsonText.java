package io.entroq.codec.wire;

/** JSON strings. Thread-safe. */
public final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private JsonText() {}

  /** Appends a text in quotes. Escapes what JSON requires and nothing else. */
  public static void append(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> appendChar(out, c);
      }
    }
    out.append('"');
  }

  private static void appendChar(StringBuilder out, char c) {
    if (c < ' ') {
      out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
    } else {
      out.append(c);
    }
  }

  /** Whether UTF-8 can encode a text; JSON escapes can produce unpaired surrogates. */
  public static boolean isWhole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean isPair =
            i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
        if (!isPair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
