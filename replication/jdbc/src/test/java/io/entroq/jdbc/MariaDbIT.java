package io.entroq.jdbc;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a MariaDB server. */
class MariaDbIT {
  private static final int KILLS = 3;

  @TempDir private static Path directory;
  private static TestMariaDb mariaDb;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(TestMariaDb.canRun(), "MariaDB lacks libraries");
    mariaDb = TestMariaDb.start(directory);
  }

  @AfterAll
  static void stop() {
    if (mariaDb != null) {
      mariaDb.close();
    }
  }

  @Test
  void shouldLoseAndRepeatNothingWhenKilled() throws Exception {
    new Kills(mariaDb.url(), directory).repeat(KILLS);
  }

  @Nested
  class OfOutbox extends OutboxTests {
    @Override
    Connection connect() throws SQLException {
      return mariaDb.connect();
    }
  }

  @Nested
  class OfProcessed extends ProcessedTests {
    @Override
    Connection connect() throws SQLException {
      return mariaDb.connect();
    }
  }
}
