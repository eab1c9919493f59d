package io.entroq.jdbc;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.entroq.api.Claim;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.TestEntroQ;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an outbox promises with each database. Each test has a prefix of its own. */
@Timeout(120)
abstract class OutboxTests {
  private static final AtomicInteger PREFIXES = new AtomicInteger();
  private static final int ROWS_MAX = 3;
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofMillis(10);

  /** Failures in these tests are intended, so their warnings are noise. */
  private static final Logger LOG = Logger.getLogger(Relay.class.getName());

  final TestDatabase database = new TestDatabase(this::connect);
  final String prefix = "outbox_" + PREFIXES.incrementAndGet();
  final Outbox outbox = Outbox.withPrefix(prefix);
  private final OutboxTable table = new OutboxTable(new TableNames(prefix));
  TestEntroQ queue;

  abstract Connection connect() throws SQLException;

  @BeforeEach
  void open() throws SQLException {
    LOG.setLevel(Level.OFF);
    queue = TestEntroQ.open();
    createTables();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
    queue.close();
  }

  private void createTables() throws SQLException {
    try (Connection connection = connect()) {
      outbox.createTables(connection);
    }
  }

  private List<TaskId> insert(Insert... inserts) {
    return database.transact(connection -> outbox.insert(connection, inserts));
  }

  private void insert(String... values) {
    for (String value : values) {
      insert(Insert.into("inbox").withValue(value));
    }
  }

  private BatchRelay relayTo(EntroQ target) {
    return new BatchRelay(table, target, ROWS_MAX, LastBatch.VERSION_MAX);
  }

  /** Relays until there is nothing to relay, on this thread. */
  private static void relayAll(BatchRelay relay, Connector database) throws SQLException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      while (relay.relay(connection) != BatchRelay.BatchResult.IDLE) {
        // More, or another relay was faster.
      }
    }
  }

  private void relayAll() throws SQLException {
    relayAll(relayTo(queue), database);
  }

  private Relay.Builder relay() {
    return outbox.relay(database, queue);
  }

  private List<String> pop(String name) {
    List<String> values = new ArrayList<>();
    queue.popAll(Claim.from(name).withLimit(100), task -> values.add(task.text()));
    return values;
  }

  private List<String> texts(String name) {
    return queue.tasks(TaskQuery.in(name)).stream().map(Task::text).sorted().toList();
  }

  private OutboxLag lag() {
    return database.transact(outbox::lag);
  }

  private List<SetAsideRow> setAside() {
    return database.transact(connection -> outbox.setAside(connection, 10));
  }

  private void untilNoneWait() {
    until("no row waits", () -> lag().waiting() == 0);
  }

  @Test
  void shouldInsertWithTheTransactionOrNotAtAll() throws SQLException {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      List<TaskId> unused = outbox.insert(connection, Insert.into("inbox").withValue("no"));
      connection.rollback();
    }
    insert("yes");
    relayAll();
    assertThat(pop("inbox")).containsExactly("yes");
    assertThat(lag()).isEqualTo(new OutboxLag(0, Duration.ZERO, 0));
  }

  @Test
  void shouldKeepAllOfATask() throws SQLException {
    Insert full =
        Insert.into("ä/queue")
            .withId("an id of mine ✓")
            .withValue(Value.bytes(new byte[] {0, 1, -1}))
            .withAttempt(3, "it's 'quoted' \\ \n and 🙂")
            .withTrace("00-trace-01");
    Insert json = Insert.into("b").withValue(Value.json("{\"a\":[1,2.5,null,\"\\u0000ö\"]}"));
    Insert absent = Insert.into("c");
    Insert empty = Insert.into("d").withValue(Value.bytes(new byte[0]));
    List<TaskId> ids = insert(full, json, absent, empty);
    relayAll();
    assertThat(ids.get(0)).isEqualTo(TaskId.of("an id of mine ✓"));
    Task task = queue.tasks(TaskQuery.in("ä/queue")).get(0);
    assertThat(task.id()).isEqualTo(ids.get(0));
    assertThat(task.value()).isEqualTo(full.value());
    assertThat(task.attempt()).isEqualTo(3);
    assertThat(task.err()).isEqualTo(full.err());
    assertThat(task.trace()).isEqualTo("00-trace-01");
    assertThat(queue.tasks(TaskQuery.in("b")).get(0).value()).isEqualTo(json.value());
    assertThat(queue.tasks(TaskQuery.in("b")).get(0).id()).isEqualTo(ids.get(1));
    assertThat(queue.tasks(TaskQuery.in("c")).get(0).value()).isEqualTo(Value.absent());
    assertThat(queue.tasks(TaskQuery.in("d")).get(0).value()).isEqualTo(empty.value());
  }

  @Test
  void shouldCountDelaysFromTheInsert() throws SQLException {
    Duration hour = Duration.ofHours(1);
    insert(
        Insert.into("delay").availableIn(hour),
        Insert.into("time").availableAt(queue.now().plus(hour)),
        Insert.into("past").availableIn(hour),
        Insert.into("ttl").expiresIn(hour),
        Insert.into("expired").expiresIn(hour),
        Insert.into("forever").expiresIn(Claim.FOREVER));
    String age = "UPDATE " + table.name() + " SET created = created - ? WHERE queue = ?";
    database.execute(age, Duration.ofMinutes(30).toMillis(), "delay");
    database.execute(age, Duration.ofMinutes(90).toMillis(), "past");
    database.execute(age, Duration.ofMinutes(30).toMillis(), "ttl");
    database.execute(age, Duration.ofMinutes(90).toMillis(), "expired");
    relayAll();
    Duration half = Duration.ofMinutes(30);
    Duration slack = Duration.ofMinutes(10);
    assertThat(only("delay").arrivalTime())
        .isBetween(queue.now().plus(half).minus(slack), queue.now().plus(half));
    assertThat(only("time").arrivalTime()).isEqualTo(queue.now().plus(hour));
    assertThat(only("past").arrivalTime()).isEqualTo(queue.now());
    assertThat(only("ttl").expires().orElseThrow())
        .isBetween(queue.now().plus(half).minus(slack), queue.now().plus(half));
    assertThat(only("expired").expires()).contains(queue.now().plusMillis(1));
    assertThat(only("forever").expires()).isEmpty();
  }

  private Task only(String name) {
    List<Task> tasks = queue.tasks(TaskQuery.in(name));
    assertThat(tasks).hasSize(1);
    return tasks.get(0);
  }

  @Test
  void shouldRefuseWhatCannotBeRight() throws SQLException {
    try (Connection connection = connect()) {
      assertThatThrownBy(() -> outbox.insert(connection, Insert.into("inbox")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("setAutoCommit(false)");
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> outbox.createTables(connection))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("outside of transactions");
      assertThatThrownBy(() -> outbox.insert(connection, Insert.into("in\0box")))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("queue must not have the character NUL");
      Value large = Value.bytes(new byte[(8 << 20) + 1]);
      assertThatThrownBy(() -> outbox.insert(connection, Insert.into("inbox").withValue(large)))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("8388609");
      assertThat(outbox.insert(connection)).isEmpty();
      connection.rollback();
    }
    assertThat(lag().waiting()).isZero();
  }

  @Test
  void shouldCreateTablesOnlyWhenAsked() throws Exception {
    Outbox other = Outbox.withPrefix(prefix + "_b");
    assertThatThrownBy(
            () -> database.transact(connection -> other.insert(connection, Insert.into("inbox"))))
        .hasCauseInstanceOf(SQLException.class);
    try (Relay relay = other.relay(database, queue).start()) {
      until("it says so", () -> relay.status().problem().isPresent());
      assertThat(relay.status().problem().orElseThrow()).contains("Outbox.createTables");
      // All instances of an application at once.
      List<CompletableFuture<Void>> all =
          IntStream.range(0, 4)
              .mapToObj(i -> CompletableFuture.runAsync(() -> create(other)))
              .toList();
      all.forEach(CompletableFuture::join);
      until("it goes on", () -> relay.status().problem().isEmpty());
    }
  }

  private void create(Outbox other) {
    try (Connection connection = connect()) {
      other.createTables(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A repeated insert would collide with nothing here: the first task is done and gone. */
  @Test
  void shouldInsertOnceWhereverARelayDiesThoughTasksAreDoneMeanwhile() throws SQLException {
    relayWithDeaths(true);
  }

  void relayWithDeaths(boolean workBetween) throws SQLException {
    relayAll();
    boolean hasDied = true;
    int moment = 0;
    while (hasDied) {
      moment++;
      insert("1", "2", "3", "4", "5");
      List<String> done = new ArrayList<>();
      Mortality mortality = new Mortality(moment);
      try {
        relayAll(relayTo(mortality.queue(queue)), mortality.database(database));
      } catch (Mortality.Death e) {
        // The next relay goes on.
      }
      hasDied = mortality.hasStruck();
      if (workBetween) {
        done.addAll(pop("inbox"));
      }
      relayAll();
      done.addAll(pop("inbox"));
      assertThat(done)
          .as("death at moment %d", moment)
          .containsExactlyInAnyOrder("1", "2", "3", "4", "5");
      assertThat(lag().waiting()).isZero();
    }
    // The identity; rows of the last batch; two batches, each read, inserted, deleted; none is
    // left.
    assertThat(moment - 1).isEqualTo(2 * 9);
  }

  @Test
  void shouldInsertNothingAfterAStallThatOthersUsed() throws Exception {
    relayAll();
    insert("1", "2");
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    EntroQ slow =
        Mortality.before(
            queue,
            modification -> {
              if (isFirst.getAndSet(false)) {
                stalled.countDown();
                assertThat(goOn.await(60, TimeUnit.SECONDS)).isTrue();
              }
            });
    BatchRelay late = relayTo(slow);
    CompletableFuture<Void> lateRun =
        CompletableFuture.runAsync(
            () -> {
              try {
                relayAll(late, database);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(stalled.await(60, TimeUnit.SECONDS)).isTrue();
    relayAll();
    assertThat(pop("inbox")).containsExactlyInAnyOrder("1", "2");
    insert("3");
    goOn.countDown();
    lateRun.join();
    assertThat(pop("inbox")).containsExactly("3");
    assertThat(late.conflicts()).isOne();
    assertThat(late.relayed()).isOne();
  }

  /** A database that was restored hands out ids again. */
  @Test
  void shouldNotTakeANewRowForOneOfTheLastBatch() throws SQLException {
    insert("old");
    Mortality beforeDelete = new Mortality(6);
    assertThatThrownBy(
            () -> relayAll(relayTo(beforeDelete.queue(queue)), beforeDelete.database(database)))
        .isInstanceOf(Mortality.Death.class);
    assertThat(pop("inbox")).containsExactly("old");
    assertThat(lag().waiting()).isEqualTo(1);
    database.execute("UPDATE " + table.name() + " SET created = created + 1, json = '\"new\"'");
    relayAll();
    assertThat(pop("inbox")).containsExactly("new");
  }

  @Test
  void shouldReplaceTheDocBeforeItsVersionsEnd() throws SQLException {
    BatchRelay relay = new BatchRelay(table, queue, 1, 2);
    insert("1", "2", "3", "4", "5", "6", "7");
    relayAll(relay, database);
    assertThat(pop("inbox")).hasSize(7);
    String identity = database.transact(table::identity);
    // Versions 0 to 2 of docs 0 and 1, and version 0 of doc 2.
    assertThat(queue.docs(DocQuery.in("outbox/" + identity)))
        .singleElement()
        .satisfies(doc -> assertThat(doc.id().id()).isEqualTo("2"));
  }

  @Test
  void shouldKeepTheOrderOfEachKeyWithManyRelaysAndWriters() throws Exception {
    queue.policies().put(QueuePolicy.of("keys").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    queue.policies().put(QueuePolicy.prefix("keys/").order(QueuePolicy.Order.STRICT));
    int writers = 4;
    int each = 100;
    List<Relay> relays = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        relays.add(relay().batchRows(7).pollInterval(SHORT).start());
      }
      List<CompletableFuture<Void>> all =
          IntStream.range(0, writers)
              .mapToObj(key -> CompletableFuture.runAsync(() -> write(relays.get(0), key, each)))
              .toList();
      all.forEach(CompletableFuture::join);
      untilNoneWait();
    } finally {
      relays.forEach(Relay::close);
    }
    Map<String, List<String>> byKey = new TreeMap<>();
    queue.popAll(
        Claim.from("keys").withLimit(1),
        task -> byKey.computeIfAbsent(task.queue(), name -> new ArrayList<>()).add(task.text()));
    assertThat(byKey).hasSize(writers);
    List<String> inOrder = IntStream.range(0, each).mapToObj(Integer::toString).toList();
    assertThat(byKey.values()).allSatisfy(values -> assertThat(values).isEqualTo(inOrder));
    assertThat(relays.stream().mapToLong(relay -> relay.status().relayed()).sum())
        .isEqualTo((long) writers * each);
  }

  private void write(Relay relay, int key, int count) {
    for (int i = 0; i < count; i++) {
      insert(Insert.into("keys").withKey("k" + key).withValue(Integer.toString(i)));
      relay.wake();
    }
  }

  @Test
  void shouldLetRowsOfAFullQueueWaitInOrderAndOthersGoOn() {
    queue.policies().put(QueuePolicy.of("full").maxTasks(2).order(QueuePolicy.Order.STRICT));
    for (int i = 0; i < 5; i++) {
      insert(Insert.into("full").withValue("f" + i), Insert.into("inbox").withValue("i" + i));
    }
    List<String> done = new ArrayList<>();
    try (Relay relay = relay().pollInterval(SHORT).start()) {
      until("others are there", () -> texts("inbox").size() == 5);
      until("it says so", () -> relay.status().problem().orElse("").contains("full"));
      assertThat(lag().waiting()).isBetween(3L, 5L);
      until(
          "all are there",
          () -> {
            done.addAll(pop("full"));
            return done.size() == 5;
          });
      until("it says so", () -> relay.status().problem().isEmpty());
    }
    assertThat(done).containsExactly("f0", "f1", "f2", "f3", "f4");
    assertThat(setAside()).isEmpty();
  }

  @Test
  void shouldLetRowsWaitThatOnlyThisRelayMustNotInsertOrThatAreTooMuchNow() {
    Map<String, EntroQException> refused =
        Map.of(
            "denied", new EntroQException.PermissionDenied("not you"),
            "large", new EntroQException.ResourceExhausted("limit message-bytes: too large"));
    EntroQ strict =
        Mortality.before(
            queue,
            modification -> {
              for (Insert insert : modification.inserts()) {
                if (refused.containsKey(insert.queue())) {
                  throw refused.get(insert.queue());
                }
              }
            });
    for (int i = 0; i < 3; i++) {
      insert(Insert.into("denied"), Insert.into("inbox").withValue("x"), Insert.into("large"));
    }
    try (Relay relay = outbox.relay(database, strict).pollInterval(SHORT).start()) {
      until("others are there", () -> texts("inbox").size() == 3);
      until("it says so", () -> relay.status().problem().orElse("").contains("not you"));
    }
    assertThat(lag().waiting()).isEqualTo(6);
    assertThat(setAside()).isEmpty();
  }

  @Test
  void shouldSetAsideWhatIsRefusedOrMalformedAndLetOthersGoOn() {
    insert("1");
    List<TaskId> large =
        insert(Insert.into("inbox").withValue(Value.bytes(new byte[(1 << 20) + 1])));
    insert("2", "malformed", "two values", "negative", "3");
    String set = "UPDATE " + table.name() + " SET ";
    assertThat(database.execute(set + "json = '{\"a\":' WHERE json = '\"malformed\"'")).isOne();
    assertThat(database.execute(set + "bytes = ? WHERE json = '\"two values\"'", new byte[1]))
        .isOne();
    assertThat(database.execute(set + "delay_ms = -1 WHERE json = '\"negative\"'")).isOne();
    insert(Insert.into("inbox").withId("no").withValue("no id"));
    assertThat(database.execute(set + "task = '' WHERE task = 'no'")).isOne();
    try (Relay relay = relay().pollInterval(LONG).start()) {
      until("the others are there", () -> texts("inbox").equals(List.of("1", "2", "3")));
      untilNoneWait();
      assertThat(relay.status().relayed()).isEqualTo(3);
    }
    List<SetAsideRow> aside = setAside();
    assertThat(lag()).isEqualTo(new OutboxLag(0, Duration.ZERO, 5));
    assertThat(aside).extracting(SetAsideRow::queue).containsOnly("inbox");
    assertThat(aside.get(0).task()).isEqualTo(large.get(0).text());
    assertThat(aside.get(0).problem()).contains("refused by the queue").contains("1048577");
    assertThat(aside.get(1).problem()).contains("cannot be decoded");
    assertThat(aside.get(2).problem()).contains("both json and bytes");
    assertThat(aside.get(3).problem()).contains("delay");
    assertThat(aside.get(4).problem()).contains("task id");

    String json = "UPDATE " + table.name() + " SET json = '\"mended\"' WHERE id = ?";
    assertThat(database.execute(json, aside.get(1).id())).isOne();
    assertThat(database.<Boolean>transact(c -> outbox.retry(c, aside.get(1).id()))).isTrue();
    assertThat(database.<Boolean>transact(c -> outbox.retry(c, aside.get(1).id()))).isFalse();
    assertThat(database.<Boolean>transact(c -> outbox.discard(c, aside.get(1).id()))).isFalse();
    assertThat(database.<Boolean>transact(c -> outbox.discard(c, aside.get(0).id()))).isTrue();
    try (Relay relay = relay().start()) {
      until("it is there", () -> texts("inbox").contains("mended"));
      assertThat(relay.status().problem()).isEmpty();
    }
    assertThat(lag().setAside()).isEqualTo(3);
  }

  @Test
  void shouldDropAnIdThatIsTakenAndInsertTwoOfABatchOneAfterTheOther() throws SQLException {
    queue.modify(Modification.insert(Insert.into("inbox").withId("taken").withValue("first")));
    insert(
        Insert.into("inbox").withId("taken").withValue("second"),
        Insert.into("inbox").withId("mine").withValue("mine 1"),
        Insert.into("inbox").withId("mine").withValue("mine 2"),
        Insert.into("inbox").withValue("other"));
    relayAll();
    assertThat(texts("inbox")).containsExactly("first", "mine 1", "other");
    assertThat(lag().waiting()).isZero();
  }

  @Test
  void shouldGoOnWhenDatabaseAndQueueComeBackAndTellTheLagMeanwhile() {
    AtomicBoolean isQueueAway = new AtomicBoolean(true);
    EntroQ unsteady =
        Mortality.before(
            queue,
            modification -> {
              if (isQueueAway.get()) {
                throw new EntroQException.Unavailable("no server");
              }
            });
    insert("1", "2");
    try (Relay relay = outbox.relay(database, unsteady).pollInterval(SHORT).start()) {
      until("it says so", () -> relay.status().problem().orElse("").contains("no server"));
      until("it is late", () -> lag().oldest().toMillis() >= 20);
      assertThat(lag().waiting()).isEqualTo(2);
      insert("3");
      assertThat(lag().waiting()).isEqualTo(3);
      isQueueAway.set(false);
      untilNoneWait();
      until("it says so", () -> relay.status().problem().isEmpty());

      database.setAway(true);
      until("it says so", () -> relay.status().problem().orElse("").contains("refused"));
      insert("4");
      assertThat(lag().waiting()).isEqualTo(1);
      database.setAway(false);
      untilNoneWait();
    }
    assertThat(texts("inbox")).containsExactly("1", "2", "3", "4");
  }

  @Test
  void shouldGoOnAfterAnError() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    EntroQ unsteady =
        Mortality.before(
            queue,
            modification -> {
              if (isBroken.getAndSet(false)) {
                throw new OutOfMemoryError("of a test");
              }
            });
    insert("1");
    try (Relay relay = outbox.relay(database, unsteady).pollInterval(SHORT).start()) {
      untilNoneWait();
      assertThat(relay.status().isRunning()).isTrue();
    }
    assertThat(texts("inbox")).containsExactly("1");
  }

  @Test
  void shouldWakeUpWhenTold() {
    try (Relay relay = relay().pollInterval(LONG).start()) {
      for (int i = 1; i <= 20; i++) {
        int count = i;
        insert("x");
        relay.wake();
        until("it is there", () -> texts("inbox").size() == count);
      }
    }
  }

  /** The row comes when the relay has just found none. */
  @Test
  void shouldRelayWhatIsCommittedBeforeItIsToldToEnd() {
    CountDownLatch looked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Connector slow =
        () -> {
          Connection connection = database.connect();
          return (Connection)
              Proxy.newProxyInstance(
                  Connection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (self, method, args) -> {
                    if (method.getName().equals("close")) {
                      looked.countDown();
                      goOn.await();
                    }
                    return method.invoke(connection, args);
                  });
        };
    Relay relay = outbox.relay(slow, queue).batchRows(1).pollInterval(LONG).start();
    until("it has looked", () -> looked.getCount() == 0);
    insert("1", "2");
    AtomicBoolean isInTime = new AtomicBoolean();
    Thread closing = new Thread(() -> isInTime.set(relay.close(Duration.ofMinutes(1))));
    closing.start();
    until("it waits for the end", () -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    until("it has ended", () -> !closing.isAlive());
    assertThat(isInTime).isTrue();
    assertThat(relay.status().isRunning()).isFalse();
    assertThat(texts("inbox")).containsExactly("1", "2");
  }

  /** Of what the other relay has not seen, only this one knows. */
  @Test
  void shouldRelayEverythingBeforeItEndsThoughAnotherIsFaster() throws SQLException {
    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    BatchRelay rival = new BatchRelay(table, queue, 1, LastBatch.VERSION_MAX);
    AtomicInteger conflicts = new AtomicInteger();
    EntroQ contested =
        Mortality.before(
            queue,
            modification -> {
              stuck.countDown();
              goOn.await();
              if (conflicts.incrementAndGet() <= 3) {
                try (Connection connection = database.connect()) {
                  connection.setAutoCommit(false);
                  assertThat(rival.relay(connection)).isEqualTo(BatchRelay.BatchResult.MORE);
                }
              }
            });
    insert("1", "2", "3", "4", "5");
    Relay relay = outbox.relay(database, contested).pollInterval(LONG).start();
    until("it relays", () -> stuck.getCount() == 0);
    AtomicBoolean isInTime = new AtomicBoolean();
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE);
    Thread closing = new Thread(() -> isInTime.set(relay.close(forEver)));
    closing.start();
    until("it waits for the end", () -> closing.getState() == Thread.State.TIMED_WAITING);
    goOn.countDown();
    until("it has ended", () -> !closing.isAlive());
    assertThat(isInTime).isTrue();
    assertThat(relay.status().conflicts()).isEqualTo(3);
    assertThat(texts("inbox")).containsExactly("1", "2", "3", "4", "5");
    assertThat(lag().waiting()).isZero();
  }

  @Test
  void shouldEndInTimeWhileRowsHaveToWait() {
    Relay relay = relay().pollInterval(LONG).start();
    database.setAway(true);
    relay.wake();
    until("it has noticed", () -> relay.status().problem().isPresent());
    assertThat(relay.close(Duration.ofMinutes(1))).isTrue();
    database.setAway(false);

    CountDownLatch stuck = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    EntroQ slow =
        Mortality.before(
            queue,
            modification -> {
              stuck.countDown();
              goOn.await();
            });
    insert("1", "2");
    Relay late = outbox.relay(database, slow).batchRows(1).start();
    until("it relays", () -> stuck.getCount() == 0);
    Thread closing = new Thread(() -> late.close(Duration.ofMillis(1)));
    closing.start();
    until("it gives up", () -> !late.status().isRunning());
    goOn.countDown();
    until("it has ended", () -> !closing.isAlive());
    assertThat(texts("inbox")).containsExactly("1");
  }

  @Test
  void shouldRelayWithoutATraceIfTheQueueCannotKeepIt() throws SQLException {
    insert(Insert.into("inbox").withValue("1").withTrace("t"));
    // Does not say that it has policies.
    relayAll(relayTo(Mortality.before(queue, modification -> {})), database);
    insert(Insert.into("inbox").withValue("2").withTrace("t"));
    relayAll();
    assertThat(queue.tasks(TaskQuery.in("inbox")))
        .extracting(Task::text, Task::trace)
        .containsExactlyInAnyOrder(tuple("1", ""), tuple("2", "t"));
  }

  @Test
  void shouldEndWithTheQueueOrWhenClosed() {
    Relay closed = relay().start();
    assertThat(closed.status().isRunning()).isTrue();
    closed.close();
    assertThat(closed.status().isRunning()).isFalse();
    TestEntroQ gone = TestEntroQ.open();
    gone.close();
    insert("1");
    try (Relay relay = outbox.relay(database, gone).start()) {
      until("it ends", () -> !relay.status().isRunning());
      assertThat(relay.status().problem().orElseThrow()).contains("the queue is closed");
    }
    assertThat(lag().waiting()).isEqualTo(1);
  }
}
