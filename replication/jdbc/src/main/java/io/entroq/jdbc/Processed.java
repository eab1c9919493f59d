package io.entroq.jdbc;

import io.entroq.api.Task;
import io.entroq.api.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Effects of tasks in a database that happen once, although a task may be done twice. A row says
 * that they have happened; it commits with them.
 *
 * <pre>{@code
 * Processed processed = Processed.withPrefix("shop");
 * processed.once(connection, task, () -> credit(connection, customer, points));
 * connection.commit();
 * }</pre>
 *
 * <p>For PostgreSQL, MySQL, MariaDB and H2. Immutable, and for any thread.
 */
public final class Processed {
  /** Rows that are deleted at a time, so that the transaction is short. */
  private static final int DELETE_ROWS_MAX = 1_000;

  private final TableNames names;

  private Processed(TableNames names) {
    this.names = names;
  }

  /** With the prefix {@code entroq}. */
  public static Processed withDefaultPrefix() {
    return withPrefix(TableNames.DEFAULT_PREFIX);
  }

  /**
   * With a table {@code PREFIX_processed}.
   *
   * @param prefix a lower-case letter with up to 39 letters, digits and underscores behind it
   */
  public static Processed withPrefix(String prefix) {
    return new Processed(new TableNames(prefix));
  }

  /**
   * Creates the table if it does not exist. Nothing else creates it.
   *
   * @param connection in auto-commit mode, as some databases commit when they create a table
   */
  public void createTable(Connection connection) throws SQLException {
    names.create(
        connection, statement -> statement.contains(TableNames.DEFAULT_PREFIX + "_processed"));
  }

  /**
   * What happens once.
   *
   * @param <X> how it fails, besides with a {@link SQLException}
   */
  @FunctionalInterface
  public interface Effects<X extends Exception> {
    /** Uses the connection of the transaction, and does not commit. */
    void apply() throws SQLException, X;
  }

  /**
   * Applies the effects of a task, unless they have been applied to this database before. Effects
   * that run in two transactions at once are applied by one; the other waits for it.
   *
   * <p>A task is known by its id and its queue. So effects happen once, however often the task is
   * claimed, moved to a dead queue and back, or inserted again with its id. For a task that stays
   * in a queue and does something else each time, use {@link #once(Connection, String, Effects)}.
   *
   * @param connection in a transaction, which the caller commits, or rolls back if this throws
   * @param effects use the connection
   * @return whether they were applied now
   * @throws IllegalStateException if the connection is in auto-commit mode
   */
  public <X extends Exception> boolean once(Connection connection, Task task, Effects<X> effects)
      throws SQLException, X {
    String id = task.id().derive("in " + task.queue()).text();
    return once(connection, id, task.queue(), task.id().text(), effects);
  }

  /**
   * Applies effects, unless effects with this key have been applied to this database before.
   *
   * @param key names the work, such as an id and a step: 1 to 1,024 bytes of UTF-8
   */
  public <X extends Exception> boolean once(Connection connection, String key, Effects<X> effects)
      throws SQLException, X {
    return once(connection, TaskId.of(key).derive("key").text(), "", key, effects);
  }

  private <X extends Exception> boolean once(
      Connection connection, String id, String queue, String task, Effects<X> effects)
      throws SQLException, X {
    Sql.requireTransaction(connection, "an effect that happens once");
    if (!insert(connection, id, queue, task)) {
      return false;
    }
    boolean isApplied = false;
    try {
      effects.apply();
      isApplied = true;
    } finally {
      if (!isApplied) {
        forget(connection, id);
      }
    }
    return true;
  }

  private boolean insert(Connection connection, String id, String queue, String task)
      throws SQLException {
    Dialect dialect = Dialect.of(connection);
    return dialect.insertNew(
        connection,
        "%s (id, created, queue, task) VALUES (?, %s, ?, ?)"
            .formatted(names.processed(), dialect.nowMs()),
        id,
        printable(queue),
        printable(task));
  }

  /** For people; PostgreSQL has no texts with a NUL. */
  private static String printable(String text) {
    return text.replace('\0', '\u2400');
  }

  /** In case that the caller commits what has failed. */
  private void forget(Connection connection, String id) {
    try {
      Sql.update(connection, "DELETE FROM " + names.processed() + " WHERE id = ?", id);
    } catch (SQLException e) {
      // PostgreSQL refuses all statements after one that failed, and a commit too.
    }
  }

  /**
   * Deletes the oldest rows. Call it now and then, until it returns less than 1,000. A task whose
   * row is gone has its effects again if it is done again: keep rows for longer than a task may
   * wait to be done again, or a repeated insert to arrive. 7 days are a good begin.
   *
   * @param age of the rows to delete, at least, by the clock of the database; zero or more
   * @return how many were deleted, up to 1,000
   */
  public int deleteOlderThan(Connection connection, Duration age) throws SQLException {
    if (age.isNegative()) {
      throw new IllegalArgumentException("age must be zero or more, is " + age);
    }
    List<String> ids =
        Sql.list(
            connection,
            row -> row.getString(1),
            "SELECT id FROM %s WHERE created <= %s - ? ORDER BY created LIMIT ?"
                .formatted(names.processed(), Dialect.of(connection).nowMs()),
            age.toMillis(),
            DELETE_ROWS_MAX);
    if (!ids.isEmpty()) {
      List<Object[]> values = ids.stream().map(id -> new Object[] {id}).toList();
      Sql.updateAll(connection, "DELETE FROM " + names.processed() + " WHERE id = ?", values);
    }
    return ids.size();
  }
}
