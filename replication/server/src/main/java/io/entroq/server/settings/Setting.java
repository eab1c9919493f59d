package io.entroq.server.settings;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One setting of a server: its flag, its environment variable and its key in a configuration file.
 *
 * @param name words with dashes, from which the flag, variable and key are derived
 * @param defaultText the default as a user would write it; empty: no value
 * @param defaultDescription the default for people
 * @param description what the setting does, in a sentence or two
 * @param advice when to change it, as the end of "change it when"; empty: rarely
 */
public record Setting<T>(
    Section section,
    String name,
    SettingType<T> type,
    Optional<String> defaultText,
    String defaultDescription,
    String description,
    String advice) {
  /** The label of types whose repeated flags add up. */
  static final String LIST = "LIST";

  private static final String VARIABLE_PREFIX = "ENTROQ_";

  /** The same setting with a hint for operators. */
  Setting<T> changeWhen(String when) {
    return new Setting<>(section, name, type, defaultText, defaultDescription, description, when);
  }

  /** The flag and, if its name has a dash, EntroQ's spelling with underscores. */
  public String[] flags() {
    String underscored = name.replace('-', '_');
    return underscored.equals(name)
        ? new String[] {"--" + name}
        : new String[] {"--" + name, "--" + underscored};
  }

  public String variable() {
    return VARIABLE_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether the flag may be used without a value. */
  public boolean isFlag() {
    return type.label().isEmpty();
  }

  /** The value of a repeated flag, in the order of the command line. */
  public String combined(List<String> values) {
    // The last one wins, as with EntroQ.
    return type.label().equals(LIST) ? String.join(",", values) : values.get(values.size() - 1);
  }

  /**
   * Parses a value.
   *
   * @throws InvalidSettingException if it is invalid; the message names the source
   */
  T parse(String text, ValueSource source) {
    try {
      return type.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidSettingException(
          "%s: invalid value '%s': expected %s".formatted(source.name(this), text, expected()), e);
    }
  }

  private String expected() {
    return type.range().isEmpty() ? type.label() : type.range();
  }
}
