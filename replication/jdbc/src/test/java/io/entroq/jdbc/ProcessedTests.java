package io.entroq.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.embedded.TestEntroQ;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What effects that happen once promise with each database. */
@Timeout(120)
abstract class ProcessedTests {
  private static final AtomicInteger PREFIXES = new AtomicInteger();

  private final TestDatabase database = new TestDatabase(this::connect);
  private final String prefix = "processed_" + PREFIXES.incrementAndGet();
  private final Processed processed = Processed.withPrefix(prefix);
  private final String effects = prefix + "_effects";

  abstract Connection connect() throws SQLException;

  @BeforeEach
  void create() throws SQLException {
    try (Connection connection = connect()) {
      processed.createTable(connection);
      processed.createTable(connection);
    }
    database.execute("CREATE TABLE " + effects + " (queue VARCHAR(100) NOT NULL)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private static Task inserted(TestEntroQ queue, String name, String id) {
    return queue
        .modify(Modification.insert(Insert.into(name).withId(id)))
        .orThrow()
        .inserted()
        .get(0);
  }

  private int effect(Connection connection, Task task) throws SQLException {
    return Sql.update(connection, "INSERT INTO " + effects + " VALUES (?)", task.queue());
  }

  private boolean once(Task task) {
    return database.transact(
        connection -> processed.once(connection, task, () -> effect(connection, task)));
  }

  private long effects() {
    return database.number("SELECT COUNT(*) FROM " + effects);
  }

  private long rows() {
    return database.number("SELECT COUNT(*) FROM " + prefix + "_processed");
  }

  @Test
  void shouldHappenOnceForATaskOfAQueue() {
    try (TestEntroQ queue = TestEntroQ.open()) {
      Task task = inserted(queue, "a", "id");
      assertThat(once(task)).isTrue();
      assertThat(once(task)).isFalse();
      // A later version, in another queue: the next step.
      Task moved =
          queue.modify(Modification.change(Change.of(task).moveTo("b"))).orThrow().changed().get(0);
      assertThat(once(moved)).isTrue();
      Task back =
          queue
              .modify(Modification.change(Change.of(moved).moveTo("a")))
              .orThrow()
              .changed()
              .get(0);
      assertThat(once(back)).isFalse();
      queue.modify(Modification.delete(back)).orThrow();
      assertThat(once(inserted(queue, "a", "id"))).isFalse();
      assertThat(once(inserted(queue, "a", "it's ✓ ".repeat(100)))).isTrue();
    }
    assertThat(effects()).isEqualTo(3);
  }

  @Test
  void shouldHappenOnceForAKey() {
    for (int i = 0; i < 2; i++) {
      boolean isFirst = i == 0;
      for (String key : new String[] {"a", "A", "a ", "a\0"}) {
        boolean isApplied =
            database.transact(connection -> processed.once(connection, key, () -> {}));
        assertThat(isApplied).as(key).isEqualTo(isFirst);
      }
    }
    assertThat(rows()).isEqualTo(4);
  }

  @Test
  void shouldHappenAgainAfterAFailure() throws SQLException {
    try (TestEntroQ queue = TestEntroQ.open();
        Connection connection = connect()) {
      Task task = inserted(queue, "a", "id");
      connection.setAutoCommit(false);
      assertThatThrownBy(
              () ->
                  processed.once(
                      connection,
                      task,
                      () -> {
                        throw new IOException("no");
                      }))
          .isInstanceOf(IOException.class);
      // It should roll back, and nothing is lost if it does not.
      connection.commit();
      assertThatThrownBy(
              () ->
                  processed.once(
                      connection,
                      task,
                      () -> Sql.update(connection, "INSERT INTO nothing VALUES (1)")))
          .isInstanceOf(SQLException.class);
      connection.rollback();
      assertThat(rows()).isZero();
      assertThat(once(task)).isTrue();
    }
  }

  @Test
  void shouldHappenOnceWhereverAWorkerDies() throws SQLException {
    try (TestEntroQ queue = TestEntroQ.open()) {
      for (int moment = 1; moment <= 2; moment++) {
        Task task = inserted(queue, "a", "id " + moment);
        try (Connection connection = new Mortality(moment).database(this::connect).connect()) {
          connection.setAutoCommit(false);
          assertThat(processed.once(connection, task, () -> effect(connection, task))).isTrue();
          assertThatThrownBy(connection::commit).isInstanceOf(Mortality.Death.class);
        }
        assertThat(once(task)).isEqualTo(moment == 1);
        assertThat(effects()).isEqualTo(moment);
      }
    }
  }

  @Test
  void shouldHappenOnceInTwoTransactionsAtOnce() throws Exception {
    try (TestEntroQ queue = TestEntroQ.open()) {
      Task task = inserted(queue, "a", "id");
      CountDownLatch isApplied = new CountDownLatch(1);
      CountDownLatch mayEnd = new CountDownLatch(1);
      CompletableFuture<Boolean> first =
          CompletableFuture.supplyAsync(
              () ->
                  database.transact(
                      connection ->
                          processed.once(
                              connection,
                              task,
                              () -> {
                                effect(connection, task);
                                isApplied.countDown();
                                await(mayEnd);
                              })));
      await(isApplied);
      CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> once(task));
      mayEnd.countDown();
      assertThat(first.get(60, TimeUnit.SECONDS)).isTrue();
      assertThat(second.get(60, TimeUnit.SECONDS)).isFalse();
    }
    assertThat(effects()).isOne();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void shouldDeleteOldRowsOnly() {
    database.transact(
        connection -> {
          for (int i = 0; i < 1_003; i++) {
            boolean unused = processed.once(connection, "key " + i, () -> {});
          }
          return true;
        });
    String age = "UPDATE " + prefix + "_processed SET created = created - ? WHERE task <> ?";
    assertThat(database.execute(age, Duration.ofDays(8).toMillis(), "key 7")).isEqualTo(1_002);
    assertThat(delete(Duration.ofDays(9))).isZero();
    assertThat(delete(Duration.ofDays(7))).isEqualTo(1_000);
    assertThat(delete(Duration.ofDays(7))).isEqualTo(2);
    assertThat(delete(Duration.ofDays(7))).isZero();
    assertThat(rows()).isOne();
    assertThat(database.<Boolean>transact(c -> processed.once(c, "key 7", () -> {}))).isFalse();
    assertThat(database.<Boolean>transact(c -> processed.once(c, "key 8", () -> {}))).isTrue();
  }

  private int delete(Duration age) {
    return database.transact(connection -> processed.deleteOlderThan(connection, age));
  }

  @Test
  void shouldRefuseWhatCannotBeRight() throws SQLException {
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> processed.once(connection, "key", () -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
      assertThatThrownBy(() -> processed.deleteOlderThan(connection, Duration.ofDays(-1)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
