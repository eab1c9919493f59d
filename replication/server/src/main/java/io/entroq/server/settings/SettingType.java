package io.entroq.server.settings;

import java.util.function.Function;

/**
 * The type of a setting's values, and how users write them.
 *
 * @param label a placeholder for the help; empty: a flag
 * @param range the valid values; empty: any
 * @param parser throws {@link IllegalArgumentException} if a value is invalid
 * @param printer formats a value so that it can be parsed again; masks secrets
 */
public record SettingType<T>(
    String label, String range, Function<String, T> parser, Function<T, String> printer) {

  /**
   * Parses a value.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  T parse(String text) {
    return parser.apply(text);
  }
}
