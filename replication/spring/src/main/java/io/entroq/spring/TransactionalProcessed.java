package io.entroq.spring;

import io.entroq.api.Task;
import io.entroq.jdbc.Processed;
import javax.sql.DataSource;

/**
 * Effects of tasks in the database of the current transaction that happen once, although a task may
 * be done twice. A row says that they have happened; it commits with them.
 *
 * <pre>{@code @QueueListener("orders")
 * @Transactional
 * public void ship(Order order, Task task) {
 *   processed.once(task, () -> parcels.save(new Parcel(order)));
 * }
 * }</pre>
 *
 * <p>For PostgreSQL, MySQL, MariaDB and H2. Thread-safe.
 */
public final class TransactionalProcessed {
  private static final String WHAT = "an effect that happens once";

  private final CurrentTransaction transaction;
  private final Processed processed;

  /**
   * In a database, for applications with several.
   *
   * @param dataSource that of the transactions
   * @param prefix with which the name of the table begins
   */
  public TransactionalProcessed(DataSource dataSource, String prefix) {
    transaction = new CurrentTransaction(dataSource);
    processed = Processed.withPrefix(prefix);
  }

  /**
   * Applies the effects of a task, unless they have been applied to this database before: {@link
   * Processed#once(java.sql.Connection, Task, Processed.Effects)}.
   *
   * @param effects in the current transaction
   * @return whether they were applied now
   * @throws org.springframework.transaction.IllegalTransactionStateException if there is no
   *     transaction of the DataSource, or it is read-only
   * @throws org.springframework.dao.DataAccessException if the database refuses it
   */
  public boolean once(Task task, Runnable effects) {
    return transaction.execute(WHAT, connection -> processed.once(connection, task, effects::run));
  }

  /**
   * Applies effects, unless effects with this key have been applied to this database before.
   *
   * @param key names the work, such as an id and a step: 1 to 1,024 bytes of UTF-8
   */
  public boolean once(String key, Runnable effects) {
    return transaction.execute(WHAT, connection -> processed.once(connection, key, effects::run));
  }
}
