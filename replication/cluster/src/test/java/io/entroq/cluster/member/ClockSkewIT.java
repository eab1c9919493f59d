package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader whose clock is wrong by a minute, as the others see it. */
class ClockSkewIT {
  private static final long MINUTE_MS = Duration.ofMinutes(1).toMillis();

  private final List<TestClock> clocks = Stream.generate(TestClock::new).limit(3).toList();

  @TempDir Path directory;

  @Test
  void shouldTellThatTheLeaderIsAMinuteAhead() throws Exception {
    try (TestCluster cluster =
        new TestCluster(directory, settings -> settings.clock(() -> clocks.get(idIn(settings))))
            .bootstrap()) {
      int leader = cluster.awaitLeader();
      clocks.get(leader).advance(MINUTE_MS);
      Await.until(
          "both followers see it",
          () -> {
            cluster.queue(leader).modify(Modification.insert("inbox", "now")).orThrow();
            return IntStream.range(0, 3)
                .filter(id -> id != leader)
                .allMatch(id -> cluster.member(id).leaderAheadMs() > MINUTE_MS / 2);
          });
      assertThat(cluster.member(leader).leaderAheadMs()).isZero();
    }
  }

  private static int idIn(MemberConfig.Builder settings) {
    return settings.build().memberId();
  }
}
