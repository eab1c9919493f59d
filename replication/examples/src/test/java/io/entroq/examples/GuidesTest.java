package io.entroq.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What guides show is a part of a program that is tested here. */
class GuidesTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @ParameterizedTest
  @CsvSource({
    "calling-an-api-with-a-rate-limit, ratelimit, 2",
    "retries-and-dead-letters, retries, 3",
    "exactly-once-with-a-database, outbox, 2"
  })
  void shouldShowWhatStandsInAProgram(String guide, String example, int count) throws IOException {
    String page = Files.readString(Path.of("..", "guides", guide + ".md"));
    List<String> shown = JAVA.matcher(page).results().map(GuidesTest::block).toList();
    assertThat(shown).hasSize(count);
    String program = program(Path.of("src/main/java/io/entroq/examples", example));
    assertThat(shown).allSatisfy(block -> assertThat(program).contains(block));
  }

  private static String block(MatchResult block) {
    return plain(block.group(1));
  }

  private static String program(Path directory) throws IOException {
    StringBuilder text = new StringBuilder();
    try (Stream<Path> sources = Files.list(directory)) {
      for (Path source : sources.sorted().toList()) {
        text.append(Files.readString(source));
      }
    }
    return plain(text.toString());
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", "");
  }
}
