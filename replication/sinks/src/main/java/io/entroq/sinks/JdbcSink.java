package io.entroq.sinks;

import io.entroq.api.feed.Effect;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Writes effects, or current tasks, or both into tables, and the position in the same transaction:
 * each effect is there once, whatever dies. Creates the tables if they do not exist. For PostgreSQL
 * and H2.
 *
 * <p>Each sink has a name, with which the names of its tables begin: {@code NAME_feed} has the
 * position, {@code NAME_effects} effects as JSON, {@code NAME_tasks} the tasks that exist. The
 * state with which a feed begins is written in one transaction, to the tasks only, so readers never
 * see a part of it.
 *
 * <p>Only one runner may use a name: of two, one fails at its next batch.
 */
public final class JdbcSink implements FeedSink {
  /** SQL identifiers that need no quotes, short enough for a suffix. */
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,39}");

  private final Connector database;
  private final String name;
  private final PositionTable positions;
  private final Optional<EffectsTable> effects;
  private final Optional<TasksTable> tasks;

  /** Null while it is not open. */
  private Connection connection;

  /** Behind what is committed. */
  private Optional<FeedPosition> kept = Optional.empty();

  private JdbcSink(Connector database, String name, boolean hasEffects, boolean hasTasks) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "a name is a lower-case letter with up to 39 letters, digits and _ behind it, not \""
              + name
              + "\"");
    }
    this.database = database;
    this.name = name;
    positions = new PositionTable(name + "_feed");
    effects = Optional.of(name + "_effects").filter(any -> hasEffects).map(EffectsTable::new);
    tasks = Optional.of(name + "_tasks").filter(any -> hasTasks).map(TasksTable::new);
  }

  /**
   * Writes effects.
   *
   * @param database opens connections, such as {@code dataSource::getConnection}
   * @param name 1 to 40 lower-case letters, digits and underscores
   */
  public static JdbcSink ofEffects(Connector database, String name) {
    return new JdbcSink(database, name, true, false);
  }

  /** Writes the tasks that exist. The query must not select kinds. */
  public static JdbcSink ofTasks(Connector database, String name) {
    return new JdbcSink(database, name, false, true);
  }

  /** Writes effects, and the tasks that exist. The query must not select kinds. */
  public static JdbcSink ofBoth(Connector database, String name) {
    return new JdbcSink(database, name, true, true);
  }

  /** Opens connections to a database. */
  @FunctionalInterface
  public interface Connector {
    /** A connection that nobody else uses; the sink closes it. */
    Connection connect() throws SQLException;
  }

  @Override
  public Optional<FeedPosition> open(FeedQuery query) {
    close();
    if (tasks.isPresent() && !query.kinds().isEmpty()) {
      throw SinkException.permanent("a table of tasks needs effects of all kinds");
    }
    tasks.ifPresent(table -> table.begin(query));
    run(
        () -> {
          connection = database.connect();
          connection.setAutoCommit(false);
          positions.create(connection);
          if (effects.isPresent()) {
            effects.get().create(connection);
          }
          if (tasks.isPresent()) {
            tasks.get().create(connection);
          }
          kept = positions.load(connection, content(query));
          connection.commit();
        });
    return kept;
  }

  /** What the tables contain, which another run must not change. */
  private String content(FeedQuery query) {
    return "%s%squeues %s, prefixes %s, namespaces %s, kinds %s, ids %s"
        .formatted(
            effects.isPresent() ? "effects, " : "",
            tasks.isPresent() ? "tasks, " : "",
            new TreeSet<>(query.queues()),
            new TreeSet<>(query.prefixes()),
            new TreeSet<>(query.namespaces()),
            new TreeSet<>(query.kinds()),
            new TreeSet<>(query.ids()));
  }

  @Override
  public void beginState() {
    run(
        () -> {
          if (tasks.isPresent()) {
            tasks.get().clear(connection);
          }
        });
  }

  @Override
  public void apply(SinkBatch batch) {
    run(
        () -> {
          if (batch.position().isPresent()) {
            // First, as it waits for another runner that does the same, and fails if there was one.
            positions.move(connection, kept, batch.position().get());
          }
          write(batch.effects());
          if (batch.position().isPresent()) {
            connection.commit();
            kept = batch.position();
          }
        });
  }

  private void write(List<Effect> all) throws SQLException {
    if (effects.isPresent()) {
      effects.get().write(connection, all);
    }
    if (tasks.isPresent()) {
      tasks.get().write(connection, all);
    }
  }

  private void run(Statements statements) {
    try {
      statements.run();
    } catch (SQLException e) {
      throw JdbcFailures.of(name, e);
    }
  }

  @Override
  public boolean canBeginAgain() {
    return effects.isEmpty();
  }

  /** What is not committed is rolled back. */
  @Override
  public void close() {
    if (connection != null) {
      try (Connection left = connection) {
        left.rollback();
      } catch (SQLException e) {
        // It is lost, and rolled back by the database.
      } finally {
        connection = null;
      }
    }
  }

  /** What is done over a connection. */
  @FunctionalInterface
  private interface Statements {
    void run() throws SQLException;
  }
}
