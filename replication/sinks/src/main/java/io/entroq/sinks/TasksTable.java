package io.entroq.sinks;

import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.FeedQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table of the tasks that exist, in the queues of the query. */
final class TasksTable {
  private static final Set<EffectKind> GONE =
      Set.of(EffectKind.DELETED, EffectKind.EXPIRED, EffectKind.DROPPED);

  private static final String COLUMNS =
      "id, queue, version, insert_sequence, arrival, claimant, in_flight, claims, attempt, err,"
          + " created, modified, json, bytes";

  private final String name;

  /** Null before it begins. */
  private FeedQuery query;

  TasksTable(String name) {
    this.name = name;
  }

  void create(Connection connection) throws SQLException {
    execute(
        connection,
        """
        CREATE TABLE IF NOT EXISTS %s (
          id VARCHAR PRIMARY KEY,
          queue VARCHAR NOT NULL,
          version INT NOT NULL,
          insert_sequence BIGINT NOT NULL,
          arrival TIMESTAMP WITH TIME ZONE NOT NULL,
          claimant VARCHAR NOT NULL,
          in_flight BOOLEAN NOT NULL,
          claims INT NOT NULL,
          attempt INT NOT NULL,
          err VARCHAR NOT NULL,
          created TIMESTAMP WITH TIME ZONE NOT NULL,
          modified TIMESTAMP WITH TIME ZONE NOT NULL,
          json VARCHAR,
          bytes BYTEA)""");
    Columns.check(connection, name, COLUMNS);
  }

  void begin(FeedQuery newQuery) {
    query = newQuery;
  }

  void clear(Connection connection) throws SQLException {
    execute(connection, "DELETE FROM %s");
  }

  private void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql.formatted(name));
    }
  }

  /** Writes what became of each task, once. */
  void write(Connection connection, List<Effect> effects) throws SQLException {
    Set<String> replaced = new LinkedHashSet<>();
    Map<String, Effect> last = new LinkedHashMap<>();
    for (Effect effect : effects) {
      if (effect.kind() == EffectKind.UNKNOWN) {
        throw SinkException.permanent(
            name + ": the server tells of changes that this version does not know; update it");
      }
      if (effect.task().isPresent()) {
        String id = Columns.text(effect.task().get().id().text());
        last.put(id, effect);
        if (effect.position().isPresent()) {
          // Only what belongs to a state cannot be there yet.
          replaced.add(id);
        }
      }
    }
    delete(connection, replaced);
    insert(connection, last);
  }

  private void delete(Connection connection, Set<String> ids) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM %s WHERE id = ?".formatted(name))) {
      for (String id : ids) {
        delete.setString(1, id);
        delete.addBatch();
      }
      delete.executeBatch();
    }
  }

  private void insert(Connection connection, Map<String, Effect> last) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO %s (%s) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                .formatted(name, COLUMNS))) {
      for (Map.Entry<String, Effect> entry : last.entrySet()) {
        Effect effect = entry.getValue();
        Task task = effect.task().orElseThrow();
        if (!GONE.contains(effect.kind()) && isSelected(task.queue())) {
          insert.setString(1, entry.getKey());
          set(insert, task, effect.insertSequence());
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  /** A feed also shows how tasks leave its queues. A queue that may not be read has no name. */
  private boolean isSelected(String queue) {
    boolean isAny = query.queues().isEmpty() && query.prefixes().isEmpty();
    return !queue.isEmpty()
        && (isAny
            || query.queues().contains(queue)
            || query.prefixes().stream().anyMatch(queue::startsWith));
  }

  private static void set(PreparedStatement insert, Task task, long insertSequence)
      throws SQLException {
    Value value = task.value();
    Optional<Value> json = Optional.of(value).filter(any -> any.kind() == Value.Kind.JSON);
    Optional<Value> bytes = Optional.of(value).filter(any -> any.kind() == Value.Kind.BYTES);
    insert.setString(2, Columns.text(task.queue()));
    insert.setInt(3, task.version());
    insert.setLong(4, insertSequence);
    insert.setObject(5, Columns.time(task.arrivalTime()));
    insert.setString(6, Columns.text(task.claimant()));
    insert.setBoolean(7, task.isInFlight());
    insert.setInt(8, task.claims());
    insert.setInt(9, task.attempt());
    insert.setString(10, Columns.text(task.err()));
    insert.setObject(11, Columns.time(task.created()));
    insert.setObject(12, Columns.time(task.modified()));
    insert.setString(13, json.map(Value::asJson).orElse(null));
    insert.setBytes(14, bytes.map(Value::toBytes).orElse(null));
  }
}
