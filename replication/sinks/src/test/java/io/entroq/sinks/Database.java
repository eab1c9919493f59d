package io.entroq.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Looks into the tables of a sink, often. */
final class Database implements AutoCloseable {
  private final JdbcSink.Connector connector;
  private final String name;

  /** Null before the first look. */
  private Connection open;

  Database(JdbcSink.Connector connector, String name) {
    this.connector = connector;
    this.name = name;
  }

  private Connection connection() throws SQLException {
    open = open == null ? connector.connect() : open;
    return open;
  }

  @Override
  public void close() throws SQLException {
    if (open != null) {
      open.close();
    }
  }

  void execute(String sql) {
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> List<T> rows(String sql, RowReader<T> reader) {
    try (Statement statement = connection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<T> rows = new ArrayList<>();
      while (row.next()) {
        rows.add(reader.read(row));
      }
      return rows;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a row. */
  @FunctionalInterface
  private interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** False while there is no table, too. */
  boolean hasTask(String id) {
    try {
      String sql = "SELECT id FROM %s_tasks WHERE id = '%s'".formatted(name, id);
      return !rows(sql, row -> row.getString(1)).isEmpty();
    } catch (IllegalStateException e) {
      return false;
    }
  }

  List<String> taskIds() {
    return rows("SELECT id FROM " + name + "_tasks ORDER BY id", row -> row.getString(1));
  }

  Optional<FeedPosition> position() {
    return rows("SELECT position FROM " + name + "_feed", row -> row.getString(1)).stream()
        .map(FeedPosition::of)
        .findFirst();
  }

  /** Compares the table of effects with the feed from its begin to the position of the sink. */
  void assertHasAllEffects(EntroQ queue) {
    FeedQuery query =
        FeedQuery.after(FeedPosition.after(0)).until(position().orElseThrow()).withValues().build();
    List<String> expected = new ArrayList<>();
    try (FeedIterator feed = Feed.of(queue).iterator(query)) {
      for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
        expected.add(text(next.get()));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    String sql =
        "SELECT sequence, step_index, kind, queue, id, effect FROM %s_effects"
            + " ORDER BY sequence, step_index";
    List<String> found =
        rows(
            sql.formatted(name),
            row ->
                "%d-%d %s %s %s %s"
                    .formatted(
                        row.getLong(1),
                        row.getInt(2),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getString(6)));
    assertThat(found).hasSizeGreaterThan(1).isEqualTo(expected);
  }

  private static String text(Effect effect) {
    FeedPosition position = effect.position().orElseThrow();
    return "%d-%d %s %s %s %s"
        .formatted(
            position.sequence(),
            position.index(),
            EffectJson.kind(effect),
            effect.task().map(Task::queue).orElse(""),
            EffectJson.key(effect),
            EffectJson.of(effect));
  }

  /** Compares the table of tasks with the queue, but for what time alone changes. */
  void assertHasTheTasksOf(EntroQ queue) {
    List<String> expected = new ArrayList<>();
    for (String each : queue.queues(QueueQuery.all()).keySet()) {
      queue.forEachTask(TaskQuery.in(each), task -> expected.add(text(task)));
    }
    String sql =
        "SELECT id, queue, version, arrival, claimant, claims, attempt, err, created, modified,"
            + " json, bytes FROM "
            + name
            + "_tasks";
    List<String> found = rows(sql, Database::text);
    Collections.sort(expected);
    Collections.sort(found);
    assertThat(found).isNotEmpty().isEqualTo(expected);
  }

  private static String text(ResultSet row) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= 10; i++) {
      boolean isTime = i == 4 || i == 9 || i == 10;
      text.append(isTime ? row.getObject(i, OffsetDateTime.class).toInstant() : row.getString(i));
      text.append(' ');
    }
    byte[] bytes = row.getBytes(12);
    Value value =
        bytes != null
            ? Value.bytes(bytes)
            : Optional.ofNullable(row.getString(11)).map(Value::json).orElse(Value.absent());
    return text.append(value.kind()).append(' ').append(value.asText()).toString();
  }

  private static String text(Task task) {
    return "%s %s %d %s %s %d %d %s %s %s %s %s"
        .formatted(
            task.id(),
            task.queue(),
            task.version(),
            task.arrivalTime(),
            task.claimant(),
            task.claims(),
            task.attempt(),
            task.err(),
            task.created(),
            task.modified(),
            task.value().kind(),
            task.text());
  }
}
