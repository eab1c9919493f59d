package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member's INFO log messages about elections and stalls. */
class MemberTellingIT {
  @TempDir Path directory;

  @Test
  void shouldTellOfAnElectionAndOfAThreadThatStandsStill() throws Exception {
    try (MemberMessages heard = new MemberMessages();
        LoneMember lone = new LoneMember(directory).bootstrap()) {
      Await.until("it leads", () -> heard.has("INFO member 0 leads in term 0 after "));
      assertThat(heard.lines()).contains("INFO member 0 starts and looks for a leader");
      lone.member().query(state -> standStill()).join();
      Await.until(
          "it tells of its stall",
          () -> heard.has("INFO member 0 stalled in its service container for "));
    }
  }

  /** Longer than a quarter of the heartbeat timeout. */
  private static boolean standStill() {
    long untilNs = System.nanoTime() + TestCluster.HEARTBEAT_TIMEOUT.toNanos() / 3;
    while (System.nanoTime() - untilNs < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return true;
  }
}
