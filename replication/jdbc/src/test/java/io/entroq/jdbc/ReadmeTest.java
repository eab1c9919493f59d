package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The page shows what compiles and works. */
class ReadmeTest {
  private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final Path EXAMPLE = Path.of("src/test/java/io/entroq/jdbc/Example.java");

  @Test
  void shouldShowWhatCompiles() throws IOException {
    List<MatchResult> shown =
        JAVA.matcher(Files.readString(Path.of("README.md"))).results().toList();
    assertThat(shown).hasSizeGreaterThan(3);
    String example = plain(Files.readString(EXAMPLE));
    assertThat(shown).allSatisfy(block -> assertThat(example).contains(plain(block.group(1))));
  }

  private static String plain(String text) {
    return text.replaceAll("\\s+", "");
  }

  @Test
  void shouldShowWhatWorks() throws Exception {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:readme;DB_CLOSE_DELAY=-1");
    TestDatabase database = new TestDatabase(dataSource::getConnection);
    database.execute("CREATE TABLE orders (name VARCHAR(10))");
    database.execute("CREATE TABLE shipped (name VARCHAR(10))");
    try (TestEntroQ queue = TestEntroQ.open()) {
      Example example = new Example(dataSource, queue);
      example.createTables();
      try (Relay relay = example.insert("book");
          Worker worker = example.work()) {
        until("it is shipped", () -> database.number("SELECT COUNT(*) FROM shipped") == 1);
        until("it is relayed", () -> relay.status().relayed() == 1);
        assertThat(worker.isRunning()).isTrue();
      }
      assertThat(example.watch(Outbox.withPrefix("shop")).waiting()).isZero();
      example.cleanUp(Processed.withPrefix("shop"));
    }
    assertThat(database.number("SELECT COUNT(*) FROM shop_processed")).isOne();
  }
}
