package io.entroq.server.settings;

import java.util.Optional;

/** Settings as a configuration file that says the same, and beside it, who has said it. */
public final class SettingsText {
  private static final int SOURCE_COLUMN = 44;

  private SettingsText() {}

  /** The lines. */
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
    String said =
        value.isPresent()
            ? "%s: %s"
                .formatted(setting.name(), quoted(setting.kind().printer().apply(value.get())))
            : "# %s: %s".formatted(setting.name(), setting.standardSaid());
    String source = settings.isGiven(setting) ? settings.said(setting) : "default";
    return value.isPresent()
        ? said + " ".repeat(Math.max(1, SOURCE_COLUMN - said.length())) + "# " + source
        : said;
  }

  /** Text that YAML could take for something else is put in quotes. */
  private static String quoted(String text) {
    return text.matches("[A-Za-z0-9/][A-Za-z0-9/._-]*")
        ? text
        : "'" + text.replace("'", "''") + "'";
  }
}
