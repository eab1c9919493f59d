package io.entroq.examples.outbox;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Turns the rows of an outbox into tasks, oldest first. It may be killed at any point, and several
 * may run: relaying a row twice has no effect. For one thread, except {@link #close()}.
 */
final class Relay implements Runnable, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Relay.class.getName());

  private static final int ROWS_MAX = 100;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Database database;
  private final EntroQ queue;
  private volatile boolean isClosed;

  Relay(Database database, EntroQ queue) {
    this.database = database;
    this.queue = queue;
  }

  /** Relays until it is closed; retries after a failure. */
  @Override
  public void run() {
    try {
      while (!isClosed) {
        if (!relayOrLog()) {
          Thread.sleep(PAUSE.toMillis());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean relayOrLog() {
    try {
      return relay();
    } catch (SQLException | EntroQException e) {
      LOGGER.log(System.Logger.Level.WARNING, "cannot relay; retrying", e);
      return false;
    }
  }

  /**
   * Relays up to {@value #ROWS_MAX} rows.
   *
   * @return whether there were any
   */
  boolean relay() throws SQLException {
    List<Row> rows = database.transact(Relay::read);
    if (rows.isEmpty()) {
      return false;
    }
    List<Insert> tasks = rows.stream().map(Row::toTask).toList();
    // A relay that was killed may have inserted some of them already.
    queue.modifySkippingColliding(Modification.insert(tasks)).orThrow();
    database.transact(connection -> delete(connection, rows));
    return true;
  }

  private static List<Row> read(Connection connection) throws SQLException {
    return Sql.query(
        connection,
        row -> new Row(row.getLong("id"), row.getString("queue"), row.getString("task")),
        "SELECT id, queue, task FROM outbox ORDER BY id FETCH FIRST ? ROWS ONLY",
        ROWS_MAX);
  }

  /** Deletes only these: a row with a lower id may have been committed since. */
  private static int delete(Connection connection, List<Row> rows) throws SQLException {
    int deleted = 0;
    for (Row row : rows) {
      deleted += Sql.update(connection, "DELETE FROM outbox WHERE id = ?", row.id());
    }
    return deleted;
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
