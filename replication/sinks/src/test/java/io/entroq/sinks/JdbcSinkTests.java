package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static io.entroq.sinks.TestEffects.batch;
import static io.entroq.sinks.TestEffects.existing;
import static io.entroq.sinks.TestEffects.step;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Change;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a sink promises with each database. Each test has a name of its own. */
@Timeout(120)
abstract class JdbcSinkTests {
  static final FeedPosition BEGIN = FeedPosition.after(0);
  static final FeedQuery ALL = FeedQuery.after(BEGIN).withValues().build();
  static final FeedQuery STATE = FeedQuery.fromSnapshot().withValues().build();
  private static final AtomicInteger NAMES = new AtomicInteger();

  @TempDir Path directory;
  final String name = "sink_" + NAMES.incrementAndGet();
  final Database database = new Database(this::connect, name);
  EmbeddedEntroQ queue;
  Work work;

  /** Whether the database refuses connections. */
  private volatile boolean isAway;

  /** The last one that was opened. */
  private volatile Connection connection;

  abstract Connection connect() throws SQLException;

  /** Ends a session from the side of the database, or as if it had. */
  abstract void cut(Connection session) throws SQLException;

  @BeforeEach
  void open() {
    queue = EmbeddedEntroQ.open(EmbeddedConfig.in(directory).build());
    work = new Work(queue);
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
    queue.close();
  }

  private Connection connectUnlessAway() throws SQLException {
    if (isAway) {
      throw new SQLException("connection refused", "08001");
    }
    connection = connect();
    return connection;
  }

  JdbcSink both() {
    return JdbcSink.ofBoth(this::connectUnlessAway, name);
  }

  JdbcSink tasks() {
    return JdbcSink.ofTasks(this::connectUnlessAway, name);
  }

  Running run(FeedQuery query, FeedSink sink) {
    return new Running(new SinkRunner(queue, query, sink));
  }

  void finish(Running running, String id) {
    work.end(id);
    until("all is there", () -> running.isOver() || database.hasTask(id));
  }

  @Test
  void shouldHaveEachEffectOnceAndTheTasks() {
    work.some(200);
    try (Running running = run(ALL, both())) {
      work.some(300);
      finish(running, "end");
      until("it says so", () -> running.runner().progress().position().equals(database.position()));
    }
    database.assertHasAllEffects(queue);
    database.assertHasTheTasksOf(queue);
  }

  @Test
  void shouldResume() {
    for (int i = 0; i < 3; i++) {
      work.some(100);
      try (Running running = run(ALL, both())) {
        finish(running, "end " + i);
      }
    }
    database.assertHasAllEffects(queue);
    database.assertHasTheTasksOf(queue);
  }

  @Test
  void shouldBeginWithTheState() {
    work.some(300);
    try (Running running = run(STATE, tasks())) {
      work.some(100);
      finish(running, "end");
    }
    database.assertHasTheTasksOf(queue);
  }

  @Test
  void shouldGoOnWhenTheDatabaseWasAway() throws Exception {
    isAway = true;
    try (Running running = run(ALL, both())) {
      until("it waits", () -> running.runner().progress().problem().isPresent());
      isAway = false;
      for (int i = 0; i < 5; i++) {
        work.some(50);
        finish(running, "end " + i);
        isAway = true;
        cut(connection);
        work.some(50);
        until("it waits", () -> running.runner().progress().problem().isPresent());
        isAway = false;
      }
      finish(running, "end");
    }
    database.assertHasAllEffects(queue);
    database.assertHasTheTasksOf(queue);
  }

  @Test
  void shouldShowAStateWhenItIsComplete() {
    SinkBatch part = new SinkBatch(List.of(existing("b"), existing("c")), Optional.empty());
    try (JdbcSink sink = tasks()) {
      sink.open(STATE);
      sink.beginState();
      sink.apply(new SinkBatch(List.of(existing("a")), Optional.of(step(5))));
      sink.open(STATE);
      sink.beginState();
      sink.apply(part);
      assertThat(database.taskIds()).containsExactly("a");
      assertThat(sink.open(STATE)).contains(step(5));
      sink.beginState();
      sink.apply(part);
      sink.apply(batch(8));
      assertThat(database.taskIds()).containsExactly("8-0", "b", "c");
      assertThat(sink.open(STATE)).contains(step(8));
    }
  }

  @Test
  void shouldRefuseASecondRunner() {
    try (JdbcSink first = both();
        JdbcSink second = both()) {
      assertThat(first.open(ALL)).isEmpty();
      assertThat(second.open(ALL)).isEmpty();
      first.apply(batch(1));
      assertIsSecond(second, batch(1));
      assertThat(second.open(ALL)).contains(step(1));
      second.apply(batch(2));
      assertIsSecond(first, batch(2));
      assertThat(database.taskIds()).containsExactly("1-0", "2-0");
    }
  }

  private static void assertIsSecond(FeedSink sink, SinkBatch batch) {
    assertThatThrownBy(() -> sink.apply(batch))
        .isInstanceOfSatisfying(SinkException.class, e -> assertThat(e.isTemporary()).isFalse())
        .hasMessageContaining("another runner writes to these tables");
  }

  @Test
  void shouldShowTasksOfItsQueuesOnly() {
    FeedQuery some = FeedQuery.fromSnapshot().queues("in").prefixes("queue/").build();
    List<Task> inserted =
        queue
            .modify(
                Modification.builder()
                    .insert(Insert.into("in").withId("leaves"))
                    .insert(Insert.into("out").withId("comes"))
                    .insert(Insert.into("out").withId("is out"))
                    .build())
            .orThrow()
            .inserted();
    try (Running running = run(some, tasks())) {
      until("the state is there", () -> database.hasTask("leaves"));
      queue.modify(Modification.change(Change.of(inserted.get(0)).moveTo("out"))).orThrow();
      queue.modify(Modification.change(Change.of(inserted.get(1)).moveTo("in"))).orThrow();
      finish(running, "end");
    }
    assertThat(database.taskIds()).containsExactly("comes", "end");
  }

  @Test
  void shouldAcceptWhatDatabasesDoNot() {
    Insert odd =
        Insert.into("queue/\0")
            .withId("odd")
            .withValue("a\0b")
            .withAttempt(1, "why\0")
            .availableAt(Instant.ofEpochMilli(Long.MAX_VALUE / 2));
    queue.modify(Modification.insert(odd)).orThrow();
    try (Running running = run(ALL, both())) {
      finish(running, "end");
    }
    assertThat(database.taskIds()).containsExactly("end", "odd");
  }

  @Test
  void shouldRefuseTablesOfAnotherLayout() {
    database.execute("CREATE TABLE " + name + "_tasks (id INT)");
    assertThat(run(ALL, both()).failure()).hasMessageContaining("not of this version");
  }

  @Test
  void shouldRefuseTablesWithAnotherContent() {
    try (JdbcSink sink = both()) {
      sink.open(ALL);
      sink.apply(batch(1));
    }
    FeedQuery other = FeedQuery.fromNow().queues("other").build();
    assertThat(run(other, both()).failure())
        .hasMessageContaining("queues [other]")
        .hasMessageContaining("drop the tables");
    assertThat(run(ALL, tasks()).failure()).hasMessageContaining("effects, tasks");
    FeedQuery someKinds = FeedQuery.fromNow().kinds(EffectKind.INSERTED).build();
    assertThat(run(someKinds, tasks()).failure()).hasMessageContaining("all kinds");
    database.execute("UPDATE " + name + "_feed SET layout = 7");
    assertThat(run(ALL, both()).failure()).hasMessageContaining("layout 7");
  }
}
