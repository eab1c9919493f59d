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
 * Credits customers with points. The id of the task is committed with the effect that it had, so a
 * task that comes again has none. Any thread.
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
   * @param lease after which others take over from a worker that died
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
    String[] words = work.value().split(" ", 2);
    int points = Integer.parseInt(words[0]);
    TaskId task = work.task().id();
    database.transact(
        connection -> isProcessed(connection, task) || credit(connection, task, words[1], points));
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

  /** Whoever does it at the same time as somebody else fails by a primary key, and tries again. */
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
