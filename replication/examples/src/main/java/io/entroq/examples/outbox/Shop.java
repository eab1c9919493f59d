package io.entroq.examples.outbox;

import java.sql.SQLException;
import java.util.List;

/**
 * The application. It does not use the queue: the transaction that writes an order also writes the
 * order's task as a row in the outbox. Thread-safe.
 */
final class Shop {
  private static final List<String> TABLES =
      List.of(
          "orders (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
              + " customer VARCHAR(100) NOT NULL, points INT NOT NULL)",
          "outbox (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
              + " queue VARCHAR(100) NOT NULL, task VARCHAR(1000) NOT NULL)",
          "processed (task VARCHAR(1000) PRIMARY KEY)",
          "accounts (customer VARCHAR(100) PRIMARY KEY, points INT NOT NULL)");

  private final Database database;

  Shop(Database database) {
    this.database = database;
  }

  /** Creates the tables that do not exist. */
  void createTables() throws SQLException {
    database.transact(
        connection -> {
          for (String table : TABLES) {
            Sql.update(connection, "CREATE TABLE IF NOT EXISTS " + table);
          }
          return null;
        });
  }

  /** Places an order that earns the customer points. */
  void order(String customer, int points) throws SQLException {
    database.transact(
        connection -> {
          Sql.update(
              connection, "INSERT INTO orders (customer, points) VALUES (?, ?)", customer, points);
          return Sql.update(
              connection,
              "INSERT INTO outbox (queue, task) VALUES (?, ?)",
              Credit.QUEUE,
              points + " " + customer);
        });
  }
}
