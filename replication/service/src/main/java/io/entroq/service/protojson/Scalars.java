package io.entroq.service.protojson;

import com.google.protobuf.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Base64;

/** Reads single values from text, by the JSON mapping of protobuf. */
final class Scalars {
  /** More digits than any valid number needs. */
  private static final int NUMBER_CHARS_MAX = 64;

  private static final BigInteger UINT64_MAX =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
  private static final BigInteger INT64_MIN = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger INT64_MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger INT32_MIN = BigInteger.valueOf(Integer.MIN_VALUE);
  private static final BigInteger INT32_MAX = BigInteger.valueOf(Integer.MAX_VALUE);
  private static final int DIGITS_MAX = 20;

  private Scalars() {}

  static int int32(String text) {
    return integer(text, INT32_MIN, INT32_MAX).intValue();
  }

  static long int64(String text) {
    return integer(text, INT64_MIN, INT64_MAX).longValue();
  }

  static long uint64(String text) {
    return integer(text, BigInteger.ZERO, UINT64_MAX).longValue();
  }

  /** An integer in any notation: {@code 10}, {@code 1e1} or {@code 10.0}. */
  private static BigInteger integer(String text, BigInteger min, BigInteger max) {
    BigDecimal number = decimal(text);
    // Checked first, since 1e999999999 has a billion digits.
    if (number.precision() - (long) number.scale() > DIGITS_MAX) {
      throw new UnreadableException("number out of range: " + text);
    }
    if (number.signum() != 0 && number.stripTrailingZeros().scale() > 0) {
      throw new UnreadableException("not an integer: " + text);
    }
    BigInteger integer = number.signum() == 0 ? BigInteger.ZERO : number.toBigIntegerExact();
    if (integer.compareTo(min) < 0 || integer.compareTo(max) > 0) {
      throw new UnreadableException("number out of range: " + text);
    }
    return integer;
  }

  private static BigDecimal decimal(String text) {
    if (text.length() > NUMBER_CHARS_MAX) {
      throw new UnreadableException("number too long: " + text.length() + " characters");
    }
    // BigDecimal accepts these, but JSON does not. Leading zeros are allowed.
    if (!text.chars().allMatch(c -> (c >= '0' && c <= '9') || "+-.eE".indexOf(c) >= 0)
        || text.startsWith("+")
        || text.startsWith(".")) {
      throw new UnreadableException("not a number: " + text);
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new UnreadableException("not a number: " + text);
    }
  }

  static boolean bool(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new UnreadableException("neither true nor false: " + text);
    };
  }

  /** Either alphabet, padded or not. */
  static ByteString bytes(String base64) {
    try {
      return ByteString.copyFrom(
          Base64.getDecoder().decode(base64.replace('-', '+').replace('_', '/')));
    } catch (IllegalArgumentException e) {
      throw new UnreadableException("not base64");
    }
  }
}
