package io.entroq.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Runs statements with parameters. */
final class Sql {
  /** Rows that come at a time where a driver can do so, as each may be large. */
  private static final int FETCH_ROWS = 20;

  private Sql() {}

  /**
   * Runs a statement.
   *
   * @return the number of changed rows
   */
  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, values);
      return statement.executeUpdate();
    }
  }

  /** Runs a statement for each row of parameters. */
  static void updateAll(Connection connection, String sql, List<Object[]> rows)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Object[] values : rows) {
        set(statement, values);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** Passes rows to a reader while it asks for more. */
  static void read(Connection connection, RowReader reader, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      set(statement, values);
      statement.setFetchSize(FETCH_ROWS);
      try (ResultSet row = statement.executeQuery()) {
        boolean goesOn = true;
        while (goesOn && row.next()) {
          goesOn = reader.read(row);
        }
      }
    }
  }

  /** Reads all rows. */
  static <T> List<T> list(Connection connection, RowMapper<T> mapper, String sql, Object... values)
      throws SQLException {
    List<T> rows = new ArrayList<>();
    read(connection, row -> rows.add(mapper.map(row)), sql, values);
    return rows;
  }

  private static void set(PreparedStatement statement, Object[] values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /** Does work and commits it, or rolls it back if it fails. */
  static <T> T transact(Connection connection, Work<T> work) throws SQLException {
    try {
      T result = work.run();
      connection.commit();
      return result;
    } catch (SQLException | RuntimeException e) {
      try {
        connection.rollback();
      } catch (SQLException lost) {
        // The database rolls back what a lost connection has begun.
        e.addSuppressed(lost);
      }
      throw e;
    }
  }

  /**
   * Refuses a connection on which each statement is a transaction of its own.
   *
   * @param what needs a transaction
   */
  static void requireTransaction(Connection connection, String what) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          what
              + " must be in the transaction that it belongs to, but the connection commits each"
              + " statement; call setAutoCommit(false) before, and commit() after, or give the"
              + " connection of your framework's transaction, such as Spring's"
              + " DataSourceUtils.getConnection");
    }
  }

  /** Reads the current row of a result. */
  @FunctionalInterface
  interface RowReader {
    /** Returns whether to go on. */
    boolean read(ResultSet row) throws SQLException;
  }

  /** Maps the current row of a result. */
  @FunctionalInterface
  interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** What a transaction does. */
  @FunctionalInterface
  interface Work<T> {
    T run() throws SQLException;
  }
}
