package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With H2, in this process; and what does not depend on the database. */
class OutboxTest extends OutboxTests {
  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  @Test
  void shouldRefuseWrongSettings() {
    for (String wrong : List.of("", "A", "1a", "a-b", "a;b", "a b", "é", "a".repeat(41))) {
      assertThatThrownBy(() -> Outbox.withPrefix(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("\"" + wrong + "\"");
      assertThatThrownBy(() -> Processed.withPrefix(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
    Relay.Builder relay = outbox.relay(database, queue);
    for (int wrong : new int[] {0, 1_001}) {
      assertThatThrownBy(() -> relay.batchRows(wrong))
          .hasMessageContaining("1 to 1000, is " + wrong);
    }
    for (Duration wrong : List.of(Duration.ofMillis(9), Duration.ofSeconds(3_601))) {
      assertThatThrownBy(() -> relay.pollInterval(wrong)).hasMessageContaining("is " + wrong);
    }
  }

  @Test
  void shouldInsertOnceWhereverARelayDies() throws SQLException {
    relayWithDeaths(false);
  }

  @Test
  void shouldLetAllRowsWaitIfTooManyQueuesAreFull() {
    queue.policies().put(QueuePolicy.prefix("full/").maxTasks(1));
    for (int i = 0; i <= 100; i++) {
      String name = "full/" + i;
      queue.modify(Modification.insert(name, "first")).orThrow();
      database.transact(connection -> outbox.insert(connection, Insert.into(name)));
    }
    try (Relay relay = outbox.relay(database, queue).batchRows(1_000).start()) {
      until("it says so", () -> relay.status().problem().isPresent());
      queue.policies().delete(QueuePolicy.prefix("full/").target());
      until("it goes on", () -> relay.status().relayed() == 101);
    }
  }
}
