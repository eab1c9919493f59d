package io.entroq.perf.peers.sqlite;

import io.entroq.load.LoadTarget;
import io.entroq.perf.peers.peer.Server;
import io.entroq.perf.peers.peer.Shape;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;

/** An open database and its only connection. */
final class SqliteServer implements Server {
  /** The statements of a cycle, for the table of a queue. */
  static final String INSERT = "INSERT INTO %s (value) VALUES (?)";

  static final String CLAIM =
      "UPDATE %1$s SET lease_until = ?, version = version + 1 WHERE id IN (SELECT id FROM %1$s"
          + " WHERE lease_until <= ? ORDER BY lease_until, id LIMIT ?) RETURNING id, version, value";
  static final String DELETE = "DELETE FROM %s WHERE id = ? AND version = ?";
  static final String STEPS =
      "each one transaction of prepared statements: %s (a batch); %s; %s (a batch)"
          .formatted(INSERT.formatted("task"), CLAIM.formatted("task"), DELETE.formatted("task"));

  private final ReentrantLock lock = new ReentrantLock();
  private final Connection connection;

  SqliteServer(Connection connection) {
    this.connection = connection;
  }

  @Override
  public String version() {
    try {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      return "unknown";
    }
  }

  @Override
  public LoadTarget createQueue(String name, Shape shape) throws SQLException {
    execute(
        "CREATE TABLE "
            + name
            + " (id INTEGER PRIMARY KEY, lease_until INTEGER NOT NULL DEFAULT"
            + " 0, version INTEGER NOT NULL DEFAULT 0, value BLOB NOT NULL)",
        "CREATE INDEX " + name + "_lease ON " + name + " (lease_until, id)");
    return new LoadTarget() {
      @Override
      public SqliteSession open(int caller) throws SQLException {
        return new SqliteSession(connection, lock, name);
      }

      @Override
      public void close() throws SQLException {
        execute("DROP TABLE " + name);
      }
    };
  }

  private void execute(String... commands) throws SQLException {
    lock.lock();
    try (Statement statement = connection.createStatement()) {
      for (String command : commands) {
        statement.execute(command);
      }
      connection.commit();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
