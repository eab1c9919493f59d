package io.entroq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What guides show stands in a program or a test of this module, so it is compiled and run. */
class GuidesTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static List<Path> guides() throws IOException {
    return files(Path.of("..", "guides"), ".md");
  }

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("guides")
  void shouldShowWhatIsRun(Path guide) throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path source : files(Path.of("src"), ".java")) {
      sources.append(Files.readString(source));
    }
    List<String> shown =
        JAVA.matcher(Files.readString(guide)).results().map(block -> block.group(1)).toList();
    String run = plain(sources.toString());
    assertThat(shown).allSatisfy(block -> assertThat(run).contains(plain(block)));
  }

  @ParameterizedTest
  @MethodSource("guides")
  void shouldStartProgramsThatAreHere(Path guide) throws IOException {
    assertThat(
            Pattern.compile("^ +(io\\.entroq\\.examples\\.\\S+)", Pattern.MULTILINE)
                .matcher(Files.readString(guide))
                .results()
                .map(program -> program.group(1)))
        .allSatisfy(
            program ->
                assertThat(Path.of("src/main/java", program.replace('.', '/') + ".java")).exists());
  }

  /** Tests have a server of their own. */
  private static String plain(String text) {
    return text.replace("\"localhost:37706\"", "served.address()").replaceAll("\\s+", "");
  }
}
