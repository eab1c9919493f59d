package io.entroq.perf.peers.sqlite;

import io.entroq.load.LoadSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** One caller's statements on the shared connection; each step is a transaction. */
final class SqliteSession implements LoadSession {
  private static final long LEASE_MS = TimeUnit.SECONDS.toMillis(30);

  private final List<Claimed> claimed = new ArrayList<>();
  private final Connection connection;
  private final ReentrantLock lock;
  private final PreparedStatement insert;
  private final PreparedStatement claim;
  private final PreparedStatement delete;

  SqliteSession(Connection connection, ReentrantLock lock, String table) throws SQLException {
    this.connection = connection;
    this.lock = lock;
    lock.lock();
    try {
      insert = connection.prepareStatement(SqliteServer.INSERT.formatted(table));
      claim = connection.prepareStatement(SqliteServer.CLAIM.formatted(table));
      delete = connection.prepareStatement(SqliteServer.DELETE.formatted(table));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void insert(List<byte[]> values) throws SQLException {
    lock.lock();
    try {
      for (byte[] value : values) {
        insert.setBytes(1, value);
        insert.addBatch();
      }
      insert.executeBatch();
      connection.commit();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<byte[]> claim(int limit) throws SQLException {
    claimed.clear();
    List<byte[]> values = new ArrayList<>(limit);
    lock.lock();
    try {
      long nowMs = System.currentTimeMillis();
      claim.setLong(1, nowMs + LEASE_MS);
      claim.setLong(2, nowMs);
      claim.setInt(3, limit);
      try (ResultSet rows = claim.executeQuery()) {
        while (rows.next()) {
          claimed.add(new Claimed(rows.getLong(1), rows.getInt(2)));
          values.add(rows.getBytes(3));
        }
      }
      connection.commit();
    } finally {
      lock.unlock();
    }
    return values;
  }

  @Override
  public void commit() throws SQLException {
    lock.lock();
    try {
      for (Claimed task : claimed) {
        delete.setLong(1, task.id);
        delete.setInt(2, task.version);
        delete.addBatch();
      }
      for (int count : delete.executeBatch()) {
        if (count != 1) {
          throw new SQLException("a claimed task is missing");
        }
      }
      connection.commit();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws SQLException {
    lock.lock();
    try (insert;
        claim;
        delete) {
      claimed.clear();
    } finally {
      lock.unlock();
    }
  }

  private record Claimed(long id, int version) {}
}
