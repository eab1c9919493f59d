package io.entroq.sinks;

import io.entroq.api.feed.FeedPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** The table with one row: the position, and what the other tables contain. */
final class PositionTable {
  /** Of all tables of a sink. */
  private static final int LAYOUT = 1;

  private final String name;
  private String content = "";

  PositionTable(String name) {
    this.name = name;
  }

  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s (
            only_row INT PRIMARY KEY CHECK (only_row = 1),
            layout INT NOT NULL,
            content VARCHAR NOT NULL,
            position VARCHAR NOT NULL)"""
              .formatted(name));
    }
  }

  /**
   * Reads the position.
   *
   * @param asked what the tables are to contain
   * @throws SinkException if they contain something else
   */
  Optional<FeedPosition> load(Connection connection, String asked) throws SQLException {
    content = Columns.text(asked);
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT layout, content, position FROM " + name)) {
      if (!row.next()) {
        return Optional.empty();
      }
      check("layout " + row.getInt(1), "layout " + LAYOUT);
      check(row.getString(2), content);
      return Optional.of(FeedPosition.of(row.getString(3)));
    }
  }

  private void check(String found, String asked) {
    if (!found.equals(asked)) {
      throw SinkException.permanent(
          "%s says that the tables have [%s], not [%s]; choose another name, or drop the tables"
              .formatted(name, found, asked));
    }
  }

  /**
   * Moves the position, and keeps other runners out until the end of the transaction.
   *
   * @throws SinkException if another runner has moved it
   */
  void move(Connection connection, Optional<FeedPosition> from, FeedPosition to)
      throws SQLException {
    String sql =
        from.isPresent()
            ? "UPDATE %s SET position = ? WHERE position = ?"
            : "INSERT INTO %s (position, content, layout, only_row) VALUES (?, ?, ?, 1)";
    try (PreparedStatement statement = connection.prepareStatement(sql.formatted(name))) {
      statement.setString(1, to.text());
      if (from.isPresent()) {
        statement.setString(2, from.get().text());
      } else {
        statement.setString(2, content);
        statement.setInt(3, LAYOUT);
      }
      if (statement.executeUpdate() != 1) {
        throw JdbcFailures.anotherRunner(name, null);
      }
    }
  }
}
