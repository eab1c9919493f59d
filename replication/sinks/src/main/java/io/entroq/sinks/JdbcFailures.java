package io.entroq.sinks;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;

/** Which failures of a database pass by themselves, and what to do about others. */
final class JdbcFailures {
  /**
   * How SQL states begin: connection, transaction rolled back, resources, operator, system; then
   * those of H2 for what is closed.
   */
  private static final List<String> TEMPORARY =
      List.of("08", "40", "53", "57", "58", "90007", "90067", "90098", "90121");

  /** Constraints of unique rows. */
  private static final String CONSTRAINT = "23";

  /** No such column or table. */
  private static final String SYNTAX = "42";

  private JdbcFailures() {}

  /**
   * @param name of the sink
   */
  static SinkException of(String name, SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    String group = state.substring(0, Math.min(2, state.length()));
    String what = name + ": " + e.getMessage();
    if (e instanceof SQLTransientException
        || e instanceof SQLRecoverableException
        || TEMPORARY.stream().anyMatch(state::startsWith)) {
      return SinkException.temporary(what, e);
    }
    return switch (group) {
      case CONSTRAINT -> anotherRunner(name, e);
      case SYNTAX ->
          SinkException.permanent(
              what + "; the tables are not of this version: choose another name, or drop them", e);
      default -> SinkException.permanent(what, e);
    };
  }

  /**
   * @param cause may be null
   */
  static SinkException anotherRunner(String name, SQLException cause) {
    return SinkException.permanent(
        name + ": another runner writes to these tables; stop one, or give it another name", cause);
  }
}
