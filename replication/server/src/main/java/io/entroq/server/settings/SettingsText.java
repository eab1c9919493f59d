package io.entroq.server.settings;

import java.util.Optional;

/** Settings as a configuration file, with the source of each value as a comment. */
public final class SettingsText {
  private static final int SOURCE_COLUMN = 44;

  private SettingsText() {}

  public static String of(Settings settings) {
    StringBuilder text = new StringBuilder();
    Section section = null;
    for (Setting<?> setting : settings.table()) {
      if (setting.section() != section) {
        section = setting.section();
        text.append(text.isEmpty() ? "" : "\n").append("# ").append(section.title()).append('\n');
      }
      text.append(line(settings, setting)).append('\n');
    }
    return text.toString();
  }

  private static <T> String line(Settings settings, Setting<T> setting) {
    Optional<T> value = settings.find(setting);
    String line =
        value.isPresent()
            ? "%s: %s"
                .formatted(setting.name(), quoted(setting.type().printer().apply(value.get())))
            : "# %s: %s".formatted(setting.name(), setting.defaultDescription());
    String source = settings.isSet(setting) ? settings.nameOf(setting) : "default";
    return value.isPresent()
        ? line + " ".repeat(Math.max(1, SOURCE_COLUMN - line.length())) + "# " + source
        : line;
  }

  /** Quotes text that YAML could read as something else. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9/][A-Za-z0-9/._-]*")
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
