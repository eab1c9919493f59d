package io.entroq.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Arrays;
import java.util.List;

/** In what databases differ. */
enum Dialect {
  POSTGRESQL(
      "postgresql.sql",
      "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
      "INSERT INTO %s ON CONFLICT DO NOTHING"),
  /** Of MariaDB too. */
  MYSQL(
      "mysql.sql",
      "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000",
      "INSERT IGNORE INTO %s"),
  H2(
      "h2.sql",
      "DATEDIFF(MILLISECOND, TIMESTAMP WITH TIME ZONE '1970-01-01 00:00:00Z', CURRENT_TIMESTAMP)",
      "INSERT INTO %s");

  private static final String UNIQUE_VIOLATION = "23505";

  private final String script;
  private final String nowMs;
  private final String insertNew;

  Dialect(String script, String nowMs, String insertNew) {
    this.script = script;
    this.nowMs = nowMs;
    this.insertNew = insertNew;
  }

  /** That of the database at the other end. */
  static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> POSTGRESQL;
      case "MySQL", "MariaDB" -> MYSQL;
      case "H2" -> H2;
      default ->
          throw new SQLFeatureNotSupportedException(
              "entroq-jdbc works with PostgreSQL, MySQL, MariaDB and H2, not with " + product);
    };
  }

  /** An expression: the database's time in milliseconds since 1970, UTC. */
  String nowMs() {
    return nowMs;
  }

  /**
   * Inserts a row if no other has its key. Waits for a transaction that has inserted such a row and
   * not ended.
   *
   * @param into table, columns and values, with parameters
   * @return whether it was inserted
   */
  boolean insertNew(Connection connection, String into, Object... values) throws SQLException {
    try {
      return Sql.update(connection, insertNew.formatted(into), values) == 1;
    } catch (SQLException e) {
      if (this == H2 && UNIQUE_VIOLATION.equals(e.getSQLState())) {
        // Only the statement is undone there, not the transaction.
        return false;
      }
      throw e;
    }
  }

  /** The statements that create tables if they do not exist, with the default prefix. */
  List<String> statements() {
    try (InputStream resource = Dialect.class.getResourceAsStream(script)) {
      String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.replaceAll("(?m)^--.*$", "").split(";"))
          .map(String::strip)
          .filter(statement -> !statement.isEmpty())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
