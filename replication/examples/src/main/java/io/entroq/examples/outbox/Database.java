package io.entroq.examples.outbox;

import java.sql.Connection;
import java.sql.SQLException;

/** Opens connections: {@code dataSource::getConnection}, or a driver. Thread-safe. */
@FunctionalInterface
interface Database {
  /** Opens a connection, which the caller must close. */
  Connection connect() throws SQLException;

  /**
   * Runs a transaction; it takes effect completely or not at all.
   *
   * @return its result, after the commit
   */
  default <T> T transact(Transaction<T> transaction) throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      try {
        T result = transaction.run(connection);
        connection.commit();
        return result;
      } catch (Throwable t) {
        connection.rollback();
        throw t;
      }
    }
  }

  /** The work of a transaction. */
  @FunctionalInterface
  interface Transaction<T> {
    /** Does the work; must not commit. */
    T run(Connection connection) throws SQLException;
  }
}
