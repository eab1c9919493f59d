package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member's INFO log messages about elections and stalls. */
class MemberTellingIT {
  private final Logger logger = Logger.getLogger(MemberErrors.class.getName());
  private final Heard heard = new Heard();

  @TempDir Path directory;

  private static final class Heard extends Handler {
    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getLevel() + " " + line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    boolean has(String beginning) {
      return lines.stream().anyMatch(line -> line.startsWith(beginning));
    }
  }

  @BeforeEach
  void listen() {
    logger.addHandler(heard);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(heard);
  }

  @Test
  void shouldTellOfAnElectionAndOfAThreadThatStandsStill() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      Await.until("it leads", () -> heard.has("INFO member 0 leads in term 0 after "));
      assertThat(heard.lines).contains("INFO member 0 starts and looks for a leader");
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
