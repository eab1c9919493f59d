package io.entroq.system.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.system.sources.Sources.Source;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The glossary matches the code: the types that it names exist, and retired names are not used. */
class GlossaryTest {
  private static final String PAGE =
      Sources.read(Sources.ROOT.resolve(Path.of("engine/GLOSSARY.md")));
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| \\*\\*(.+?)\\*\\* \\| (.+?) \\| (.+?) \\|$");
  private static final Pattern CODE = Pattern.compile("`([A-Z]\\w+)`");
  private static final Pattern RETIRED = Pattern.compile("(?m)^\\| ~~(.+?)~~ \\| (.+?) \\|$");

  private static List<MatchResult> rows(Pattern pattern) {
    return pattern.matcher(PAGE).results().toList();
  }

  @Test
  void shouldNameTypesThatExist() {
    Set<String> types = Sources.all().stream().map(Source::simpleName).collect(Collectors.toSet());
    List<MatchResult> rows = rows(ROW);
    assertThat(rows).hasSizeGreaterThan(40);
    for (MatchResult row : rows) {
      List<String> named = CODE.matcher(row.group(3)).results().map(m -> m.group(1)).toList();
      assertThat(named).as("where %s is in the code", row.group(1)).isNotEmpty();
      assertThat(types).as(row.group(1)).containsAll(named);
    }
  }

  @Test
  void shouldHaveOneLineForEachTerm() {
    assertThat(rows(ROW).stream().map(row -> row.group(1).toLowerCase(Locale.ROOT)))
        .doesNotHaveDuplicates();
  }

  @Test
  void shouldUseNoRetiredName() {
    Set<String> retired = new TreeSet<>();
    for (MatchResult row : rows(RETIRED)) {
      retired.addAll(List.of(row.group(1).split(", ")));
    }
    assertThat(retired).hasSizeGreaterThan(20);
    for (Source source : Sources.all()) {
      assertThat(retired).as("the name of %s", source.file()).doesNotContain(source.simpleName());
    }
  }
}
