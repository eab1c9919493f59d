package io.entroq.examples.outbox;

import io.entroq.api.EntroQ;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Backoff;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.WorkContext;
import io.entroq.api.worker.Worker;
import io.entroq.jdbc.Processed;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Credits customers with points. One transaction commits the effect and a row that says so, so a
 * task that is done again has no effect. Thread-safe.
 */
final class Credit implements Handler<String> {
  static final String QUEUE = "shop/credit";
  static final Processed PROCESSED = Processed.withPrefix(Shop.PREFIX);

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
    database.transact(
        connection ->
            PROCESSED.once(connection, work.task(), () -> credit(connection, fields[1], points)));
    return Outcome.done();
  }

  /** If two open an account at once, one violates the primary key and is retried. */
  private static void credit(Connection connection, String customer, int points)
      throws SQLException {
    String add = "UPDATE accounts SET points = points + ? WHERE customer = ?";
    if (Sql.update(connection, add, points, customer) == 0) {
      String open = "INSERT INTO accounts (points, customer) VALUES (?, ?)";
      Sql.update(connection, open, points, customer);
    }
  }
}
