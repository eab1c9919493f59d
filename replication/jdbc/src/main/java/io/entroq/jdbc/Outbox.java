package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Inserts tasks as part of a transaction of a database: if it commits, each task will be in the
 * queue, once; if not, none will.
 *
 * <pre>{@code
 * Outbox outbox = Outbox.withPrefix("shop");
 * Relay relay = outbox.relay(dataSource::getConnection, queue).start();
 *
 * connection.setAutoCommit(false);
 * saveOrder(connection, order);
 * outbox.insert(connection, Insert.into("orders").withValue(order.id()));
 * connection.commit();
 * relay.wake();
 * }</pre>
 *
 * <p>For PostgreSQL, MySQL, MariaDB and H2. Immutable, and for any thread.
 */
public final class Outbox {
  private final TableNames names;
  private final OutboxTable table;

  private Outbox(TableNames names) {
    this.names = names;
    table = new OutboxTable(names);
  }

  /** With the prefix {@code entroq}. */
  public static Outbox withDefaultPrefix() {
    return withPrefix(TableNames.DEFAULT_PREFIX);
  }

  /**
   * With tables {@code PREFIX_outbox} and {@code PREFIX_outbox_identity}.
   *
   * @param prefix a lower-case letter with up to 39 letters, digits and underscores behind it
   */
  public static Outbox withPrefix(String prefix) {
    return new Outbox(new TableNames(prefix));
  }

  /**
   * Creates the tables if they do not exist. Nothing else creates them.
   *
   * @param connection in auto-commit mode, as some databases commit when they create a table
   */
  public void createTables(Connection connection) throws SQLException {
    names.create(
        connection, statement -> statement.contains(TableNames.DEFAULT_PREFIX + "_outbox"));
  }

  /** {@link #insert(Connection, Collection)}. */
  public List<TaskId> insert(Connection connection, Insert... inserts) throws SQLException {
    return insert(connection, Arrays.asList(inserts));
  }

  /**
   * Inserts tasks when the current transaction commits.
   *
   * <p>A delay or time to live counts from now. A task without an id gets a random one. An id of
   * your own is for tasks that several transactions may insert: while a task with it exists, others
   * are dropped.
   *
   * @param connection in a transaction, which the caller commits or rolls back
   * @return the ids of the tasks, in the order of the inserts
   * @throws io.entroq.api.EntroQException.InvalidArgument if a value has more than 8 MiB or a text
   *     has the character NUL, which not all databases can keep; nothing is inserted
   * @throws IllegalStateException if the connection is in auto-commit mode
   */
  public List<TaskId> insert(Connection connection, Collection<Insert> inserts)
      throws SQLException {
    Sql.requireTransaction(connection, "an insert into the outbox");
    return table.insert(connection, inserts);
  }

  /**
   * A relay of the rows to a queue, to be started. Each process of the application may have one, or
   * more.
   *
   * @param database opens connections, best from a pool
   */
  public Relay.Builder relay(Connector database, EntroQ queue) {
    return new Relay.Builder(table, database, queue);
  }

  /** How far the relays are behind. It reads the database alone, and all rows that wait. */
  public OutboxLag lag(Connection connection) throws SQLException {
    return table.lag(connection);
  }

  /**
   * The oldest rows that were refused and wait for somebody.
   *
   * @param limit how many at most
   */
  public List<SetAsideRow> setAside(Connection connection, int limit) throws SQLException {
    return table.setAside(connection, limit);
  }

  /**
   * Lets relays try a row again that was set aside.
   *
   * @return whether there is such a row
   */
  public boolean retry(Connection connection, long id) throws SQLException {
    return table.retry(connection, id);
  }

  /**
   * Deletes a row that was set aside.
   *
   * @return whether there was such a row
   */
  public boolean discard(Connection connection, long id) throws SQLException {
    return table.discard(connection, id);
  }
}
