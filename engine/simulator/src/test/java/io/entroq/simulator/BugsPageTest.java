package io.entroq.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** BUGS.md is well-formed, and the tests that it names exist. */
class BugsPageTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Path TESTS = Path.of("src", "test", "java");
  private static final Pattern TEST = Pattern.compile("`(\\w+)#(should\\w+)`");
  private static final Pattern MENDED =
      Pattern.compile(
          "\\| [^|]+ \\| (?:hunt|simulator|test|review|trial)[^|]* \\| [^|]+"
              + " \\| [0-9a-f]{7}(?:, [0-9a-f]{7})*"
              + " \\| (?:none|`\\w+#\\w+`(?:, `\\w+#\\w+`)*) \\|");
  private static final Pattern FIRST_CELLS = Pattern.compile("\\| [A-Z`].*");

  @Test
  void shouldSayOfEachBugHowItWasFoundWhatMendedItAndWhatTestsIt() throws IOException {
    List<String> rows = rowsOfMended();
    assertThat(rows).hasSizeGreaterThan(60).allMatch(row -> MENDED.matcher(row).matches());
  }

  @Test
  void shouldNameTestsThatAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    Map<String, List<Path>> sources = sources();
    Matcher test = TEST.matcher(String.join("\n", rowsOfMended()));
    while (test.find()) {
      if (!isThere(sources.getOrDefault(test.group(1) + ".java", List.of()), test.group(2))) {
        missing.add(test.group());
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Up to the section of open bugs. */
  private static List<String> rowsOfMended() throws IOException {
    return Files.readString(Path.of("BUGS.md"))
        .replaceAll("(?s)\n## Known.*", "")
        .replaceAll("(?s)^.*?\n## Lost", "")
        .lines()
        .filter(line -> FIRST_CELLS.matcher(line).matches())
        .toList();
  }

  /** The sources of all tests, by file name. */
  private static Map<String, List<Path>> sources() throws IOException {
    Map<String, List<Path>> sources = new HashMap<>();
    for (Path tests : testDirectories()) {
      try (Stream<Path> files = Files.walk(tests)) {
        files.forEach(
            file ->
                sources
                    .computeIfAbsent(file.getFileName().toString(), name -> new ArrayList<>())
                    .add(file));
      }
    }
    return sources;
  }

  private static boolean isThere(List<Path> sources, String method) throws IOException {
    for (Path source : sources) {
      if (Files.readString(source).contains("void " + method + "(")) {
        return true;
      }
    }
    return false;
  }

  /** Modules are up to two levels deep. */
  private static List<Path> testDirectories() throws IOException {
    try (Stream<Path> directories = Files.walk(ROOT, 2)) {
      return directories.map(module -> module.resolve(TESTS)).filter(Files::isDirectory).toList();
    }
  }
}
