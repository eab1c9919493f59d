package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.codec.command.RaiseLevelEncoder;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.TestLevel;
import io.entroq.service.testing.OldLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.ExpandableArrayBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LevelCommandTest {
  @TempDir private Path temporary;
  private Path data;

  private final TestLevel supported = TestLevel.support();

  @BeforeEach
  void beginBelowTheNewestLevel() {
    data = temporary.resolve("data");
    OldLog.begin(data, Levels.MAX);
  }

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  @Test
  void shouldShowLevelWithoutChanges() throws IOException {
    long files = files();
    Cli said = Cli.run("level", data).assertGood();
    assertThat(said.out().lines())
        .containsExactly(
            "The log in "
                + data
                + " is at behavior level 11; this build supports 7 to 12; --raise raises it.");
    assertThat(files()).isEqualTo(files);
  }

  @Test
  void shouldNotPrintTerminalControls() {
    Path odd = temporary.resolve("clear\u001b[2J");
    OldLog.begin(odd, Levels.MAX);
    assertThat(Cli.run("level", odd).assertGood().out()).contains("clear?[2J is at behavior level");
  }

  @Test
  void shouldExplainRaiseWithoutConfirmation() {
    Cli said = Cli.run("level", data, "--raise");
    assertThat(said.status()).isEqualTo(2);
    assertThat(said.out()).isEmpty();
    assertThat(said.err())
        .contains(
            "raising the level from 11 to 12",
            "do not support level 12",
            "cannot be undone",
            "--yes");
    assertThat(level()).isEqualTo(11);
  }

  @Test
  void shouldRaiseLevelPermanently() {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "kept")).orThrow();
    }
    Cli raised = Cli.run("level", data, "--raise", "--yes").assertGood();
    assertThat(raised.out().lines())
        .containsExactly("The log in " + data + ": behavior level raised from 11 to 12.");
    Cli said = Cli.run("level", data).assertGood();
    assertThat(said.out()).endsWith("is at behavior level 12; this build supports 7 to 12.\n");
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(data)) {
      assertThat(queue.level()).isEqualTo(12);
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(1);
    }
  }

  @Test
  void shouldRaiseLevelOfForcedLog() {
    EmbeddedConfig config = EmbeddedConfig.in(data).durability(Durability.DISK).build();
    EmbeddedEntroQ.open(config).close();
    Cli.run("level", data, "--raise=12", "--yes", "--durability", "disk").assertGood();
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(config)) {
      assertThat(queue.level()).isEqualTo(12);
    }
  }

  @Test
  void shouldDoNothingAtRequestedLevel() throws IOException {
    long files = files();
    Cli said = Cli.run("level", data, "--raise=11").assertGood();
    assertThat(said.out()).contains("is already at behavior level 11");
    assertThat(files()).isEqualTo(files);
  }

  @Test
  void shouldRejectUnsupportedLevels() {
    Cli.run("level", data, "--raise=13", "--yes")
        .assertFailed("Cannot set behavior level 13", "is at 11, and this build supports 7 to 12");
    supported.close();
    Cli.run("level", data, "--raise=12", "--yes")
        .assertFailed("Cannot set behavior level 12", "is at 11, and this build supports 7 to 11");
    TestLevel.support();
    Cli.run("level", data, "--raise", "--yes").assertGood();
    Cli.run("level", data, "--raise=1", "--yes")
        .assertFailed("Cannot set behavior level 1", "is at 12");
  }

  @Test
  void shouldShowButNotRaiseLevelWhileEngineRuns() {
    EntroQ engine = EmbeddedEntroQ.open(data);
    try (engine) {
      engine.modify(Modification.insert("inbox", "x")).orThrow();
      assertThat(Cli.run("level", data).assertGood().out()).contains("level 11;");
      Cli.run("level", data, "--raise", "--yes").assertFailed("in use");
    }
  }

  @Test
  void shouldShowUnsupportedLevel() {
    ExpandableArrayBuffer raise = new ExpandableArrayBuffer();
    int length = new RaiseLevelEncoder().wrap(raise, 0).level(13).length();
    OldLog.append(data, RecordType.RAISE_LEVEL, 2, raise, length);
    assertThat(Cli.run("level", data).assertGood().out())
        .contains("is at behavior level 13; this build supports 7 to 12 and cannot open it");
    Cli.run("level", data, "--raise", "--yes").assertFailed("Cannot set behavior level 12");
  }

  @Test
  void shouldReportLevelThatWasNeverReleased() {
    Path old = temporary.resolve("old");
    OldLog.begin(old, 6);
    assertThat(Cli.run("level", old).assertGood().out())
        .contains("is at behavior level 6; this build supports 7 to 12 and cannot open it");
    Cli.run("level", old, "--raise", "--yes").assertFailed("Cannot set behavior level 12");
    Cli.run("log", "verify", old)
        .assertFailed("written by a build before the first release", "import them from there");
  }

  @Test
  void shouldFailInOneLineWhenThereIsNoLog() throws IOException {
    Path nothing = temporary.resolve("nothing");
    Cli.run("level", nothing).assertFailed("There is no log in");
    Cli.run("level", nothing, "--raise", "--yes").assertFailed("There is no log in");
    assertThat(nothing).doesNotExist();
    Files.createDirectories(nothing.resolve("log"));
    Cli.run("level", nothing).assertFailed("has no records yet", "at behavior level 11");
  }

  @Test
  void shouldFailInOneLineWhenTheLogIsDamaged() throws IOException {
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      queue.modify(Modification.insert("inbox", "spoilt value")).orThrow();
      queue.modify(Modification.insert("inbox", "good value")).orThrow();
    }
    Path segment;
    try (LogDirectory locked = LogDirectory.open(data)) {
      segment = locked.runs().get(1).segments().get(0).file();
    }
    byte[] bytes = Files.readAllBytes(segment);
    bytes[new String(bytes, StandardCharsets.ISO_8859_1).indexOf("spoilt value")] ^= 1;
    Files.write(segment, bytes);
    Cli.run("level", data).assertFailed(segment.getFileName().toString());
  }

  private int level() {
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(data)) {
      return queue.level();
    }
  }

  private long files() throws IOException {
    try (var files = Files.walk(data)) {
      return files.count();
    }
  }
}
