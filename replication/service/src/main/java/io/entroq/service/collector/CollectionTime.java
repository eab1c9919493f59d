package io.entroq.service.collector;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/**
 * The time after which the content of a queue or namespace may be deleted, as its name says.
 *
 * <p>A name is a path whose components hold parameters, as in {@code /jobs/day=5;gc=1800000000}.
 * The last {@code gc=} counts. Its value is a number of seconds since the epoch, an RFC 3339 time,
 * or empty for "always".
 */
final class CollectionTime {
  /** The name has no {@code gc=}. */
  static final long NEVER = Long.MAX_VALUE;

  /** The value cannot be read, so nothing is deleted. */
  static final long MALFORMED = Long.MAX_VALUE - 1;

  private static final String PARAMETER = "gc=";
  private static final int SECONDS_DIGITS_MAX = 12;
  private static final long MS_PER_SECOND = 1_000;

  /** Java alone would also read times without seconds, and years that milliseconds do not reach. */
  private static final Pattern RFC_3339 =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");

  private CollectionTime() {}

  /** In milliseconds since the epoch, {@link #NEVER} or {@link #MALFORMED}. */
  static long of(String name) {
    int at = name.length();
    while ((at = name.lastIndexOf(PARAMETER, at - 1)) >= 0) {
      if (at == 0 || isBoundary(name.charAt(at - 1))) {
        return parse(value(name, at + PARAMETER.length()));
      }
    }
    return NEVER;
  }

  private static boolean isBoundary(char c) {
    return c == '/' || c == ';';
  }

  private static String value(String name, int from) {
    int to = from;
    while (to < name.length() && !isBoundary(name.charAt(to))) {
      to++;
    }
    return name.substring(from, to);
  }

  private static long parse(String value) {
    if (value.isEmpty()) {
      return 0;
    }
    if (value.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return value.length() > SECONDS_DIGITS_MAX
          ? MALFORMED
          : Long.parseLong(value) * MS_PER_SECOND;
    }
    if (!RFC_3339.matcher(value).matches()) {
      return MALFORMED;
    }
    try {
      return OffsetDateTime.parse(value).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      return MALFORMED;
    }
  }
}
