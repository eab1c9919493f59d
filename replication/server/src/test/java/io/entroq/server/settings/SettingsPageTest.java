package io.entroq.server.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page for users has the table of settings that there is. */
class SettingsPageTest {
  private static final Path PAGE = Path.of("SETTINGS.md");
  private static final String BEGIN = "<!-- The settings, as the tests print them. -->\n";
  private static final String END = "<!-- The end of the settings. -->";
  private static final String NODE_BEGIN = "<!-- Those of a node, as the tests print them. -->\n";
  private static final String NODE_END = "<!-- The end of those of a node. -->";

  @Test
  void shouldHaveAllSettings() throws IOException {
    assertThat(between(BEGIN, END)).isEqualTo(table(ServerSettings.all()));
  }

  @Test
  void shouldHaveThoseThatOnlyNodesHave() throws IOException {
    List<Setting<?>> only = new ArrayList<>(ServerSettings.ofNode());
    only.removeAll(ServerSettings.all());
    assertThat(between(NODE_BEGIN, NODE_END)).isEqualTo(table(only));
  }

  /** Put there what is expected. */
  private static String between(String begin, String end) throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(begin) + begin.length();
    assertThat(from).as("where the table begins").isGreaterThan(begin.length());
    return page.substring(from, page.indexOf(end));
  }

  static String table(List<Setting<?>> settings) {
    StringBuilder text = new StringBuilder();
    for (Section section : Section.values()) {
      List<Setting<?>> own =
          settings.stream().filter(setting -> setting.section() == section).toList();
      if (!own.isEmpty()) {
        text.append("\n### ").append(section.title()).append("\n\n");
        text.append("| setting | default | what it does | change it when |\n");
        text.append("|---|---|---|---|\n");
        own.forEach(setting -> text.append(row(setting)));
      }
    }
    return text.append('\n').toString();
  }

  private static String row(Setting<?> setting) {
    String label = setting.type().label();
    String range = setting.type().range();
    return "| `--%s%s` | %s | %s%s | %s |\n"
        .formatted(
            setting.name(),
            label.isEmpty() ? "" : " " + label,
            setting.defaultDescription(),
            setting.description(),
            // Words are explained already.
            range.matches("\\d.*") ? " Range: " + range + "." : "",
            setting.advice().isEmpty() ? "—" : setting.advice());
  }
}
