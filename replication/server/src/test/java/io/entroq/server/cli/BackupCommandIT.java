package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.LogDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that back up and restore. */
class BackupCommandIT {
  private static final int TASKS = 20;

  @TempDir private Path temporary;

  @Test
  void shouldRestoreBackup() throws IOException {
    Path data = write();
    JsonNode verified = Cli.run("log", "verify", data).assertGood().lastLine();
    Path backup = temporary.resolve("backups/monday");

    JsonNode made = Cli.run("backup", data, backup).assertGood().lastLine();
    assertSameState(made, verified);
    assertThat(made.get("sequence")).isEqualTo(verified.get("lastSequence"));
    JsonNode file = new ObjectMapper().readTree(backup.resolve("backup.json").toFile());
    assertSameState(file, verified);
    assertThat(file.get("files")).isNotEmpty();

    Path restored = temporary.resolve("restored");
    assertSameState(Cli.run("restore", backup, restored).assertGood().lastLine(), verified);
    assertSameState(Cli.run("log", "verify", restored).assertGood().lastLine(), verified);
    try (EntroQ queue = EmbeddedEntroQ.open(restored)) {
      assertThat(queue.tasks(TaskQuery.in("inbox"))).hasSize(TASKS);
      queue.modify(Modification.insert("inbox", "goes on")).orThrow();
    }
    Cli.run("log", "verify", restored).assertGood();
  }

  /** From the log alone, and from a snapshot. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldRestorePoliciesAndAllThatTheyLeaveBehind(boolean hasSnapshot) {
    Path data = temporary.resolve("data");
    Map<String, Object> seen;
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(data)) {
      RulesScene.write(queue);
      seen = RulesScene.look(queue);
    }
    if (hasSnapshot) {
      assertThat(Cli.run("serve", "--data", data, "--snapshot-and-quit").status()).isZero();
    }
    JsonNode made = Cli.run("backup", data, backup()).assertGood().lastLine();
    assertThat(made.get("snapshotSequence").asLong() > 0).isEqualTo(hasSnapshot);
    Path restored = temporary.resolve("restored");
    assertSameState(Cli.run("restore", backup(), restored).assertGood().lastLine(), made);
    try (EntroQ queue = EmbeddedEntroQ.open(restored)) {
      assertThat(RulesScene.look(queue)).isEqualTo(seen);
      RulesScene.checkPolicies(queue);
      RulesScene.goOn(queue);
    }
    Cli.run("log", "verify", restored).assertGood();
  }

  private Path backup() {
    return temporary.resolve("backup");
  }

  @Test
  void shouldOmitTornTail() throws IOException {
    Path data = write();
    List<JsonNode> records = Cli.run("log", "dump", data).assertGood().lines();
    JsonNode last = records.get(records.size() - 1);
    LogBytes.flip(data, last);
    Files.delete(CleanCloseMarker.fileIn(data));
    Path backup = temporary.resolve("backup");
    JsonNode made = Cli.run("backup", data, backup).assertGood().lastLine();
    assertThat(made.get("sequence").asLong()).isEqualTo(records.size() - 1);
    JsonNode copy = Cli.run("log", "verify", backup).assertGood().lastLine();
    assertThat(copy.has("tornTail")).isFalse();
    assertSameState(copy, made);
  }

  @Test
  void shouldNotBackUpDamagedLog() throws IOException {
    Path data = write();
    LogBytes.flip(data, Cli.run("log", "dump", data).lines().get(7));
    Path backup = temporary.resolve("backup");
    Cli.run("backup", data, backup).assertFailed("The log is damaged", "log repair");
    assertThat(backup).doesNotExist();
    Cli.run("restore", backup, temporary.resolve("restored"))
        .assertFailed("is not a complete backup");
  }

  @Test
  void shouldNotRestoreDamagedBackup() throws IOException {
    Path backup = temporary.resolve("backup");
    Cli.run("backup", write(), backup).assertGood();
    for (Path file : files(backup)) {
      byte[] good = Files.readAllBytes(file);
      byte[] bad = good.clone();
      bad[bad.length / 2] ^= 4;
      assertNotRestored(backup, file, bad);
      assertNotRestored(backup, file, Arrays.copyOf(good, good.length - 1));
      Files.delete(file);
      assertNotRestored(backup, temporary.resolve("restored"));
      Files.write(file, good);
    }
    Cli.run("restore", backup, temporary.resolve("restored")).assertGood();
  }

  private void assertNotRestored(Path backup, Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes);
    assertNotRestored(backup, temporary.resolve("restored"));
  }

  private static void assertNotRestored(Path backup, Path restored) throws IOException {
    Cli.run("restore", backup, restored).assertFailed("entroq restore: ");
    assertThat(Files.exists(restored) && !files(restored).isEmpty()).isFalse();
  }

  @Test
  void shouldNotOpenIncompleteRestore() throws IOException {
    Path half = Files.createDirectories(temporary.resolve("half/restore.tmp/log")).getParent();
    Path data = half.getParent();
    assertThatThrownBy(() -> EmbeddedEntroQ.open(data).close())
        .isInstanceOf(EntroQException.Storage.class)
        .hasMessageContaining("The restore to ")
        .hasMessageContaining("was not finished");
    Cli.run("restore", backupOf(write()), data).assertFailed("it contains restore.tmp");
  }

  @Test
  void shouldRestoreSnapshotAndLogAfterIt() throws Exception {
    Path data = BusyEngine.run(temporary.resolve("data"));
    JsonNode verified = Cli.run("log", "verify", data).assertGood().lastLine();
    JsonNode made = Cli.run("backup", data, temporary.resolve("backup")).assertGood().lastLine();
    JsonNode newest = Cli.run("log", "stats", data).assertGood().lastLine().at("/snapshots/1");
    assertThat(made.get("snapshotSequence")).isEqualTo(newest.get("sequence"));
    assertSameState(made, verified);
    Path restored = temporary.resolve("restored");
    Cli.run("restore", temporary.resolve("backup"), restored).assertGood();
    assertSameState(Cli.run("log", "verify", restored).assertGood().lastLine(), verified);
    try (EntroQ queue = BusyEngine.open(restored)) {
      queue.modify(Modification.insert("inbox", "goes on")).orThrow();
    }
    Cli.run("log", "verify", restored).assertGood();

    // The previous snapshot with more of the log leads to the same state.
    Files.write(data.resolve(newest.get("snapshot").asText()).resolve("state"), new byte[9]);
    JsonNode older = Cli.run("backup", data, temporary.resolve("older")).assertGood().lastLine();
    assertThat(older.get("snapshotSequence").asLong())
        .isPositive()
        .isLessThan(newest.get("sequence").asLong());
    assertSameState(older, verified);
  }

  @Test
  void shouldBackUpWhileEngineOfThisProcessIsBusy() throws Exception {
    Path data = temporary.resolve("data");
    AtomicBoolean isWanted = new AtomicBoolean(true);
    try (EntroQ queue = BusyEngine.open(data)) {
      Thread worker = new Thread(() -> BusyEngine.work(queue, isWanted::get));
      worker.start();
      shouldRestoreBackupsOf(data);
      assertThat(worker.isAlive()).isTrue();
      isWanted.set(false);
      worker.join();
    }
  }

  @Test
  void shouldBackUpWhileEngineOfAnotherProcessIsBusy() throws Exception {
    Path data = temporary.resolve("data");
    Process engine = Java.start(BusyEngine.class, data.toString());
    try {
      assertThat(engine.inputReader().readLine()).isEqualTo("busy");
      shouldRestoreBackupsOf(data);
      assertThat(engine.isAlive()).isTrue();
    } finally {
      engine.destroyForcibly().waitFor();
    }
  }

  /** Repeats until backups start with a snapshot. */
  private void shouldRestoreBackupsOf(Path data) {
    JsonNode made;
    int number = 0;
    do {
      number++;
      Path backup = temporary.resolve("backup" + number);
      Path restored = temporary.resolve("restored" + number);
      made = Cli.run("backup", data, backup).assertGood().lastLine();
      assertSameState(Cli.run("restore", backup, restored).assertGood().lastLine(), made);
      assertSameState(Cli.run("log", "verify", restored).assertGood().lastLine(), made);
    } while (made.get("snapshotSequence").asLong() == 0);
  }

  @Test
  void shouldReportInvalidDirectoryInOneLine() throws IOException {
    Path missing = temporary.resolve("missing");
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    Path file = Files.writeString(temporary.resolve("file"), "x");
    Path other = temporary.resolve("other");
    Path data = write();
    Path backup = backupOf(data);

    Cli.run("backup", missing, other).assertFailed("There is no log in", "does not exist");
    Cli.run("backup", empty, other).assertFailed("There is no log in");
    Cli.run("backup", file, other).assertFailed("There is no log in", "not a directory");
    Cli.run("backup", data, file).assertFailed("it is not a directory");
    Cli.run("backup", data, backup).assertFailed("does not exist or is empty", "it contains ");
    Cli.run("backup", data, data.resolve("backup")).assertFailed("may be inside the other");

    Cli.run("restore", missing, other).assertFailed("is not a complete backup");
    Cli.run("restore", empty, other).assertFailed("is not a complete backup");
    Cli.run("restore", file, other).assertFailed("is not a complete backup");
    Cli.run("restore", data, other).assertFailed("is not a complete backup");
    Cli.run("restore", backup, file).assertFailed("it is not a directory");
    Cli.run("restore", backup, data).assertFailed("does not exist or is empty", "it contains ");
    Cli.run("restore", backup, backup.resolve("data")).assertFailed("may be inside the other");
    assertThat(other).doesNotExist();
    assertThat(missing).doesNotExist();
    Cli.run("restore", backup, empty).assertGood();
  }

  @Test
  void shouldNotBackUpEmptyDirectory() {
    Path data = temporary.resolve("data");
    LogDirectory.open(data).close();
    Cli.run("backup", data, temporary.resolve("backup")).assertFailed("nothing to back up");
  }

  private Path backupOf(Path data) {
    Path backup = temporary.resolve("backup");
    Cli.run("backup", data, backup).assertGood();
    return backup;
  }

  private static void assertSameState(JsonNode actual, JsonNode expected) {
    for (String name : List.of("history", "content", "tasks", "logId", "level")) {
      assertThat(actual.get(name)).as(name).isNotNull().isEqualTo(expected.get(name));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).toList();
    }
  }

  private Path write() {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < TASKS; i++) {
        queue.modify(Modification.insert("inbox", "the value of task " + i)).orThrow();
      }
    }
    return data;
  }
}
