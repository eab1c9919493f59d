package io.entroq.spring;

import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.TaskId;
import io.entroq.jdbc.Outbox;
import io.entroq.jdbc.OutboxLag;
import io.entroq.jdbc.Processed;
import io.entroq.jdbc.Relay;
import io.entroq.jdbc.RelayStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.context.SmartLifecycle;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Enqueues tasks as part of the current transaction: if it commits, each task will be in the queue,
 * once; if not, none will. The queue may be away meanwhile.
 *
 * <pre>{@code @Transactional
 * public void order(Order order) {
 *   orders.save(order);
 *   outbox.enqueue("orders", order);
 * }
 * }</pre>
 *
 * <p>The tasks are in a table until a {@link Relay} has brought them to the queue. It runs in each
 * instance of the application that has this bean, unless {@code entroq.outbox.auto-startup} is
 * false: it starts before listeners and web servers, and stops after them, when it has relayed what
 * was committed.
 *
 * <p>For PostgreSQL, MySQL, MariaDB and H2. Thread-safe.
 */
public final class TransactionalOutbox implements InitializingBean, SmartLifecycle {
  /** Below that of web servers and listeners, which fill it while they stop. */
  private static final int PHASE = DEFAULT_PHASE - 4_096;

  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

  private final CurrentTransaction transaction;
  private final EntroQTemplate template;
  private final OutboxProperties settings;
  private final Outbox outbox;
  private final TransactionSynchronization wakeUp =
      new TransactionSynchronization() {
        @Override
        public void afterCommit() {
          wake();
        }
      };

  private volatile Relay relay;

  /**
   * An outbox in a database, for applications with several.
   *
   * @param dataSource that of the transactions
   * @param template of the queue
   */
  public TransactionalOutbox(
      DataSource dataSource, EntroQTemplate template, OutboxProperties settings) {
    this.template = template;
    this.settings = settings;
    transaction = new CurrentTransaction(dataSource);
    outbox = Outbox.withPrefix(settings.prefix());
    Relay.Builder unused = relay();
  }

  /** {@link #enqueue(String, Object, UnaryOperator)} of a task that is available immediately. */
  public TaskId enqueue(String queueName, Object payload) {
    return enqueue(queueName, payload, UnaryOperator.identity());
  }

  /**
   * Enqueues a task when the current transaction commits.
   *
   * @param payload as with {@link EntroQTemplate}
   * @param options sets the delay, the id, how long the task lives and so on; times count from now
   * @return the id of the task
   * @throws org.springframework.transaction.IllegalTransactionStateException if there is no
   *     transaction of the DataSource, or it is read-only
   * @throws io.entroq.api.EntroQException.Codec if the payload cannot be encoded
   * @throws EntroQException.InvalidArgument if the value has more than 8 MiB, or a text the
   *     character NUL
   * @throws org.springframework.dao.DataAccessException if the database refuses it
   */
  public TaskId enqueue(String queueName, Object payload, UnaryOperator<Insert> options) {
    return enqueue(List.of(options.apply(template.insert(queueName, payload)))).get(0);
  }

  /**
   * Enqueues several tasks, which {@link EntroQTemplate#insert} makes of objects, with the same
   * conditions.
   *
   * @return the ids of the tasks, in the order of the inserts
   */
  public List<TaskId> enqueue(Collection<Insert> inserts) {
    List<Insert> traced = inserts.stream().map(template::traced).toList();
    List<TaskId> ids =
        transaction.execute(
            "an insert into the outbox", connection -> outbox.insert(connection, traced));
    if (TransactionSynchronizationManager.isSynchronizationActive()) {
      // Once for a transaction: they are a set.
      TransactionSynchronizationManager.registerSynchronization(wakeUp);
    }
    return ids;
  }

  private void wake() {
    Relay current = relay;
    if (current != null) {
      current.wake();
    }
  }

  /**
   * How many tasks wait to be brought to the queue, and for how long. Counts them in the database.
   */
  public OutboxLag lag() throws SQLException {
    try (Connection connection = transaction.dataSource().getConnection()) {
      return outbox.lag(connection);
    }
  }

  /** What the relay of this instance has done; empty if it has never been started. */
  public Optional<RelayStatus> relayStatus() {
    return Optional.ofNullable(relay).map(Relay::status);
  }

  /** Creates the tables if the settings say so. */
  @Override
  public void afterPropertiesSet() throws SQLException {
    if (isToInitialize()) {
      try (Connection connection = transaction.dataSource().getConnection()) {
        // A pool may have it off.
        connection.setAutoCommit(true);
        outbox.createTables(connection);
        // What the same database needs to handle tasks once.
        Processed.withPrefix(settings.prefix()).createTable(connection);
      }
    }
  }

  /** Connects only if an embedded database is possible at all. */
  private boolean isToInitialize() {
    DatabaseInitializationMode mode = settings.initializeSchema();
    return mode == DatabaseInitializationMode.ALWAYS
        || (mode == DatabaseInitializationMode.EMBEDDED
            && EmbeddedDatabaseConnection.get(getClass().getClassLoader())
                != EmbeddedDatabaseConnection.NONE
            && EmbeddedDatabaseConnection.isEmbedded(transaction.dataSource()));
  }

  private Relay.Builder relay() {
    return outbox
        .relay(transaction.dataSource()::getConnection, template.queue())
        .batchRows(settings.batchRows())
        .pollInterval(settings.pollInterval());
  }

  @Override
  public boolean isAutoStartup() {
    return settings.autoStartup();
  }

  @Override
  public int getPhase() {
    return PHASE;
  }

  /** Starts the relay. */
  @Override
  public void start() {
    relay = relay().start();
  }

  /** Ends the relay, after it has relayed what was committed, but within 10 s. */
  @Override
  public void stop() {
    Relay current = relay;
    if (current != null) {
      boolean unused = current.close(DRAIN_TIMEOUT);
    }
  }

  @Override
  public boolean isRunning() {
    return relayStatus().filter(RelayStatus::isRunning).isPresent();
  }
}
