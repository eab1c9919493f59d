package io.entroq.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A database of a test, which may be away. Its own transactions use connections again. */
final class TestDatabase implements Connector, AutoCloseable {
  private final Connector real;
  private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();
  private volatile boolean isAway;

  TestDatabase(Connector real) {
    this.real = real;
  }

  @Override
  public Connection connect() throws SQLException {
    if (isAway) {
      throw new SQLException("connection refused", "08001");
    }
    return real.connect();
  }

  void setAway(boolean away) {
    isAway = away;
  }

  /** Runs a transaction. */
  <T> T transact(Statements<T> statements) {
    Connection connection = idle.poll();
    try {
      if (connection == null) {
        connection = real.connect();
        connection.setAutoCommit(false);
      }
      Connection used = connection;
      T result = Sql.transact(used, () -> statements.run(used));
      idle.add(used);
      return result;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection = idle.poll(); connection != null; connection = idle.poll()) {
      connection.close();
    }
  }

  /** Runs a statement that commits. */
  int execute(String sql, Object... values) {
    return transact(connection -> Sql.update(connection, sql, values));
  }

  long number(String sql) {
    return transact(connection -> Sql.list(connection, row -> row.getLong(1), sql).get(0));
  }

  /** What is done over a connection. */
  @FunctionalInterface
  interface Statements<T> {
    T run(Connection connection) throws SQLException;
  }
}
