package io.entroq.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page shows what compiles; a test of the command line runs its commands. */
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Path EXAMPLE = Path.of("src/test/java/io/entroq/workers/Example.java");

  @Test
  void shouldShowWhatCompiles() throws IOException {
    List<MatchResult> shown =
        JAVA.matcher(Files.readString(Path.of("README.md"))).results().toList();
    assertThat(shown).hasSize(2);
    String example = plain(Files.readString(EXAMPLE));
    assertThat(shown).allSatisfy(block -> assertThat(example).contains(plain(block.group(1))));
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", "");
  }

  @Test
  void shouldShowWhatWorks() throws Exception {
    try (TestEntroQ queue = TestEntroQ.open();
        Worker worker = Example.call(queue)) {
      queue.awaitIdle();
      assertThat(worker.isRunning()).isTrue();
      assertThat(Example.map()).isNotNull();
    }
  }
}
