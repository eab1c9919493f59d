package io.entroq.perf.peers.postgres;

import io.entroq.load.LoadTarget;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** A table of tasks, oldest first by the index of its key. */
final class PostgresQueue implements LoadTarget {
  /** The statements of a cycle, for the table of a queue. */
  static final String INSERT = "INSERT INTO %s (value) SELECT unnest(?::bytea[])";

  static final String CLAIM =
      "DELETE FROM %1$s WHERE id = ANY(ARRAY(SELECT id FROM %1$s ORDER BY id FOR UPDATE SKIP LOCKED"
          + " LIMIT ?)) RETURNING value";

  private final PostgresServer server;
  private final String name;

  private PostgresQueue(PostgresServer server, String name) {
    this.server = server;
    this.name = name;
  }

  static PostgresQueue create(PostgresServer server, String name, boolean isUnlogged)
      throws SQLException {
    PostgresQueue queue = new PostgresQueue(server, name);
    queue.execute(
        "CREATE "
            + (isUnlogged ? "UNLOGGED " : "")
            + "TABLE "
            + name
            + " (id bigint GENERATED ALWAYS AS IDENTITY (CACHE 100) PRIMARY KEY, value bytea NOT"
            + " NULL) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold ="
            + " 5000)");
    return queue;
  }

  private void execute(String command) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(command);
    }
  }

  @Override
  public PostgresSession open(int caller) throws SQLException {
    return new PostgresSession(server.connect(), name);
  }

  @Override
  public void close() throws SQLException {
    execute("DROP TABLE " + name);
  }
}
