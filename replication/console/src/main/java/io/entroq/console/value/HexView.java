package io.entroq.console.value;

import java.util.Locale;

/** Bytes as hexadecimal digits with the ASCII characters beside them. */
public final class HexView {
  private static final int BYTES_MAX = 4_096;
  private static final int LINE = 16;
  private static final int PRINTABLE_MIN = 0x20;
  private static final int PRINTABLE_MAX = 0x7e;

  private HexView() {}

  /** The first 4,096 bytes, 16 in a line, and how many are left out. */
  public static String of(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    int shown = Math.min(bytes.length, BYTES_MAX);
    for (int line = 0; line < shown; line += LINE) {
      appendLine(out, bytes, line, Math.min(shown, line + LINE));
    }
    if (shown < bytes.length) {
      out.append(String.format(Locale.ROOT, "%,d more bytes are not shown", bytes.length - shown));
    }
    return out.toString();
  }

  private static void appendLine(StringBuilder out, byte[] bytes, int from, int to) {
    out.append(String.format(Locale.ROOT, "%06x ", from));
    for (int i = from; i < from + LINE; i++) {
      out.append(i < to ? String.format(Locale.ROOT, " %02x", bytes[i]) : "   ");
    }
    out.append("  ");
    for (int i = from; i < to; i++) {
      boolean isPrintable = bytes[i] >= PRINTABLE_MIN && bytes[i] <= PRINTABLE_MAX;
      out.append(isPrintable ? (char) bytes[i] : '.');
    }
    out.append('\n');
  }
}
