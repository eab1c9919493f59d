package io.entroq.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a PostgreSQL server. */
class PostgresIT {
  private static final int KILLS = 3;

  @TempDir private static Path directory;
  private static TestPostgres postgres;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(TestPostgres.canRun(), "PostgreSQL needs user namespaces to run as root");
    postgres = TestPostgres.start(directory.resolve("postgres"));
  }

  @AfterAll
  static void stop() throws IOException {
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void shouldLoseAndRepeatNothingWhenKilled() throws Exception {
    new Kills(postgres.url(), directory).repeat(KILLS);
  }

  @Nested
  class OfOutbox extends OutboxTests {
    @Override
    Connection connect() throws SQLException {
      return postgres.connect();
    }
  }

  @Nested
  class OfProcessed extends ProcessedTests {
    @Override
    Connection connect() throws SQLException {
      return postgres.connect();
    }
  }
}
