package io.entroq.server.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Parses a duration: seconds, such as {@code 90} and {@code 0.5}, or numbers with units, such as
 * {@code 1m30s}, {@code 250ms} and {@code 1.5h}.
 */
public final class DurationConverter implements ITypeConverter<Duration> {
  /** The format, for the help of an option. */
  public static final String FORMS = "seconds, or 250ms, 1m30s, 12h, 7d";

  private static final String NUMBER = "\\d+(?:\\.\\d*)?|\\.\\d+";
  private static final Pattern SECONDS = Pattern.compile(NUMBER);
  private static final Pattern PART = Pattern.compile("(" + NUMBER + ")(ns|us|µs|ms|s|m|h|d)");
  private static final Map<String, Long> UNIT_NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L,
          "d", 86_400_000_000_000L);

  private static final List<String> PRINTED_UNITS = List.of("h", "m", "s", "ms", "us", "ns");

  @Override
  public Duration convert(String text) {
    try {
      return Duration.ofNanos(nanos(text));
    } catch (ArithmeticException e) {
      throw new TypeConversionException("'%s' is too long; at most 292 years".formatted(text));
    }
  }

  /** The shortest text that parses as this duration; not negative. */
  public static String print(Duration duration) {
    long nanos = duration.toNanos();
    StringBuilder text = new StringBuilder();
    for (String unit : PRINTED_UNITS) {
      long number = nanos / UNIT_NANOS.get(unit);
      nanos %= UNIT_NANOS.get(unit);
      text.append(number > 0 ? number + unit : "");
    }
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static long nanos(String text) {
    if (SECONDS.matcher(text).matches()) {
      return nanos(text, "s");
    }
    Matcher part = PART.matcher(text);
    long nanos = 0;
    int end = 0;
    while (end < text.length() && part.find(end) && part.start() == end) {
      nanos = Math.addExact(nanos, nanos(part.group(1), part.group(2)));
      end = part.end();
    }
    if (end == 0 || end < text.length()) {
      throw new TypeConversionException("'%s' is not a duration; write %s".formatted(text, FORMS));
    }
    return nanos;
  }

  private static long nanos(String number, String unit) {
    BigDecimal nanos = new BigDecimal(number).multiply(BigDecimal.valueOf(UNIT_NANOS.get(unit)));
    return nanos.toBigInteger().longValueExact();
  }
}
