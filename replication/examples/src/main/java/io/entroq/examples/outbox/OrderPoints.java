package io.entroq.examples.outbox;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Worker;
import io.entroq.jdbc.Relay;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Places orders, waits until all of them have taken effect, and prints the points ordered and the
 * points credited. If it is killed, the next run continues, and in the end both numbers are equal.
 */
public final class OrderPoints {
  private static final int CUSTOMERS = 10;
  private static final Duration LEASE = Duration.ofSeconds(10);

  private OrderPoints() {}

  /**
   * Runs the example.
   *
   * @param args the address of a server; the URL of a database whose driver is on the class path;
   *     the number of orders, 1,000 by default
   */
  public static void main(String[] args) throws SQLException, InterruptedException {
    Database database = () -> DriverManager.getConnection(args[1]);
    Shop shop = new Shop(database);
    shop.createTables();
    try (EntroQ queue = EntroQ.connect(args[0]);
        Worker worker = Credit.start(queue, new Credit(database), LEASE);
        Relay relay = Shop.OUTBOX.relay(database::connect, queue).start()) {
      int count = args.length > 2 ? Integer.parseInt(args[2]) : 1_000;
      for (int i = 0; i < count; i++) {
        shop.order("customer " + i % CUSTOMERS, i);
        relay.wake();
      }
      while (database.transact(Shop.OUTBOX::lag).waiting() > 0) {
        Thread.sleep(100);
      }
      queue.waitQueuesEmpty(QueueQuery.named(Credit.QUEUE));
      System.out.println("tasks done:      " + worker.metrics().done());
      System.out.println("points ordered:  " + number(database, "SELECT SUM(points) FROM orders"));
      System.out.println(
          "points credited: " + number(database, "SELECT SUM(points) FROM accounts"));
    }
  }

  private static long number(Database database, String sql) throws SQLException {
    return database
        .transact(connection -> Sql.query(connection, row -> row.getLong(1), sql))
        .get(0);
  }
}
