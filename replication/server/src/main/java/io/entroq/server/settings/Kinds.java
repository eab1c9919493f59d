package io.entroq.server.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The kinds of values that there are. */
final class Kinds {
  private static final Map<String, Boolean> SWITCH =
      Map.of("true", true, "1", true, "false", false, "0", false);
  private static final Pattern BYTES = Pattern.compile("(\\d{1,18})(?:([KMGT])(?:iB)?)?");
  private static final String BYTE_UNITS = "KMGT";
  private static final int UNIT_BITS = 10;

  private Kinds() {}

  /** On or off. */
  static Kind<Boolean> onOff() {
    return new Kind<>(
        "", "true or false", text -> among(SWITCH, text), value -> Boolean.toString(value));
  }

  /** Any text. */
  static Kind<String> text(String label) {
    return new Kind<>(label, "", Function.identity(), Function.identity());
  }

  /** A file or a directory. */
  static Kind<Path> path(String label) {
    return new Kind<>(label, "", Kinds::readPath, Path::toString);
  }

  /** A whole number. */
  static Kind<Integer> number(String label, int min, int max) {
    return new Kind<>(
        label,
        "from %d to %d".formatted(min, max),
        text -> inRange(Integer.valueOf(text), min, max),
        value -> Integer.toString(value));
  }

  /** A whole number that may be large. */
  static Kind<Long> count(String label, long max) {
    return new Kind<>(
        label,
        "from 0 to %d".formatted(max),
        text -> inRange(Long.valueOf(text), 0L, max),
        value -> Long.toString(value));
  }

  /** A number of bytes, with a unit of powers of 1,024 or without one. */
  static Kind<Long> bytes(long min, long max) {
    return new Kind<>(
        "BYTES",
        "from %s to %s".formatted(printBytes(min), printBytes(max)),
        text -> inRange(readBytes(text), min, max),
        Kinds::printBytes);
  }

  /** A time span. */
  static Kind<Duration> span(Duration min, Duration max) {
    return new Kind<>(
        "TIME",
        "from %s to %s".formatted(Spans.print(min), Spans.print(max)),
        text -> inRange(Spans.read(text), min, max),
        Spans::print);
  }

  /** One of a few words. */
  static <E extends Enum<E>> Kind<E> choice(String label, Class<E> words) {
    return choice(label, List.of(words.getEnumConstants()));
  }

  /** One of these words. */
  static <E extends Enum<E>> Kind<E> choice(String label, List<E> words) {
    Map<String, E> known =
        words.stream().collect(Collectors.toMap(Kinds::word, Function.identity()));
    String range = words.stream().map(Kinds::word).collect(Collectors.joining(", "));
    return new Kind<>(label, range, text -> among(known, text), Kinds::word);
  }

  /** The address of a service; a password in it is not shown. */
  static Kind<URI> url(String label) {
    return new Kind<>(
        label, "an address that begins with http:// or https://", Kinds::readUrl, Kinds::printUrl);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private static <T> T among(Map<String, T> known, String text) {
    T value = known.get(text.toLowerCase(Locale.ROOT));
    if (value == null) {
      throw new IllegalArgumentException();
    }
    return value;
  }

  private static Path readPath(String text) {
    if (text.isEmpty()) {
      throw new IllegalArgumentException();
    }
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static long readBytes(String text) {
    Matcher matcher = BYTES.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException();
    }
    long number = Long.parseLong(matcher.group(1));
    if (matcher.group(2) == null) {
      return number;
    }
    int bits = (BYTE_UNITS.indexOf(matcher.group(2)) + 1) * UNIT_BITS;
    // What is too large for a number of bytes is too large for any range.
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

  private static URI readUrl(String text) {
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
