package io.entroq.codec.message;

import org.agrona.concurrent.UnsafeBuffer;

/** Checks that bytes are well-formed UTF-8: no overlong forms, no surrogates, up to U+10FFFF. */
public final class Utf8 {
  private Utf8() {}

  public static boolean isValid(UnsafeBuffer buffer, int offset, int length) {
    int end = offset + length;
    int at = offset;
    while (at < end) {
      int size = sequenceLength(buffer, at, end);
      if (size == 0) {
        return false;
      }
      at += size;
    }
    return true;
  }

  /** The length of the sequence that starts here, or 0 if it is malformed. */
  private static int sequenceLength(UnsafeBuffer buffer, int at, int end) {
    int first = buffer.getByte(at);
    if (first >= 0) {
      return 1;
    }
    int left = end - at;
    if (first < (byte) 0xE0) {
      return first >= (byte) 0xC2 && left >= 2 && isTrailing(buffer, at + 1) ? 2 : 0;
    }
    if (first < (byte) 0xF0) {
      return left >= 3 && isThreeBytes(buffer, at, first) ? 3 : 0;
    }
    return left >= 4 && isFourBytes(buffer, at, first) ? 4 : 0;
  }

  private static boolean isThreeBytes(UnsafeBuffer buffer, int at, int first) {
    int second = buffer.getByte(at + 1) & 0xFF;
    boolean overlong = first == (byte) 0xE0 && second < 0xA0;
    boolean surrogate = first == (byte) 0xED && second >= 0xA0;
    return !overlong && !surrogate && isTrailing(buffer, at + 1) && isTrailing(buffer, at + 2);
  }

  private static boolean isFourBytes(UnsafeBuffer buffer, int at, int first) {
    int codePointHigh = ((first & 0xFF) << 8) | (buffer.getByte(at + 1) & 0xFF);
    // F0 90 begins U+10000, F4 8F ends with U+10FFFF.
    return codePointHigh >= 0xF090
        && codePointHigh <= 0xF48F
        && isTrailing(buffer, at + 1)
        && isTrailing(buffer, at + 2)
        && isTrailing(buffer, at + 3);
  }

  private static boolean isTrailing(UnsafeBuffer buffer, int at) {
    return buffer.getByte(at) < (byte) 0xC0;
  }
}
