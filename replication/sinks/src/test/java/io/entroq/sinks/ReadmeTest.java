package io.entroq.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page shows what compiles. */
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Path EXAMPLE = Path.of("src/test/java/io/entroq/sinks/Example.java");

  @Test
  void shouldShowWhatCompiles() throws IOException {
    Matcher shown = JAVA.matcher(Files.readString(Path.of("README.md")));
    assertThat(shown.find()).isTrue();
    assertThat(plain(Files.readString(EXAMPLE))).contains(plain(shown.group(1)));
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", "");
  }
}
