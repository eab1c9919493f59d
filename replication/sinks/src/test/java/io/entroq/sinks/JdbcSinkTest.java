package io.entroq.sinks;

import static io.entroq.service.testing.Await.until;
import static io.entroq.sinks.TestEffects.batch;
import static io.entroq.sinks.TestEffects.existing;
import static io.entroq.sinks.TestEffects.step;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.feed.FeedPosition;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With H2, in this process; and what does not depend on the database. */
class JdbcSinkTest extends JdbcSinkTests {
  private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

  @Override
  Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  @Override
  void cut(Connection session) throws SQLException {
    session.close();
  }

  @Test
  void shouldRefuseAnotherLogAndTheFuture() {
    work.some(10);
    try (JdbcSink sink = both()) {
      sink.open(ALL);
      sink.apply(batch(1));
    }
    assertThat(run(ALL, both()).failure())
        .hasMessageContaining("after " + step(1))
        .hasMessageContaining(TestEffects.LOG);
    database.execute("UPDATE " + name + "_feed SET position = '9999'");
    assertThat(run(ALL, both()).failure()).hasMessageContaining("after 9999: ");
  }

  private boolean areFirstStepsGone() {
    work.some(200);
    return queue.feed().kept().firstSequence() > 2;
  }

  @Test
  void shouldBeginAgainWhenEffectsAreNoLongerKept() {
    try (JdbcSink sink = tasks()) {
      sink.open(STATE);
      sink.apply(new SinkBatch(List.of(existing("old")), Optional.of(FeedPosition.after(1))));
    }
    queue.close();
    queue =
        EmbeddedEntroQ.open(
            EmbeddedConfig.in(directory).segmentBytes(64 << 10).snapshotLogBytes(64 << 10).build());
    work = new Work(queue);
    until("its first steps are gone", this::areFirstStepsGone);
    SinkRunner strict = new SinkRunner(queue, STATE, tasks());
    assertThat(new Running(strict).failure()).hasMessageContaining("no longer kept");
    try (Running running =
        new Running(new SinkRunner(queue, STATE, tasks()).beginAgainIfNeeded())) {
      finish(running, "end");
    }
    database.assertHasTheTasksOf(queue);
  }
}
