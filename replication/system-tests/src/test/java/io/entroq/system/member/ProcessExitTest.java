package io.entroq.system.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.service.StateDigest;
import io.entroq.cluster.service.StateDivergence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An end without a kill, and a divergence, are found. */
class ProcessExitTest {
  private static final OptionalInt RUNS = OptionalInt.empty();
  private static final OptionalInt FAILED = OptionalInt.of(1);
  private static final OptionalInt KILLED = OptionalInt.of(137);
  private static final String QUIET = "INFO: it serves\n";
  private static final String ENDS = "SEVERE: member 1 ends: its archive has ended by itself\n";
  private static final String DIFFERS =
      "SEVERE: member 1: "
          + new StateDivergence(
                  7, Map.of(0, new StateDigest(1, 2, 3), 1, new StateDigest(1, 2, 4)), Set.of())
              .text();
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void shouldFindNothingWrongWithWhatWasDoneToIt() {
    assertThat(new ProcessExit(1, false, false, RUNS, QUIET).unexplained()).isEmpty();
    assertThat(new ProcessExit(1, true, false, KILLED, QUIET).unexplained()).isEmpty();
    assertThat(new ProcessExit(1, false, true, FAILED, ENDS).unexplained()).isEmpty();
    assertThat(new ProcessExit(1, true, true, KILLED, ENDS).unexplained()).isEmpty();
    // The log names another member.
    assertThat(new ProcessExit(0, false, false, RUNS, ENDS).unexplained()).isEmpty();
  }

  @Test
  void shouldFindAnEndThatNothingExplains() {
    assertThat(new ProcessExit(1, false, false, FAILED, QUIET).unexplained())
        .get()
        .asString()
        .contains("member 1 has ended by itself with 1", "it serves");
    // Killed, but not by the trial.
    assertThat(new ProcessExit(1, false, false, KILLED, QUIET).unexplained()).isPresent();
    // Killed after its end.
    assertThat(new ProcessExit(1, true, false, FAILED, QUIET).unexplained()).isPresent();
    // Killed, or still running, after it announced its end.
    assertThat(new ProcessExit(1, true, false, KILLED, ENDS).unexplained()).isPresent();
    assertThat(new ProcessExit(1, false, false, RUNS, ENDS).unexplained()).isPresent();
    assertThat(new ProcessExit(1, false, false, RUNS, MemberMain.HAS_ENDED + "null").unexplained())
        .isPresent();
  }

  @Test
  void shouldSayOfAnEndThatTheProcessHadStalled() {
    String stalled = "MediaDriver (driver-1) keepalive: age=13445ms > timeout=10000ms\n" + ENDS;
    assertThat(new ProcessExit(1, false, false, FAILED, stalled).unexplained())
        .get()
        .asString()
        .startsWith("member 1 has ended by itself after a stall with 1");
  }

  @Test
  void shouldFindDifferentStatesWhateverWasDone() {
    assertThat(new ProcessExit(1, false, false, RUNS, DIFFERS).unexplained())
        .get()
        .asString()
        .contains("tells of different states");
    assertThat(new ProcessExit(1, true, true, KILLED, DIFFERS).unexplained()).isPresent();
  }

  @Test
  void shouldTellOfAProcessOnce() throws Exception {
    Path log = directory.resolve("log");
    Files.writeString(log, ENDS);
    try (MemberProcess process = start(log, "echo planted >&2; exit 3")) {
      assertThat(process.awaitEnd(SOON)).contains(3);
      assertThat(process.unexplained())
          .get()
          .asString()
          .contains("member 1 has ended by itself with 3", "planted")
          .doesNotContain("archive");
      assertThat(process.unexplained()).isEmpty();
    }
  }

  @Test
  void shouldNotTellOfAProcessThatWasKilledOrMightEnd() throws Exception {
    Path log = directory.resolve("log");
    try (MemberProcess process = start(log, "read unused")) {
      assertThat(process.unexplained()).isEmpty();
      process.kill();
      assertThat(process.unexplained()).isEmpty();
    }
    try (MemberProcess process = start(log, "exit 3")) {
      process.mayEnd(SOON);
      assertThat(process.awaitEnd(SOON)).isPresent();
      assertThat(process.unexplained()).isEmpty();
    }
  }

  private static MemberProcess start(Path log, String script) throws Exception {
    return MemberProcess.start(1, List.of("sh", "-c", script), log);
  }
}
