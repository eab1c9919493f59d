package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page for users has the table of settings that there is. */
class SettingsPageTest {
  private static final Path PAGE = Path.of("SETTINGS.md");
  private static final String BEGIN = "<!-- The settings, as the tests print them. -->\n";
  private static final String END = "<!-- The end of the settings. -->";

  @Test
  void shouldHaveAllSettings() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    assertThat(begin).as("where the table begins").isGreaterThan(BEGIN.length());
    // Put this there.
    assertThat(page.substring(begin, page.indexOf(END))).isEqualTo(table());
  }

  static String table() {
    StringBuilder text = new StringBuilder();
    for (Section section : Section.values()) {
      text.append("\n**").append(section.title()).append("**\n\n");
      text.append("| option | variable | default | |\n|---|---|---|---|\n");
      ServerSettings.all().stream()
          .filter(setting -> setting.section() == section)
          .forEach(setting -> text.append(row(setting)));
    }
    return text.append('\n').toString();
  }

  private static String row(Setting<?> setting) {
    String label = setting.kind().label();
    String range = setting.kind().range();
    return "| `--%s%s` | `%s` | %s | %s%s |\n"
        .formatted(
            setting.name(),
            label.isEmpty() ? "" : " " + label,
            setting.variable(),
            setting.standardSaid(),
            setting.effect(),
            // Words are explained already.
            range.startsWith("from ") ? " F" + range.substring(1) + "." : "");
  }
}
