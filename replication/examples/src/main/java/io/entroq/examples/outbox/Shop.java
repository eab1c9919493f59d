package io.entroq.examples.outbox;

import io.entroq.api.Insert;
import io.entroq.jdbc.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The application. It does not use the queue: the transaction that writes an order also writes the
 * order's task into the outbox. Thread-safe.
 */
final class Shop {
  static final String PREFIX = "shop";
  static final Outbox OUTBOX = Outbox.withPrefix(PREFIX);

  private static final List<String> TABLES =
      List.of(
          "orders (customer VARCHAR(100) NOT NULL, points INT NOT NULL)",
          "accounts (customer VARCHAR(100) PRIMARY KEY, points INT NOT NULL)");

  private final Database database;

  Shop(Database database) {
    this.database = database;
  }

  /** Creates the tables that do not exist. */
  void createTables() throws SQLException {
    try (Connection connection = database.connect()) {
      OUTBOX.createTables(connection);
      Credit.PROCESSED.createTable(connection);
      for (String table : TABLES) {
        Sql.update(connection, "CREATE TABLE IF NOT EXISTS " + table);
      }
    }
  }

  /** Places an order that earns the customer points. */
  void order(String customer, int points) throws SQLException {
    database.transact(
        connection -> {
          Sql.update(
              connection, "INSERT INTO orders (customer, points) VALUES (?, ?)", customer, points);
          return OUTBOX.insert(
              connection, Insert.into(Credit.QUEUE).withValue(points + " " + customer));
        });
  }
}
