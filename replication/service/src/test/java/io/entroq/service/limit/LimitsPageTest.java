package io.entroq.service.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks {@code LIMITS.md} against the code and the settings. */
class LimitsPageTest {
  private static final Pattern NAME = Pattern.compile("`([a-z-]+)`: .*");
  private static final Pattern SETTING = Pattern.compile("`--([a-z-]+)`.*");
  private static final Pattern SIZE = Pattern.compile("(\\d+)(KiB|MiB|s|m|)");
  private static final Map<String, Integer> UNITS =
      Map.of("", 1, "KiB", 1 << 10, "MiB", 1 << 20, "s", 1_000, "m", 60_000);

  /** Settings that several limits divide, or that have another unit. */
  private static final Set<String> OTHER_UNITS = Set.of("call-bytes-max", "max-size-mb");

  private final List<Row> rows = rows(Path.of("LIMITS.md"));

  private record Row(String first, String standard, String setting, List<String> enforcers) {
    boolean isOf(Limit limit) {
      Matcher name = NAME.matcher(first);
      return name.matches() && name.group(1).equals(limit.label());
    }
  }

  @Test
  void shouldListEachLimitOnceInOrder() {
    assertThat(rows.stream().map(row -> NAME.matcher(row.first)).filter(Matcher::matches))
        .extracting(name -> name.group(1))
        .containsExactlyElementsOf(Arrays.stream(Limit.values()).map(Limit::label).toList());
  }

  @Test
  void shouldListDefaultsOfLimits() {
    for (Limit limit : Limit.values()) {
      Row row = row(limit);
      if (limit.standard() == 0) {
        assertThat(row.standard).as(limit.label()).endsWith(" of the heap");
      } else {
        assertThat(size(row.standard)).as(limit.label()).isEqualTo(limit.standard());
      }
    }
  }

  @Test
  void shouldListDefaultsOfSettings() {
    Map<String, String> settings = settings();
    int checked = 0;
    for (Row row : rows) {
      Matcher setting = SETTING.matcher(row.setting);
      if (setting.matches()) {
        String name = setting.group(1);
        assertThat(settings).containsKey(name);
        if (!OTHER_UNITS.contains(name)) {
          assertThat(row.standard).as(name).isEqualTo(settings.get(name));
          checked++;
        }
      }
    }
    assertThat(checked).isGreaterThan(15);
    assertThat(settings).containsEntry("call-bytes-max", "half of the heap");
    assertThat(size(settings.get("max-size-mb")) << 20).isEqualTo(Limit.MESSAGE_BYTES.standard());
  }

  @Test
  void shouldNameExistingClasses() throws IOException {
    Set<String> classes = new HashSet<>();
    for (String module : List.of(".", "../console")) {
      try (Stream<Path> sources = Files.walk(Path.of(module, "src/main/java"))) {
        sources
            .map(path -> path.getFileName().toString().replace(".java", ""))
            .forEach(classes::add);
      }
    }
    for (Limit limit : Limit.values()) {
      assertThat(row(limit).enforcers).as(limit.label()).isNotEmpty();
      assertThat(classes).containsAll(row(limit).enforcers);
    }
  }

  private Row row(Limit limit) {
    return rows.stream().filter(row -> row.isOf(limit)).findFirst().orElseThrow();
  }

  private static long size(String text) {
    Matcher size = SIZE.matcher(text);
    assertThat(size.matches()).as(text).isTrue();
    return Long.parseLong(size.group(1)) * UNITS.get(size.group(2));
  }

  private static List<Row> rows(Path page) {
    List<Row> rows = new ArrayList<>();
    for (List<String> cells : cells(page)) {
      if (cells.size() >= 6) {
        List<String> enforcers =
            Pattern.compile("`(\\w+)`")
                .matcher(cells.get(3))
                .results()
                .map(match -> match.group(1))
                .toList();
        rows.add(new Row(cells.get(0), cells.get(1), cells.get(2), enforcers));
      }
    }
    return rows;
  }

  /** The defaults by the names of the settings; those of a server, not of a member. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>();
    for (List<String> cells : cells(Path.of("../server/SETTINGS.md"))) {
      if (cells.get(0).startsWith("`--")) {
        settings.putIfAbsent(cells.get(0).split("[` ]")[1].substring(2), cells.get(1));
      }
    }
    return settings;
  }

  private static List<List<String>> cells(Path page) {
    try (Stream<String> lines = Files.lines(page)) {
      return lines
          .filter(line -> line.startsWith("| "))
          .map(line -> Arrays.stream(line.split("\\|")).skip(1).map(String::trim).toList())
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
