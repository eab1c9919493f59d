package io.entroq.sinks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** What databases accept. */
final class Columns {
  /** The engine has times beyond those of databases, for what never happens. */
  private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999Z");

  private Columns() {}

  /** Fails if the table has not got all of them: then something else has created it. */
  static void check(Connection connection, String table, String columns) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT %s FROM %s WHERE 1 = 0".formatted(columns, table));
    }
  }

  static OffsetDateTime time(Instant time) {
    return (time.isBefore(LATEST) ? time : LATEST).atOffset(ZoneOffset.UTC);
  }

  /** PostgreSQL has no texts with a NUL; its symbol stands for it. */
  static String text(String text) {
    return text.replace('\0', '\u2400');
  }
}
