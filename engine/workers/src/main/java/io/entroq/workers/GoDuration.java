package io.entroq.workers;

import io.entroq.api.EntroQException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as programs in Go write them: {@code 1h30m}, {@code 1.5s}, {@code 250ms}. */
final class GoDuration {
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private static final String PART = "(\\d{1,12}(?:\\.\\d{0,12})?)(ns|us|µs|ms|s|m|h)";
  private static final Pattern FORM = Pattern.compile("(?:" + PART + "){1,10}");
  private static final Pattern ONE = Pattern.compile(PART);

  private GoDuration() {}

  /**
   * Parses a duration of zero or more.
   *
   * @throws EntroQException.InvalidArgument if it is malformed, or longer than 292 years
   */
  static Duration parse(String text) {
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    if (!FORM.matcher(text).matches()) {
      throw malformed(text);
    }
    BigDecimal nanos = BigDecimal.ZERO;
    for (Matcher part = ONE.matcher(text); part.find(); ) {
      nanos =
          nanos.add(
              new BigDecimal(part.group(1))
                  .multiply(BigDecimal.valueOf(UNIT_NANOS.get(part.group(2)))));
    }
    try {
      return Duration.ofNanos(nanos.toBigInteger().longValueExact());
    } catch (ArithmeticException e) {
      throw malformed(text);
    }
  }

  private static EntroQException.InvalidArgument malformed(String text) {
    return new EntroQException.InvalidArgument(
        "'%s' is not a duration such as 30s".formatted(Results.shorten(text)));
  }
}
