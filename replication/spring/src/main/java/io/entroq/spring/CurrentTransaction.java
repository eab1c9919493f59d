package io.entroq.spring;

import javax.sql.DataSource;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction of a DataSource in which the current thread is. Thread-safe. */
final class CurrentTransaction {
  private final DataSource dataSource;
  private final JdbcTemplate jdbc;

  CurrentTransaction(DataSource dataSource) {
    // As transaction managers do, which know transactions by the one behind it.
    this.dataSource =
        dataSource instanceof TransactionAwareDataSourceProxy proxy
                && proxy.getTargetDataSource() != null
            ? proxy.getTargetDataSource()
            : dataSource;
    jdbc = new JdbcTemplate(this.dataSource);
  }

  DataSource dataSource() {
    return dataSource;
  }

  /**
   * Does something in the transaction, with its connection.
   *
   * @param what belongs into a transaction, for errors
   * @throws IllegalTransactionStateException if there is no transaction that can commit it
   */
  <T> T execute(String what, ConnectionCallback<T> statements) {
    if (!TransactionSynchronizationManager.isActualTransactionActive()) {
      throw new IllegalTransactionStateException(
          what
              + " must be in a transaction, but there is none. Call it from a method with"
              + " @Transactional, which another bean has to call, or inside of a"
              + " TransactionTemplate.");
    }
    if (!TransactionSynchronizationManager.hasResource(dataSource)) {
      throw new IllegalTransactionStateException(
          what
              + " must be in a transaction of its DataSource, but the current one is of another"
              + " DataSource. Name the transaction manager: @Transactional(\"...\").");
    }
    if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
      throw new IllegalTransactionStateException(
          what
              + " must be in a transaction that writes, but the current one is read-only. Remove"
              + " readOnly = true, or give the method a transaction of its own.");
    }
    return jdbc.execute(statements);
  }
}
