package io.entroq.perf.report;

import io.entroq.load.Machine;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The report of one benchmark. It prints settings and the machine at the start, and at the end
 * everything as one line of JSON. For one thread.
 */
public final class Report {
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final Map<String, Object> figures = new LinkedHashMap<>();
  private final Class<?> benchmark;
  private String machine = "";
  private boolean hasFailed;

  Report(Class<?> benchmark) {
    this.benchmark = benchmark;
  }

  void setting(String name, Object value) {
    settings.put(name, value);
  }

  /** Prints settings and machine. */
  void begin() {
    machine = Machine.here().line();
    String values =
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "));
    System.out.println(benchmark.getSimpleName() + ": " + values);
    System.out.println("on " + machine);
  }

  /**
   * Adds a figure.
   *
   * @param value a number, a text, or a list or a map of these
   */
  public Report figure(String name, Object value) {
    figures.put(name, value);
    return this;
  }

  /** The process will exit with 1. */
  public void fail(String reason) {
    hasFailed = true;
    System.err.println(reason);
  }

  /** Whether the process will exit with 1. */
  public boolean hasFailed() {
    return hasFailed;
  }

  /** Prints a line of progress with the time of day. */
  public static void note(String format, Object... values) {
    System.out.printf(Locale.ROOT, "%tT ", System.currentTimeMillis());
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /** Prints everything as one line of JSON. */
  void end() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("measurement", benchmark.getName());
    all.putAll(settings);
    all.put("machine", machine);
    all.putAll(figures);
    System.out.println(json(all));
  }

  static String json(Object value) {
    if (value instanceof Double number) {
      // More than three decimals would be noise.
      return Double.isFinite(number) ? Double.toString(Math.rint(number * 1e3) / 1e3) : "null";
    }
    if (value instanceof Collection<?> list) {
      return list.stream().map(Report::json).collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> quoted(entry.getKey().toString()) + ":" + json(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
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
