package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/** What the page shows. */
final class Example {
  private final DataSource dataSource;
  private final EntroQ queue;

  Example(DataSource dataSource, EntroQ queue) {
    this.dataSource = dataSource;
    this.queue = queue;
  }

  void createTables() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      Outbox.withPrefix("shop").createTables(connection);
      Processed.withPrefix("shop").createTable(connection);
    }
  }

  Relay insert(String order) throws SQLException {
    Outbox outbox = Outbox.withPrefix("shop");
    Relay relay = outbox.relay(dataSource::getConnection, queue).start();

    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      saveOrder(connection, order);
      outbox.insert(connection, Insert.into("orders").withValue(order));
      connection.commit();
    }
    relay.wake();
    return relay;
  }

  Worker work() {
    Processed processed = Processed.withPrefix("shop");
    Worker worker =
        Worker.on(queue)
            .from("orders")
            .values(ValueCodec.text())
            .start(
                work -> {
                  try (Connection connection = dataSource.getConnection()) {
                    connection.setAutoCommit(false);
                    processed.once(connection, work.task(), () -> ship(connection, work.value()));
                    connection.commit();
                  }
                  return Outcome.done();
                });
    return worker;
  }

  OutboxLag watch(Outbox outbox) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      OutboxLag lag = outbox.lag(connection);
      if (lag.oldest().compareTo(Duration.ofMinutes(1)) > 0 || lag.setAside() > 0) {
        alert(lag.waiting() + " rows wait", outbox.setAside(connection, 10));
      }
      return lag;
    }
  }

  void cleanUp(Processed processed) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      while (processed.deleteOlderThan(connection, Duration.ofDays(7)) > 0) {
        // 1,000 rows at a time.
      }
    }
  }

  private static void alert(String text, Object details) {
    throw new AssertionError(text + ": " + details);
  }

  private static void saveOrder(Connection connection, String order) throws SQLException {
    Sql.update(connection, "INSERT INTO orders VALUES (?)", order);
  }

  private static void ship(Connection connection, String order) throws SQLException {
    Sql.update(connection, "INSERT INTO shipped VALUES (?)", order);
  }
}
