package io.entroq.perf.report;

import io.entroq.load.Machine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one measurement tells: prints its settings and the machine when it begins, and when it ends
 * all of it again with the figures, as one line of JSON. For one thread.
 */
public final class Report {
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, Object> figures = new LinkedHashMap<>();
  private final Class<?> measurement;
  private String machine = "";

  /** Of the measurement that a class with a main method makes. */
  public Report(Class<?> measurement) {
    this.measurement = measurement;
  }

  /** Adds a setting. */
  public Report setting(String name, Object value) {
    settings.put(name, value);
    return this;
  }

  /** Prints settings and machine. */
  public void begin() {
    machine = Machine.here().line();
    System.out.println(measurement.getSimpleName() + ": " + words(settings));
    System.out.println("on " + machine);
  }

  /**
   * Adds a figure.
   *
   * @param value a number, a text, or a list or a map of such
   */
  public Report figure(String name, Object value) {
    figures.put(name, value);
    return this;
  }

  /** Prints a note for whoever watches, with the time that it was made. */
  public static void note(String format, Object... values) {
    System.out.printf(Locale.ROOT, "%tT ", System.currentTimeMillis());
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** Prints everything as one line of JSON. */
  public void end() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("measurement", measurement.getName());
    all.putAll(settings);
    all.put("machine", machine);
    all.putAll(figures);
    System.out.println(object(all));
  }

  private static String words(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  static String object(Map<?, ?> values) {
    return values.entrySet().stream()
        .map(entry -> quoted(entry.getKey().toString()) + ":" + json(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String json(Object value) {
    if (value instanceof Double number) {
      // Three digits are more than any of this is good for.
      return Double.isFinite(number) ? Double.toString(Math.rint(number * 1e3) / 1e3) : "null";
    }
    if (value instanceof List<?> list) {
      return list.stream().map(Report::json).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return object(map);
    }
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : quoted(value.toString());
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }
}
