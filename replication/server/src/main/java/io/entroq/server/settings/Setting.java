package io.entroq.server.settings;

import java.util.Locale;
import java.util.Optional;

/**
 * One thing that a server can be told.
 *
 * @param name words with dashes between them, from which its flags, its environment variable and
 *     its key follow
 * @param standard what it is if nobody says anything, as it would be given; empty: nothing
 * @param standardSaid the same for people, where there is more to it
 * @param effect for people, in a sentence or some
 */
public record Setting<T>(
    Section section,
    String name,
    Kind<T> kind,
    Optional<String> standard,
    String standardSaid,
    String effect) {
  private static final String VARIABLE_PREFIX = "ENTROQ_";

  /** The names of its flag: ours, and where that is another one, as EntroQ would write it. */
  public String[] flags() {
    String underscored = name.replace('-', '_');
    return underscored.equals(name)
        ? new String[] {"--" + name}
        : new String[] {"--" + name, "--" + underscored};
  }

  /** The name of its environment variable. */
  public String variable() {
    return VARIABLE_PREFIX + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /** Whether it is on or off, so that its flag alone is a word. */
  public boolean isSwitch() {
    return kind.label().isEmpty();
  }

  /** Its value as it is given, or what is wrong with that. */
  T read(String text, Source source) {
    try {
      return kind.read(text);
    } catch (IllegalArgumentException e) {
      throw new WrongSettingException(
          "%s: '%s' is wrong, %s".formatted(source.said(this), text, expected()), e);
    }
  }

  private String expected() {
    return kind.range().isEmpty() ? kind.label() + " is expected" : "it may be " + kind.range();
  }
}
