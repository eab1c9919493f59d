package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Taking snapshots and deleting log cause no elections: the leader stays during minutes of load,
 * with default timeouts. Set the duration with {@code -Dentroq.load.seconds}, and a limit for
 * commands per second with {@code -Dentroq.load.rate}.
 */
@Tag("long")
class SnapshotsUnderLoadIT {
  private static final int SECONDS = Integer.getInteger("entroq.load.seconds", 180);
  private static final int RATE = Integer.getInteger("entroq.load.rate", 0);
  private static final int PENDING = 200_000;
  private static final int STEP_SECONDS = 60;
  private static final int SNAPSHOT_SECONDS = 10;

  @TempDir Path directory;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void shouldKeepItsLeader() throws Exception {
    try (ProcessCluster cluster =
        new ProcessCluster(directory, Duration.ofSeconds(SNAPSHOT_SECONDS))) {
      int leader = cluster.awaitLeader();
      cluster.member(leader).ask("insert " + PENDING);
      final long term = cluster.member(leader).status().termId();
      final int elections = cluster.elections().size();
      int caller = (leader + 1) % ProcessCluster.MEMBERS;
      for (int done = 0; done < SECONDS; done += STEP_SECONDS) {
        int seconds = Math.min(STEP_SECONDS, SECONDS - done);
        String commands = cluster.member(caller).ask("load %d %d".formatted(seconds * 1_000, RATE));
        tell(cluster, done + seconds, commands);
        assertThat(cluster.elections()).hasSize(elections);
      }
      cluster.awaitAgreement();
      for (int id : cluster.running()) {
        ProcessCluster.Status status = cluster.member(id).status();
        assertThat(status.termId()).isEqualTo(term);
        assertThat(status.failed()).isZero();
        assertThat(status.complete()).isGreaterThan(SECONDS / (3 * SNAPSHOT_SECONDS));
      }
    }
  }

  private static void tell(ProcessCluster cluster, int seconds, String commands) {
    for (int id : cluster.running()) {
      ProcessCluster.Member member = cluster.member(id);
      ProcessCluster.Status status = member.status();
      System.out.printf(
          "after %,d s, member %d: %s commands in this minute, term %d, %d snapshots, longest pause"
              + " %.0f ms, processor time %,d s%n",
          seconds,
          id,
          commands,
          status.termId(),
          status.complete(),
          status.pauseMaxNs() / 1e6,
          member.processorTime().toSeconds());
    }
  }
}
