package io.entroq.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The names of the tables.
 *
 * @param prefix with which they begin
 */
record TableNames(String prefix) {
  static final String DEFAULT_PREFIX = "entroq";

  /** SQL identifiers that need no quotes, short enough for a suffix. */
  private static final Pattern PREFIX = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  /** Of processes that create the same table at once, all but one may fail. */
  private static final int TRIES = 5;

  TableNames {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "a prefix is a lower-case letter with up to 39 letters, digits and _ behind it, not \""
              + prefix
              + "\"");
    }
  }

  String outbox() {
    return prefix + "_outbox";
  }

  String identity() {
    return prefix + "_outbox_identity";
  }

  String processed() {
    return prefix + "_processed";
  }

  /**
   * Creates tables that do not exist.
   *
   * @param isWanted which of the statements, with the default prefix
   */
  void create(Connection connection, Predicate<String> isWanted) throws SQLException {
    if (!connection.getAutoCommit()) {
      throw new IllegalStateException(
          "some databases commit when a table is created: create tables outside of transactions,"
              + " over a connection that commits each statement");
    }
    for (String statement : Dialect.of(connection).statements()) {
      if (isWanted.test(statement)) {
        execute(connection, statement.replace(DEFAULT_PREFIX + "_", prefix + "_"));
      }
    }
  }

  private static void execute(Connection connection, String statement) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        Sql.update(connection, statement);
        return;
      } catch (SQLException e) {
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }
}
