package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.mirror.MirrorConfig;
import io.entroq.engine.log.LogException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member does not start with a wall clock far behind the log. */
class StartClockIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldRefuseClockThatIsFarBehind() throws Exception {
    TestClock ahead = new TestClock();
    ahead.advance(Duration.ofMinutes(10).toMillis());
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(settings -> settings.bootstrap(true).clock(() -> ahead)).awaitLeader();
      lone.member().queue().modify(Modification.insert(QUEUE, "early")).orThrow();
      lone.awaitMirror();
      lone.stop();

      assertThatThrownBy(lone::start)
          .as("detected from the mirror, before the start")
          .isInstanceOf(LogException.class)
          .hasMessageContaining("behind the cluster's log");

      lone.start(settings -> settings.mirror(MirrorConfig.OFF));
      assertThat(lone.awaitEnd())
          .as("detected during replay")
          .isInstanceOf(LogException.class)
          .hasMessageContaining("behind the cluster's log");

      lone.start(settings -> settings.acceptClock(true)).awaitLeader();
      lone.member().queue().modify(Modification.insert(QUEUE, "late")).orThrow();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
    }
  }
}
