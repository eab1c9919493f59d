package io.entroq.server.settings;

import io.entroq.engine.maintenance.HistoryPolicy;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/** The types of setting values. */
final class SettingTypes {
  private static final Map<String, Boolean> FLAG =
      Map.of("true", true, "1", true, "false", false, "0", false);
  private static final Pattern BYTES = Pattern.compile("(\\d{1,18})(?:([KMGT])(?:iB)?)?");
  private static final String BYTE_UNITS = "KMGT";

  /** Minutes have a small m. */
  private static final Pattern HISTORY_BYTES = Pattern.compile("\\d{1,18}[KMGTkgt](iB)?");

  private static final String HISTORY_OFF = "off";
  private static final Duration HISTORY_AGE_MIN = Duration.ofMinutes(1);
  private static final Duration HISTORY_AGE_MAX = Duration.ofDays(3_650);
  private static final long HISTORY_BYTES_MIN = 1L << 20;
  private static final long HISTORY_BYTES_MAX = 1L << 50;
  private static final int UNIT_BITS = 10;

  private SettingTypes() {}

  /** On or off. */
  static SettingType<Boolean> flag() {
    return new SettingType<>(
        "", "true or false", text -> oneOf(FLAG, text), value -> Boolean.toString(value));
  }

  static SettingType<String> text(String label) {
    return new SettingType<>(label, "", Function.identity(), Function.identity());
  }

  /** Some texts, separated by commas; repeated flags add up. */
  static SettingType<List<String>> list() {
    return new SettingType<>(
        Setting.LIST,
        "texts separated by commas",
        SettingTypes::parseList,
        SettingTypes::printList);
  }

  private static List<String> parseList(String text) {
    List<String> values = Arrays.stream(text.split(",", -1)).map(String::trim).toList();
    if (values.contains("")) {
      throw new IllegalArgumentException();
    }
    return values;
  }

  private static String printList(List<String> values) {
    return String.join(",", values);
  }

  /** A file or a directory. */
  static SettingType<Path> path(String label) {
    return new SettingType<>(label, "a path", SettingTypes::parsePath, Path::toString);
  }

  /** A whole number. */
  static SettingType<Integer> integer(String label, int min, int max) {
    return new SettingType<>(
        label,
        "%d to %d".formatted(min, max),
        text -> inRange(Integer.valueOf(text), min, max),
        value -> Integer.toString(value));
  }

  /** A whole number of 64 bits, from 0. */
  static SettingType<Long> count(String label, long max) {
    return new SettingType<>(
        label,
        "0 to %d".formatted(max),
        text -> inRange(Long.valueOf(text), 0L, max),
        value -> Long.toString(value));
  }

  /** A number of bytes, optionally with a binary unit. */
  static SettingType<Long> bytes(long min, long max) {
    return new SettingType<>(
        "BYTES",
        "%s to %s".formatted(printBytes(min), printBytes(max)),
        text -> inRange(parseBytes(text), min, max),
        SettingTypes::printBytes);
  }

  static SettingType<Duration> duration(Duration min, Duration max) {
    return new SettingType<>(
        "TIME",
        "%s to %s".formatted(DurationConverter.print(min), DurationConverter.print(max)),
        text -> inRange(parseDuration(text), min, max),
        DurationConverter::print);
  }

  /** How much of the past is kept: a time with a unit, a number of bytes with a unit, or off. */
  static SettingType<HistoryPolicy> history() {
    return new SettingType<>(
        "KEEP",
        "off, 1m to 3650d, or 1MiB to 1024TiB",
        SettingTypes::parseHistory,
        SettingTypes::printHistory);
  }

  private static HistoryPolicy parseHistory(String text) {
    if (text.equalsIgnoreCase(HISTORY_OFF)) {
      return HistoryPolicy.OFF;
    }
    if (HISTORY_BYTES.matcher(text).matches()) {
      long bytes = parseBytes(text.toUpperCase(Locale.ROOT).replace("IB", ""));
      return HistoryPolicy.ofBytes(inRange(bytes, HISTORY_BYTES_MIN, HISTORY_BYTES_MAX));
    }
    if (Character.isDigit(text.charAt(text.length() - 1))) {
      // Seconds or bytes?
      throw new IllegalArgumentException();
    }
    return HistoryPolicy.ofAge(inRange(parseDuration(text), HISTORY_AGE_MIN, HISTORY_AGE_MAX));
  }

  private static String printHistory(HistoryPolicy policy) {
    if (!policy.isOn()) {
      return HISTORY_OFF;
    }
    return policy.hasAge() ? DurationConverter.print(policy.age()) : printBytes(policy.bytes());
  }

  /** One of an enum's constants, in lower case. */
  static <E extends Enum<E>> SettingType<E> choice(String label, Class<E> constants) {
    return choice(label, List.of(constants.getEnumConstants()));
  }

  /** One of these constants, in lower case. */
  static <E extends Enum<E>> SettingType<E> choice(String label, List<E> constants) {
    Map<String, E> known =
        constants.stream().collect(Collectors.toMap(SettingTypes::word, Function.identity()));
    String last = word(constants.get(constants.size() - 1));
    String range =
        constants.stream()
            .limit(constants.size() - 1L)
            .map(SettingTypes::word)
            .collect(Collectors.joining(", ", "", " or " + last));
    return new SettingType<>(label, range, text -> oneOf(known, text), SettingTypes::word);
  }

  /** The URL of a service; credentials in it are masked. */
  static SettingType<URI> url(String label) {
    return new SettingType<>(
        label,
        "a URL that starts with http:// or https://",
        SettingTypes::parseUrl,
        SettingTypes::printUrl);
  }

  private static Duration parseDuration(String text) {
    try {
      return new DurationConverter().convert(text);
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <T> T oneOf(Map<String, T> known, String text) {
    T value = known.get(text.toLowerCase(Locale.ROOT));
    if (value == null) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static Path parsePath(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException();
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static long parseBytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    long number = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null) {
      return number;
    }
    int bits = (BYTE_UNITS.indexOf(matcher.group(2)) + 1) * UNIT_BITS;
    // Overflows are larger than any range allows.
    return number > Long.MAX_VALUE >> bits ? Long.MAX_VALUE : number << bits;
  }

  private static String printBytes(long value) {
    int unit = 0;
    long number = value;
    while (unit < BYTE_UNITS.length() && number > 0 && number % (1 << UNIT_BITS) == 0) {
      number >>= UNIT_BITS;
      unit++;
    }
    return unit == 0 ? Long.toString(number) : number + BYTE_UNITS.substring(unit - 1, unit) + "iB";
  }

  private static URI parseUrl(String text) {
    try {
      URI url = new URI(text);
      if (url.getHost() == null
          || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
        throw new IllegalArgumentException();
      }
      return url;
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static String printUrl(URI url) {
    return url.getRawUserInfo() == null
        ? url.toString()
        : url.toString().replace(url.getRawUserInfo() + "@", "***@");
  }

  private static <C extends Comparable<C>> C inRange(C value, C min, C max) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw new IllegalArgumentException();
    }
    return value;
  }
}
