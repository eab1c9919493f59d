package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.codec.ValueCodec;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * An application that is killed: takes orders with the outbox, relays them, and ships each once. It
 * prints a line when it is at work.
 */
final class Shop {
  static final String PREFIX = "shop";
  static final String QUEUE = "orders";
  static final Outbox OUTBOX = Outbox.withPrefix(PREFIX);
  private static final Processed PROCESSED = Processed.withPrefix(PREFIX);

  /** Short, as a killed worker's tasks wait for it. */
  private static final Duration LEASE = Duration.ofSeconds(1);

  private static final long ORDER_NANOS = 2_000_000;

  private final TestDatabase database;

  Shop(String url) {
    database = new TestDatabase(() -> DriverManager.getConnection(url));
  }

  TestDatabase database() {
    return database;
  }

  void createTables() throws SQLException {
    try (Connection connection = database.connect()) {
      OUTBOX.createTables(connection);
      PROCESSED.createTable(connection);
    }
    database.execute("CREATE TABLE orders (number VARCHAR(40) PRIMARY KEY)");
    database.execute("CREATE TABLE shipped (number VARCHAR(40) NOT NULL)");
  }

  /** Takes an order, whose task is known by its number. */
  private void order(Connection connection, String number) throws SQLException {
    Sql.update(connection, "INSERT INTO orders VALUES (?)", number);
    OUTBOX.insert(connection, Insert.into(QUEUE).withValue(number));
    connection.commit();
  }

  Worker ship(EntroQ queue) {
    return Worker.on(queue)
        .from(QUEUE)
        .values(ValueCodec.text())
        .lease(LEASE)
        .concurrency(4)
        .start(
            work -> {
              boolean unused =
                  database.transact(
                      connection ->
                          PROCESSED.once(
                              connection,
                              work.task(),
                              () ->
                                  Sql.update(
                                      connection, "INSERT INTO shipped VALUES (?)", work.value())));
              return Outcome.done();
            });
  }

  Relay relay(EntroQ queue) {
    return OUTBOX.relay(database, queue).batchRows(5).pollInterval(Duration.ofMillis(20)).start();
  }

  /**
   * @param args the address of a server, the URL of a database, and a name for this run
   */
  public static void main(String[] args) throws SQLException {
    Shop shop = new Shop(args[1]);
    try (EntroQ queue = EntroQ.connect(args[0]);
        Relay first = shop.relay(queue);
        Relay second = shop.relay(queue);
        Worker worker = shop.ship(queue);
        Connection connection = shop.database.connect()) {
      connection.setAutoCommit(false);
      for (int i = 0; first.status().isRunning() && worker.isRunning(); i++) {
        shop.order(connection, args[2] + "-" + i);
        second.wake();
        // Many orders would only take long to ship in the end.
        LockSupport.parkNanos(ORDER_NANOS);
        if (first.status().relayed() + second.status().relayed() > 0) {
          System.out.println("at work");
        }
      }
    }
  }

  static Process start(Path log, String... args) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> options =
        List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
    List<String> command = new ArrayList<>(List.of(java));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Shop.class.getName()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
        .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
        .start();
  }
}
