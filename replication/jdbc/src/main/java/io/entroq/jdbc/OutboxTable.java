package io.entroq.jdbc;

import io.entroq.api.Arrival;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.TaskId;
import io.entroq.api.Value;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** The statements on the tables of an outbox. */
final class OutboxTable {
  /** The most that a queue can be configured to take. */
  private static final int VALUE_BYTES_MAX = 8 << 20;

  private static final int PROBLEM_CHARS_MAX = 1_000;
  private static final String OLDEST_FIRST = " ORDER BY id LIMIT ?";

  private final TableNames names;

  OutboxTable(TableNames names) {
    this.names = names;
  }

  String name() {
    return names.outbox();
  }

  List<TaskId> insert(Connection connection, Collection<Insert> inserts) throws SQLException {
    List<TaskId> ids = new ArrayList<>();
    List<Object[]> rows = new ArrayList<>();
    for (Insert insert : inserts) {
      TaskId id = insert.id().orElseGet(TaskId::random);
      ids.add(id);
      rows.add(columns(insert.withId(id)));
    }
    if (!rows.isEmpty()) {
      Sql.updateAll(
          connection,
          "INSERT INTO %s (created, queue, task, json, bytes, available_at, delay_ms, attempt, err, ttl_ms, trace) VALUES (%s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
              .formatted(name(), Dialect.of(connection).nowMs()),
          rows);
    }
    return ids;
  }

  private static Object[] columns(Insert insert) {
    Value value = insert.value();
    checkSize(value);
    String task = insert.id().orElseThrow().text();
    boolean isTime = insert.arrival() instanceof Arrival.At;
    boolean isDelay = insert.arrival() instanceof Arrival.In;
    long arrivalMs = insert.arrival().resolveMs(0);
    return new Object[] {
      checked("queue", insert.queue()),
      checked("task id", task),
      value.kind() == Value.Kind.JSON ? value.asJson() : null,
      value.kind() == Value.Kind.BYTES ? value.toBytes() : null,
      isTime ? arrivalMs : null,
      isDelay ? arrivalMs : null,
      insert.attempt(),
      checked("err", insert.err()),
      insert.timeToLive().map(OutboxTable::milliseconds).orElse(null),
      checked("trace", insert.trace())
    };
  }

  private static String checked(String what, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new EntroQException.InvalidArgument(
          what + " must not have the character NUL, which not all databases can keep");
    }
    return text;
  }

  private static void checkSize(Value value) {
    if (value.size() > VALUE_BYTES_MAX) {
      throw new EntroQException.InvalidArgument(
          "value must have at most %d bytes, has %d; keep it elsewhere, and insert a reference"
              .formatted(VALUE_BYTES_MAX, value.size()));
    }
  }

  private static long milliseconds(Duration time) {
    return time.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : time.toMillis();
  }

  /** By what the relays of this outbox know each other. Commits. */
  String identity(Connection connection) throws SQLException {
    return Sql.transact(
        connection,
        () -> {
          String into = names.identity() + " (only_row, identity) VALUES (1, ?)";
          List<String> found = identities(connection);
          if (found.isEmpty()) {
            Dialect.of(connection).insertNew(connection, into, UUID.randomUUID().toString());
            found = identities(connection);
          }
          return found.get(0);
        });
  }

  private List<String> identities(Connection connection) throws SQLException {
    return Sql.list(
        connection, row -> row.getString(1), "SELECT identity FROM " + names.identity());
  }

  /**
   * The oldest rows that wait. Commits.
   *
   * @param held queues whose rows are left where they are
   * @param rowsMax how many at most
   * @param bytesMax about how many bytes at most, but at least one row
   */
  Batch read(Connection connection, Set<String> held, int rowsMax, long bytesMax)
      throws SQLException {
    String marks = "?, ".repeat(held.size());
    String others =
        held.isEmpty() ? "" : " AND queue NOT IN (" + marks.substring(0, marks.length() - 2) + ")";
    String sql =
        "SELECT id, created, queue, task, json, bytes, available_at, delay_ms, attempt, err, ttl_ms, trace, %s AS now FROM %s WHERE problem IS NULL"
                .formatted(Dialect.of(connection).nowMs(), name())
            + others
            + OLDEST_FIRST;
    List<Object> values = new ArrayList<>(held);
    values.add(rowsMax);
    Batch batch = new Batch(bytesMax);
    return Sql.transact(
        connection,
        () -> {
          Sql.read(connection, batch::add, sql, values.toArray());
          return batch;
        });
  }

  /** Rows that were read together. */
  static final class Batch {
    private final List<OutboxRow> rows = new ArrayList<>();
    private final Map<Long, Malformed> malformed = new TreeMap<>();
    private final Set<TaskId> ids = new HashSet<>();
    private long bytesLeft;

    Batch(long bytesMax) {
      bytesLeft = bytesMax;
    }

    /** Returns whether there is room for more. */
    private boolean add(ResultSet row) throws SQLException {
      OutboxRow.Key key = new OutboxRow.Key(row.getLong("id"), row.getLong("created"));
      OutboxRow read;
      try {
        read = new OutboxRow(key, decode(row));
      } catch (EntroQException.InvalidArgument | IllegalArgumentException e) {
        malformed.put(key.id(), new Malformed(key, "cannot be decoded: " + e.getMessage()));
        return true;
      }
      // A Modify cannot insert an id twice, and the second task may be meant to follow the first.
      if (!ids.add(read.task())) {
        return false;
      }
      bytesLeft -= read.size();
      if (bytesLeft < 0 && !rows.isEmpty()) {
        return false;
      }
      return rows.add(read);
    }

    List<OutboxRow> rows() {
      return rows;
    }

    Collection<Malformed> malformed() {
      return malformed.values();
    }
  }

  /**
   * A row that is no task.
   *
   * @param key of the row
   * @param problem what is wrong with it
   */
  record Malformed(OutboxRow.Key key, String problem) {}

  private static Insert decode(ResultSet row) throws SQLException {
    long ageMs = Math.max(0, row.getLong("now") - row.getLong("created"));
    Value value = value(row.getString("json"), row.getBytes("bytes"));
    checkSize(value);
    return new Insert(
        Optional.of(TaskId.of(row.getString("task"))),
        row.getString("queue"),
        arrival(
            row.getObject("available_at", Long.class),
            row.getObject("delay_ms", Long.class),
            ageMs),
        value,
        row.getInt("attempt"),
        row.getString("err"),
        Optional.ofNullable(row.getObject("ttl_ms", Long.class)).map(ttl -> timeToLive(ttl, ageMs)),
        row.getString("trace"),
        "");
  }

  private static Value value(String json, byte[] bytes) {
    if (json != null && bytes != null) {
      throw new EntroQException.InvalidArgument("it has both json and bytes");
    }
    if (json != null) {
      return Value.json(json);
    }
    return bytes == null ? Value.absent() : Value.bytes(bytes);
  }

  private static Arrival arrival(Long atMs, Long delayMs, long ageMs) {
    if (atMs != null && delayMs != null) {
      throw new EntroQException.InvalidArgument("it has both available_at and delay_ms");
    }
    if (atMs != null) {
      return Arrival.at(Instant.ofEpochMilli(atMs));
    }
    return delayMs == null || (delayMs >= 0 && delayMs <= ageMs)
        ? Arrival.now()
        : Arrival.in(Duration.ofMillis(delayMs < 0 ? delayMs : delayMs - ageMs));
  }

  /** What is left of it; of one that has expired a bit, so that the queue treats it as expired. */
  private static Duration timeToLive(long ttlMs, long ageMs) {
    if (ttlMs == Long.MAX_VALUE) {
      return Claim.FOREVER;
    }
    return Duration.ofMillis(ttlMs <= 0 ? ttlMs : Math.max(1, ttlMs - ageMs));
  }

  /** Deletes rows that are in the queue, if they still exist. Commits. */
  void delete(Connection connection, List<OutboxRow.Key> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    List<Object[]> values =
        rows.stream().map(key -> new Object[] {key.id(), key.created()}).toList();
    Sql.transact(
        connection,
        () -> {
          Sql.updateAll(
              connection, "DELETE FROM " + name() + " WHERE id = ? AND created = ?", values);
          return true;
        });
  }

  /** Sets a row aside. Commits. */
  void setAside(Connection connection, OutboxRow.Key row, String problem) throws SQLException {
    String text = problem.replace('\0', '\u2400');
    int end = Math.min(PROBLEM_CHARS_MAX, text.length());
    Sql.transact(
        connection,
        () ->
            Sql.update(
                connection,
                "UPDATE " + name() + " SET problem = ? WHERE id = ? AND created = ?",
                text.substring(0, end),
                row.id(),
                row.created()));
  }

  OutboxLag lag(Connection connection) throws SQLException {
    String sql =
        "SELECT COUNT(*) - COUNT(problem), MIN(CASE WHEN problem IS NULL THEN created END), COUNT(problem), %s FROM %s"
            .formatted(Dialect.of(connection).nowMs(), name());
    return Sql.list(connection, OutboxTable::lag, sql).get(0);
  }

  private static OutboxLag lag(ResultSet row) throws SQLException {
    long waiting = row.getLong(1);
    long oldestMs = waiting == 0 ? 0 : Math.max(0, row.getLong(4) - row.getLong(2));
    return new OutboxLag(waiting, Duration.ofMillis(oldestMs), row.getLong(3));
  }

  List<SetAsideRow> setAside(Connection connection, int limit) throws SQLException {
    return Sql.list(
        connection,
        row ->
            new SetAsideRow(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                row.getString(3),
                row.getString(4),
                row.getString(5)),
        "SELECT id, created, queue, task, problem FROM "
            + name()
            + " WHERE problem IS NOT NULL"
            + OLDEST_FIRST,
        limit);
  }

  boolean retry(Connection connection, long id) throws SQLException {
    String sql = "UPDATE " + name() + " SET problem = NULL WHERE id = ? AND problem IS NOT NULL";
    return Sql.update(connection, sql, id) > 0;
  }

  boolean discard(Connection connection, long id) throws SQLException {
    String sql = "DELETE FROM " + name() + " WHERE id = ? AND problem IS NOT NULL";
    return Sql.update(connection, sql, id) > 0;
  }
}
