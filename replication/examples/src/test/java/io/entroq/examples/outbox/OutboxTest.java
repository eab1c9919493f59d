package io.entroq.examples.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.worker.Handler;
import io.entroq.api.worker.Outcome;
import io.entroq.api.worker.Worker;
import io.entroq.examples.testing.Served;
import io.entroq.jdbc.Relay;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final QueueQuery TASKS = QueueQuery.startingWith("shop/");

  @TempDir static Path directory;

  private static Served served;
  private static EntroQ queue;

  private final Database database =
      () -> DriverManager.getConnection("jdbc:h2:mem:" + System.identityHashCode(this));

  /** An in-memory database lives as long as it has a connection. */
  private Connection keeper;

  @BeforeAll
  static void serve() throws IOException {
    served = new Served(directory);
    queue = served.connect();
  }

  @AfterAll
  static void stop() {
    queue.close();
    served.close();
  }

  @BeforeEach
  void openDatabase() throws SQLException {
    keeper = database.connect();
    new Shop(database).createTables();
  }

  @AfterEach
  void closeDatabase() throws SQLException {
    keeper.close();
  }

  @Test
  void shouldCreditOnceWhenServerAndWorkersGoAndComeBack() throws Exception {
    try (Relay relay = Shop.OUTBOX.relay(database::connect, queue).start()) {
      workWhileServerAndWorkersComeAndGo();
      assertThat(relay.status().relayed()).isEqualTo(300);
    }

    assertThat(number("SELECT SUM(points) FROM orders")).isPositive();
    assertThat(accounts()).isEqualTo(orders());
    assertThat(number("SELECT COUNT(*) FROM shop_processed")).isEqualTo(300);
  }

  private void workWhileServerAndWorkersComeAndGo() throws Exception {
    EntroQ mortal = served.connect();
    CountDownLatch credited = new CountDownLatch(20);
    Credit credit = new Credit(database);
    Handler<String> dying =
        work -> {
          Outcome outcome = credit.handle(work);
          credited.countDown();
          if (credited.getCount() == 0) {
            // The credit is committed; its task is not.
            mortal.close();
          }
          return outcome;
        };
    try (Worker first = Credit.start(mortal, dying, LEASE)) {
      order(100);
      assertThat(credited.await(20, TimeUnit.SECONDS)).isTrue();
      served.stop();
      order(100);
      served.start();
      first.join();
    }
    try (Worker second = Credit.start(queue, credit, LEASE)) {
      order(100);
      awaitOutboxEmpty();
      assertThat(queue.waitQueuesEmpty(TASKS, PATIENCE)).isTrue();
      assertThat(second.isRunning()).isTrue();
    }
  }

  @Test
  void shouldRunFromTheCommandLine() throws Exception {
    OrderPoints.main(new String[] {served.address(), keeper.getMetaData().getURL(), "50"});
    assertThat(accounts()).isEqualTo(orders()).hasSize(10);
    assertThat(queue.queues(QueueQuery.all())).isEmpty();
    assertThat(number("SELECT COUNT(*) FROM shop_processed")).isEqualTo(50);
  }

  private void awaitOutboxEmpty() throws SQLException {
    long endNs = System.nanoTime() + PATIENCE.toNanos();
    while (database.transact(Shop.OUTBOX::lag).waiting() > 0) {
      assertThat(System.nanoTime() - endNs).as("waited too long").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void order(int count) throws SQLException {
    Shop shop = new Shop(database);
    for (int i = 0; i < count; i++) {
      shop.order("customer " + i % 7, i + 1);
    }
  }

  private List<String> orders() throws SQLException {
    return texts("SELECT customer, SUM(points) FROM orders GROUP BY customer ORDER BY customer");
  }

  private List<String> accounts() throws SQLException {
    return texts("SELECT customer, points FROM accounts ORDER BY customer");
  }

  private List<String> texts(String sql) throws SQLException {
    return database.transact(
        connection -> Sql.query(connection, row -> row.getString(1) + ": " + row.getLong(2), sql));
  }

  private long number(String sql) throws SQLException {
    return database
        .transact(connection -> Sql.query(connection, row -> row.getLong(1), sql))
        .get(0);
  }
}
