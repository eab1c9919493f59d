package io.entroq.examples.outbox;

import java.sql.Connection;
import java.sql.SQLException;

/** Where connections come from: {@code dataSource::getConnection}, or a driver. Any thread. */
@FunctionalInterface
interface Database {
  /** A connection that is the caller's to close. */
  Connection connect() throws SQLException;

  /**
   * Does something in one transaction, all of it or nothing.
   *
   * @return what it returned, once that is committed
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

  /** What happens between begin and commit. */
  @FunctionalInterface
  interface Transaction<T> {
    /** Does it; must not commit. */
    T run(Connection connection) throws SQLException;
  }
}
