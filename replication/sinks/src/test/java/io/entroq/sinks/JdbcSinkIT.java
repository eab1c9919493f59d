package io.entroq.sinks;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** With a PostgreSQL server. */
class JdbcSinkIT extends JdbcSinkTests {
  @TempDir private static Path directory;
  private static TestPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(TestPostgres.canRun(), "PostgreSQL needs user namespaces to run as root");
    postgres = TestPostgres.start(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @Override
  Connection connect() throws SQLException {
    return postgres.connect();
  }

  /** Ends the process that serves it. */
  @Override
  void cut(Connection session) throws SQLException {
    try (Connection other = connect();
        PreparedStatement statement = other.prepareStatement("SELECT pg_terminate_backend(?)")) {
      statement.setInt(1, session.unwrap(PGConnection.class).getBackendPID());
      statement.execute();
    }
  }
}
