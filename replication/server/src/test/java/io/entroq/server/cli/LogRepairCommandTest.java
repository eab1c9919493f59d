package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDamagedException;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LogRepairCommandTest {
  private static final int TASKS = 10;
  private static final int SPOILT = 6;

  @TempDir private Path temporary;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path data;

  @BeforeEach
  void insertTasks() {
    data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < TASKS; i++) {
        queue.modify(Modification.insert("inbox", value(i))).orThrow();
      }
    }
  }

  @Test
  void shouldReopenDamagedLog() throws IOException {
    long damaged = damage();
    assertThat(repair(damaged, "--yes")).isZero();
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.contains("Lost: everything from the damage at record " + damaged))
        .allMatch(
            line ->
                line.matches(".*, including \\d+ intact records?, up to record \\d+, that can.*"));
    assertThat(out.toString().lines())
        .containsExactly("The log in %s now ends with record %d.".formatted(data, damaged - 1));
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(SPOILT);
    }
  }

  @Test
  void shouldOnlyPreviewWithoutConfirmation() throws IOException {
    long damaged = damage();
    assertThat(repair(damaged - 2)).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("Lost: 2 intact records, and everything from the damage at record " + damaged)
        .contains("--yes");
    assertThatThrownBy(() -> EmbeddedEntroQ.open(data).close())
        .isInstanceOf(EntroQException.Storage.class)
        .hasCauseInstanceOf(LogDamagedException.class);
  }

  @Test
  void shouldNotTouchIntactLogWithNothingToCut() {
    long end = lastSequence() + 1;
    int runs = runs();
    assertThat(repair(end, "--yes")).isZero();
    assertThat(err.toString()).contains("is intact").contains("nothing to cut");
    assertThat(runs()).isEqualTo(runs);
  }

  @Test
  void shouldContinueFromSnapshotBeforeCut() throws IOException {
    data = BusyEngine.run(temporary.resolve("busy"));
    List<Snapshot> snapshots = new SnapshotDirectory(data, Forcer.DISK).newestFirst();
    long newest = snapshots.get(0).sequence();
    long older = snapshots.get(1).sequence();

    assertRefused(older, "allowed is " + (older + 1) + " to ");
    err.getBuffer().setLength(0);
    assertThat(repair(newest, "--yes")).isZero();
    assertThat(err.toString())
        .contains(snapshots.get(0).directory() + " includes lost records")
        .contains("not deleted, but moved to " + data.resolve("snapshots-set-aside"));
    assertThat(data.resolve("snapshots-set-aside")).isNotEmptyDirectory();
    EmbeddedEntroQ.open(data).close();
    Cli.run("log", "verify", data).assertGood();
  }

  @Test
  void shouldRefuseInOneLineWhenTheLogCannotBeCutThere() throws IOException {
    long damaged = damage();
    assertRefused(damaged + 1, "allowed is 2 to " + damaged);
    assertRefused(1, "allowed is 2 to " + damaged);
    data = temporary.resolve("nothing");
    assertRefused(2, "There is no log in");
    assertThat(data).doesNotExist();
  }

  @Test
  void shouldRefuseInOneLineWhenTheDirectoryIsInUse() {
    EntroQ queue = EmbeddedEntroQ.open(data);
    try (queue) {
      assertRefused(2, "in use");
    }
  }

  private void assertRefused(long sequence, String why) {
    err.getBuffer().setLength(0);
    assertThat(repair(sequence, "--yes")).isEqualTo(1);
    assertThat(err.toString().lines())
        .hasSize(1)
        .allMatch(line -> line.startsWith("entroq log repair: ") && line.contains(why));
    assertThat(out.toString()).isEmpty();
  }

  /** Damages a value in the log. Returns the sequence of its record. */
  private long damage() throws IOException {
    Path file = directory().runs().get(0).segments().get(0).file();
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    bytes[text.indexOf(value(SPOILT))] ^= 1;
    Files.write(file, bytes);
    Throwable refused = catchThrowable(() -> EmbeddedEntroQ.open(data).close());
    return ((LogDamagedException) refused.getCause()).sequence();
  }

  private long lastSequence() {
    err.getBuffer().setLength(0);
    assertThat(repair(Long.MAX_VALUE)).isEqualTo(1);
    String line = err.toString();
    err.getBuffer().setLength(0);
    return Long.parseLong(line.replaceAll("(?s).*good records are 1 to (\\d+);.*", "$1"));
  }

  private int runs() {
    return directory().runs().size();
  }

  private LogDirectory directory() throws LogException {
    return LogDirectory.read(data);
  }

  private static String value(int i) {
    return "the value of task " + i;
  }

  private int repair(long sequence, String... options) {
    CommandLine command = Main.commandLine("log");
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    String[] args = new String[5 + options.length];
    args[0] = "log";
    args[1] = "repair";
    args[2] = data.toString();
    args[3] = "--cut-at";
    args[4] = Long.toString(sequence);
    System.arraycopy(options, 0, args, 5, options.length);
    return command.execute(args);
  }
}
