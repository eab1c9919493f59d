package io.entroq.examples.outbox;

import io.entroq.api.EntroQ;
import io.entroq.api.TaskId;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Credits customers with points. One transaction commits the effect and the id of the task, so a
 * redelivered task has no effect. Thread-safe.
 */
final class Credit implements Handler<String> {
  static final String QUEUE = "shop/credit";

  private final Database database;

  Credit(Database database) {
    this.database = database;
  }

  /**
   * Starts workers.
   *
   * @param lease time after which other workers take over from a dead one
   */
  static Worker start(EntroQ queue, Handler<String> credit, Duration lease) {
    return Worker.on(queue)
        .from(QUEUE)
        .values(ValueCodec.text())
        .lease(lease)
        .concurrency(2)
        .retryBackoff(new Backoff(Duration.ofMillis(100), Duration.ofMinutes(1), 0.5))
        .start(credit);
  }

  @Override
  public Outcome handle(WorkContext<String> work) throws SQLException {
    String[] fields = work.value().split(" ", 2);
    int points = Integer.parseInt(fields[0]);
    TaskId task = work.task().id();
    database.transact(
        connection -> isProcessed(connection, task) || credit(connection, task, fields[1], points));
    return Outcome.done();
  }

  private static boolean isProcessed(Connection connection, TaskId task) throws SQLException {
    List<String> found =
        Sql.query(
            connection,
            row -> row.getString("task"),
            "SELECT task FROM processed WHERE task = ?",
            task.text());
    return !found.isEmpty();
  }

  /** Of two concurrent attempts, one violates a primary key and is retried. */
  private static boolean credit(Connection connection, TaskId task, String customer, int points)
      throws SQLException {
    Sql.update(connection, "INSERT INTO processed (task) VALUES (?)", task.text());
    String add = "UPDATE accounts SET points = points + ? WHERE customer = ?";
    if (Sql.update(connection, add, points, customer) == 0) {
      String open = "INSERT INTO accounts (points, customer) VALUES (?, ?)";
      Sql.update(connection, open, points, customer);
    }
    return true;
  }
}
