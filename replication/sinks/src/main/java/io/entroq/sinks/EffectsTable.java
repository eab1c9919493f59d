package io.entroq.sinks;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The table of effects: columns to find them by, and all of each as JSON. */
final class EffectsTable {
  private static final String COLUMNS = "sequence, step_index, time, kind, queue, id, effect";

  private final String name;

  EffectsTable(String name) {
    this.name = name;
  }

  void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE IF NOT EXISTS %s (
            sequence BIGINT NOT NULL,
            step_index INT NOT NULL,
            time TIMESTAMP WITH TIME ZONE NOT NULL,
            kind VARCHAR NOT NULL,
            queue VARCHAR NOT NULL,
            id VARCHAR NOT NULL,
            effect VARCHAR NOT NULL,
            PRIMARY KEY (sequence, step_index))"""
              .formatted(name));
    }
    Columns.check(connection, name, COLUMNS);
  }

  /** Adds those with a position. */
  void write(Connection connection, List<Effect> effects) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO %s (%s) VALUES (?, ?, ?, ?, ?, ?, ?)".formatted(name, COLUMNS))) {
      for (Effect effect : effects) {
        if (effect.position().isPresent()) {
          set(insert, effect, effect.position().get());
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  private static void set(PreparedStatement insert, Effect effect, FeedPosition position)
      throws SQLException {
    insert.setLong(1, position.sequence());
    insert.setInt(2, position.index());
    insert.setObject(3, Columns.time(effect.time()));
    insert.setString(4, EffectJson.kind(effect));
    insert.setString(5, Columns.text(effect.task().map(task -> task.queue()).orElse("")));
    insert.setString(6, Columns.text(EffectJson.key(effect)));
    insert.setString(7, EffectJson.of(effect));
  }
}
