package io.entroq.perf.peers.postgres;

import io.entroq.load.LoadSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** One caller's connection. */
final class PostgresSession implements LoadSession {
  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement claim;

  PostgresSession(Connection connection, String table) throws SQLException {
    this.connection = connection;
    insert = connection.prepareStatement(PostgresQueue.INSERT.formatted(table));
    claim = connection.prepareStatement(PostgresQueue.CLAIM.formatted(table));
  }

  @Override
  public void insert(List<byte[]> values) throws SQLException {
    // A statement alone is a transaction, in one round trip.
    connection.setAutoCommit(true);
    insert.setObject(1, values.toArray(byte[][]::new));
    insert.executeUpdate();
  }

  @Override
  public List<byte[]> claim(int limit) throws SQLException {
    List<byte[]> values = new ArrayList<>(limit);
    connection.setAutoCommit(false);
    claim.setInt(1, limit);
    try (ResultSet rows = claim.executeQuery()) {
      while (rows.next()) {
        values.add(rows.getBytes(1));
      }
    }
    if (values.isEmpty()) {
      connection.rollback();
    }
    return values;
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
