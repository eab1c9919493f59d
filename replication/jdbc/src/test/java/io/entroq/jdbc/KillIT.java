package io.entroq.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing is lost and nothing is done twice, however often applications are killed. */
@Tag("long")
@Timeout(1_500)
class KillIT {
  private static final int KILLS = 100;

  @TempDir private Path directory;

  @Test
  void shouldLoseAndRepeatNothingInAHundredKillsWithPostgres() throws Exception {
    try (TestPostgres postgres = TestPostgres.start(directory.resolve("postgres"))) {
      new Kills(postgres.url(), directory).repeat(KILLS);
    }
  }

  @Test
  void shouldLoseAndRepeatNothingInAHundredKillsWithMariaDb() throws Exception {
    try (TestMariaDb mariaDb = TestMariaDb.start(directory)) {
      new Kills(mariaDb.url(), directory).repeat(KILLS);
    }
  }
}
