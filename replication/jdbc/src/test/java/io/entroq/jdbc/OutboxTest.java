package io.entroq.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
