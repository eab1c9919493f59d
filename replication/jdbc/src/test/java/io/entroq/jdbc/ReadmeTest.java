package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.worker.Worker;
import io.entroq.engine.embedded.TestEntroQ;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** The page shows what compiles and works. */
class ReadmeTest {

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
