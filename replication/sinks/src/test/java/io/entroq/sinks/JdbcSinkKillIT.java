package io.entroq.sinks;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each effect is in PostgreSQL once, however often the process that copies is killed. */
@Tag("long")
@Timeout(1_500)
class JdbcSinkKillIT {
  private static final int KILLS = 100;
  private static final String NAME = "killed";

  @TempDir private Path directory;

  @Test
  void shouldHaveEachEffectOnceAfterAHundredKills() throws Exception {
    try (TestPostgres postgres = TestPostgres.start(directory.resolve("postgres"));
        ServedEngine served = new ServedEngine(directory.resolve("queue"));
        Database database = new Database(postgres::connect, NAME)) {
      new Kills(served, directory.resolve("out.log"))
          .repeat(KILLS, served.address(), postgres.url(), NAME);
      JdbcSink last = JdbcSink.ofBoth(postgres::connect, NAME);
      SinkRunner runner = new SinkRunner(served.queue(), JdbcSinkTests.ALL, last);
      try (Running running = new Running(runner)) {
        new Work(served.queue()).end("end");
        running.awaitAll(served.queue());
      }
      database.assertHasAllEffects(served.queue());
      database.assertHasTheTasksOf(served.queue());
    }
  }
}
