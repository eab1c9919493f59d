package io.entroq.codec.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonNumbersTest {
  private static final int NUMBERS = 50_000;

  private static String print(double number) {
    StringBuilder out = new StringBuilder();
    JsonNumbers.append(out, number);
    return out.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "1.0, 1",
    "1.5, 1.5",
    "-1.5, -1.5",
    "0, 0",
    "-0.0, -0",
    "100, 100",
    "2147483647, 2147483647",
    "2147483648, 2147483648",
    "-2147483648, -2147483648",
    "-2147483649, -2147483649",
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "-1e21, -1e+21",
    "123456789012345678, 123456789012345680",
    "1.5e22, 1.5e+22",
    "999999999999999900000, 999999999999999900000",
    "0.1, 0.1",
    "0.000001, 0.000001",
    "0.00000123, 0.00000123",
    "1e-7, 1e-7",
    "1.25e-7, 1.25e-7",
    "2e23, 2e+23",
    "2e-3, 0.002",
    "9007199254740993, 9007199254740992",
    "4.9e-324, 5e-324",
    "9.9e-324, 1e-323",
    "1.5e-323, 1.5e-323",
    "2.2250738585072014E-308, 2.2250738585072014e-308",
    "1.7976931348623157E308, 1.7976931348623157e+308",
    "123.456, 123.456",
    "5e-1, 0.5",
  })
  void shouldPrintAsJavaScriptDoes(double number, String text) {
    assertThat(print(number)).isEqualTo(text);
  }

  @Test
  void shouldPrintTheShortestTextThatReadsBackAsTheSameNumber() {
    Random random = Seeds.random("numbers");
    for (int i = 0; i < NUMBERS; i++) {
      double number = number(random, i);
      String text = print(number);
      assertThat(Double.parseDouble(text)).as(text).isEqualTo(number);
      BigDecimal printed = new BigDecimal(text).stripTrailingZeros();
      if (printed.precision() > 1) {
        assertThat(readsBackWithFewerDigits(number, printed.precision() - 1)).as(text).isFalse();
      }
    }
  }

  private static double number(Random random, int i) {
    double number =
        switch (i % 4) {
          case 0 -> Double.longBitsToDouble(i);
          case 1 -> random.nextInt(1_000_000) / 1000.0;
          default -> Double.longBitsToDouble(random.nextLong());
        };
    return Double.isFinite(number) ? number : 1;
  }

  private static boolean readsBackWithFewerDigits(double number, int digits) {
    BigDecimal exact = new BigDecimal(number);
    for (RoundingMode mode : new RoundingMode[] {RoundingMode.UP, RoundingMode.DOWN}) {
      if (exact.round(new MathContext(digits, mode)).doubleValue() == number) {
        return true;
      }
    }
    return false;
  }
}
