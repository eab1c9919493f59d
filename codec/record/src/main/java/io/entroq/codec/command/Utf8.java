package io.entroq.codec.command;

import org.agrona.concurrent.UnsafeBuffer;

/** Tells whether bytes are well-formed UTF-8: no overlong forms, no surrogates, to U+10FFFF. */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;
  private static final int HIGH_BITS_OF_INT = 0x8080_8080;

  private Utf8() {}

  static boolean isValid(UnsafeBuffer buffer, int offset, int length) {
    return isAscii(buffer, offset, length) || isValidSlowly(buffer, offset, offset + length);
  }

  /** Eight bytes at a time; the last eight overlap those before instead of a loop over the rest. */
  private static boolean isAscii(UnsafeBuffer buffer, int offset, int length) {
    if (length >= Long.BYTES) {
      int last = offset + length - Long.BYTES;
      for (int at = offset; at < last; at += Long.BYTES) {
        if ((buffer.getLong(at) & HIGH_BITS) != 0) {
          return false;
        }
      }
      return (buffer.getLong(last) & HIGH_BITS) == 0;
    }
    if (length >= Integer.BYTES) {
      int both = buffer.getInt(offset) | buffer.getInt(offset + length - Integer.BYTES);
      return (both & HIGH_BITS_OF_INT) == 0;
    }
    int all = 0;
    for (int i = 0; i < length; i++) {
      all |= buffer.getByte(offset + i);
    }
    return all >= 0;
  }

  private static boolean isValidSlowly(UnsafeBuffer buffer, int offset, int end) {
    int at = offset;
    while (at < end) {
      int length = sequenceLength(buffer, at, end);
      if (length == 0) {
        return false;
      }
      at += length;
    }
    return true;
  }

  /** The length of the sequence that begins here, or 0 if it is not well formed. */
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
