package io.entroq.console.web;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The parameters of a URL, or the fields of a form. Immutable; any thread. */
public final class Parameters {
  /** None. */
  public static final Parameters NONE = new Parameters(Map.of());

  private static final int COUNT_MAX = 1_000;

  private final Map<String, List<String>> values;

  private Parameters(Map<String, List<String>> values) {
    this.values = values;
  }

  /**
   * Those of a text such as {@code a=1&b=2}.
   *
   * @throws PageException if it cannot be decoded, or has more than 1,000
   */
  static Parameters of(String encoded) {
    if (encoded.isEmpty()) {
      return NONE;
    }
    String[] pairs = encoded.split("&", COUNT_MAX + 1);
    if (pairs.length > COUNT_MAX) {
      throw PageException.invalid("more than 1,000 parameters");
    }
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : pairs) {
      int mark = pair.indexOf('=');
      String name = decoded(mark < 0 ? pair : pair.substring(0, mark));
      String value = mark < 0 ? "" : decoded(pair.substring(mark + 1));
      values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }
    return new Parameters(values);
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw PageException.invalid("a parameter cannot be decoded: " + e.getMessage());
    }
  }

  /** The first value of a name. */
  public Optional<String> find(String name) {
    return all(name).stream().findFirst();
  }

  /** The first value of a name; empty text if there is none. */
  public String text(String name) {
    return find(name).orElse("");
  }

  /**
   * A whole number.
   *
   * @param standard the value if there is none
   * @throws PageException if it is not a number within the bounds
   */
  public long number(String name, long standard, long min, long max) {
    String text = text(name).strip();
    if (text.isEmpty()) {
      return standard;
    }
    try {
      long number = Long.parseLong(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw PageException.invalid(
        "%s: expected a number from %d to %d, got %s".formatted(name, min, max, text));
  }

  /** The names, in the order in which they came first. */
  public Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  /** All values of a name, in order. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }
}
