package io.entroq.codec.wire;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Prints doubles as JavaScript does: the shortest decimal that parses to the same double, without a
 * trailing {@code .0}, and with an exponent only below 1e-6 or from 1e21. Negative zero is {@code
 * -0}.
 */
final class JsonNumbers {
  private static final int PLAIN_EXPONENT_MIN = -6;
  private static final int PLAIN_EXPONENT_MAX = 21;

  private JsonNumbers() {}

  static void append(StringBuilder out, double number) {
    if (number == (int) number && (number != 0 || 1 / number > 0)) {
      out.append((int) number);
      return;
    }
    if (number < 0 || 1 / number < 0) {
      out.append('-');
    }
    if (number == 0) {
      out.append('0');
      return;
    }
    appendDecimal(out, Math.abs(number));
  }

  /** The value is 0.DIGITS times ten to the power of {@code point}. */
  private static void appendDecimal(StringBuilder out, double number) {
    // Shortest digits on every JDK, in the notation of Double.toString.
    String text = NumberOutput.toString(number, true);
    int e = text.indexOf('E');
    int dot = text.indexOf('.');
    int mantissaEnd = e < 0 ? text.length() : e;
    String digits = text.substring(0, dot) + text.substring(dot + 1, mantissaEnd);
    int point = dot + (e < 0 ? 0 : Integer.parseInt(text.substring(e + 1)));
    int from = 0;
    while (digits.charAt(from) == '0') {
      from++;
    }
    int to = digits.length();
    while (digits.charAt(to - 1) == '0') {
      to--;
    }
    appendShortest(out, digits.substring(from, to), point - from, number);
  }

  /** Handles Double.toString giving two digits where one suffices, as in 4.9E-324 for 5e-324. */
  private static void appendShortest(StringBuilder out, String digits, int point, double number) {
    if (digits.length() == 2) {
      int rounded = (digits.charAt(0) - '0') + (digits.charAt(1) >= '5' ? 1 : 0);
      if (Double.parseDouble(rounded + "E" + (point - 1)) == number) {
        // 9.9E-324 rounds up to ten.
        boolean isTen = rounded == 10;
        appendDigits(out, isTen ? "1" : Integer.toString(rounded), isTen ? point + 1 : point);
        return;
      }
    }
    appendDigits(out, digits, point);
  }

  private static void appendDigits(StringBuilder out, String digits, int point) {
    int count = digits.length();
    if (point > PLAIN_EXPONENT_MAX || point <= PLAIN_EXPONENT_MIN) {
      out.append(digits.charAt(0));
      if (count > 1) {
        out.append('.').append(digits, 1, count);
      }
      int exponent = point - 1;
      out.append('e').append(exponent < 0 ? '-' : '+').append(Math.abs(exponent));
    } else if (point <= 0) {
      out.append("0.").append("0".repeat(-point)).append(digits);
    } else if (point < count) {
      out.append(digits, 0, point).append('.').append(digits, point, count);
    } else {
      out.append(digits).append("0".repeat(point - count));
    }
  }
}
