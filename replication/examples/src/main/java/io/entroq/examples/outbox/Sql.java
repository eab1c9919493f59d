package io.entroq.examples.outbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs statements with parameters. */
final class Sql {
  private Sql() {}

  /**
   * Runs a statement.
   *
   * @return the number of changed rows
   */
  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** Reads all rows of a query. */
  static <T> List<T> query(Connection connection, Reader<T> reader, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values);
        ResultSet results = statement.executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(reader.read(results));
      }
      return rows;
    }
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** Maps the current row of a result. */
  @FunctionalInterface
  interface Reader<T> {
    T read(ResultSet row) throws SQLException;
  }
}
