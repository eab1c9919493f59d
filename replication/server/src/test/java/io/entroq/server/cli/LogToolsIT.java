package io.entroq.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocChange;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.codec.command.AcknowledgeEncoder;
import io.entroq.codec.record.Crc32c;
import io.entroq.codec.record.RecordFrame;
import io.entroq.codec.record.RecordType;
import io.entroq.engine.embedded.DrivenEngine;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.CleanCloseMarker;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.chronicle.ChronicleLog;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.log.scan.ScanReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that read a log. */
class LogToolsIT {
  @TempDir private Path temporary;
  private final List<Process> started = new ArrayList<>();

  @AfterEach
  void killAll() {
    started.forEach(Process::destroyForcibly);
  }

  @Test
  void shouldDumpCompleteCommands() {
    Path data = writeOfEverything();
    List<JsonNode> lines = Cli.run("log", "dump", data, "--values").assertGood().lines();

    JsonNode genesis = lines.get(0);
    assertThat(genesis.get("sequence").asLong()).isEqualTo(1);
    assertThat(genesis.get("type").asText()).isEqualTo("GENESIS");
    assertThat(genesis.get("file").asText()).startsWith("log/run-000001-").endsWith(".cq4");
    assertThat(genesis.get("offset").asLong()).isEqualTo(404);
    assertThat(genesis.at("/command/level").asInt()).isPositive();
    assertThat(genesis.at("/command/logId").asText()).hasSize(36);

    JsonNode inserts = ofType(lines, "MODIFY").get(0).at("/command/inserts");
    assertThat(inserts).hasSize(4);
    assertThat(inserts.get(0).get("id").asText()).isEqualTo("odd id \u00e4");
    assertThat(inserts.get(0).get("queue").asText()).isEqualTo("in\u00f6");
    assertThat(inserts.get(0).at("/value/json").asText()).isEqualTo("caf\u00e9");
    assertThat(inserts.get(1).at("/value/json/name").asText()).isEqualTo("\u20ac\"");
    assertThat(inserts.get(1).get("attempt").asInt()).isEqualTo(3);
    assertThat(inserts.get(1).get("err").asText()).isEqualTo("why");
    assertThat(inserts.get(2).at("/value/base64").asText()).isEqualTo("/w==");
    assertThat(inserts.get(3).has("value")).isFalse();

    JsonNode change = ofType(lines, "MODIFY").get(1).get("command");
    assertThat(change.at("/changes/0/version").asInt()).isEqualTo(1);
    assertThat(change.at("/deletes/0/version").asInt()).isZero();
    assertThat(change.at("/depends/0/id").asText()).isNotEmpty();
    assertThat(change.at("/thenClaim/queues/0").asText()).isEqualTo("in\u00f6");
    JsonNode claim = ofType(lines, "CLAIM").get(0).get("command");
    assertThat(claim.get("claimant").asText()).isEqualTo("somebody");
    assertThat(claim.get("leaseMs").asLong()).isEqualTo(77_000);
  }

  @Test
  void shouldDumpDeliveryAcks() {
    Path data = temporary.resolve("data");
    ExpandableArrayBuffer said = new ExpandableArrayBuffer();
    int length =
        new AcknowledgeEncoder().wrap(said, 0).client(1, 2, 0, 3).delivered(1, 4, 5, 0).length();
    try (DrivenEngine engine = DrivenEngine.open(data)) {
      engine.executeEncoded(RecordType.ACKNOWLEDGE, said, 0, length);
    }
    List<JsonNode> lines = Cli.run("log", "dump", data).assertGood().lines();
    JsonNode acknowledge = ofType(lines, "ACKNOWLEDGE").get(0).get("command");
    assertThat(acknowledge.at("/clients/0/ackedBelow").asLong()).isEqualTo(3);
    assertThat(acknowledge.at("/delivered/0/client").asText()).endsWith("4");
    assertThat(acknowledge.at("/delivered/0/request").asLong()).isEqualTo(5);
  }

  @Test
  void shouldDumpDocCommands() {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      DocInsert insert =
          DocInsert.into("users", "k").withId("odd \u00e4").withSecondaryKey("s").withValue("v");
      Doc doc =
          queue
              .modify(Modification.builder().insertDoc(insert).build())
              .orThrow()
              .insertedDocs()
              .get(0);
      Doc claimed =
          queue.claimDocs(DocClaim.of("users", "k").withClaimant("somebody")).orThrow().get(0);
      queue
          .modify(
              Modification.builder()
                  .changeDoc(DocChange.of(claimed))
                  .insertDoc(insert.withId("2").withSecondaryKey("t"))
                  .build()
                  .withClaimant("somebody"))
          .orThrow();
      queue
          .modify(
              Modification.builder()
                  .deleteDoc(new Doc.Ref(new Doc.Id("users", "2"), 2))
                  .dependOnDoc(new Doc.Ref(doc.id(), 2))
                  .build())
          .orThrow();
    }
    List<JsonNode> lines = Cli.run("log", "dump", data, "--values").assertGood().lines();
    List<JsonNode> modifies = ofType(lines, "MODIFY");
    JsonNode inserted = modifies.get(0).at("/command/docInserts/0");
    assertThat(inserted.get("namespace").asText()).isEqualTo("users");
    assertThat(inserted.get("id").asText()).isEqualTo("odd \u00e4");
    assertThat(inserted.get("key").asText()).isEqualTo("k");
    assertThat(inserted.get("secondaryKey").asText()).isEqualTo("s");
    assertThat(inserted.at("/value/json").asText()).isEqualTo("v");
    assertThat(inserted.has("version")).isFalse();
    JsonNode claim = ofType(lines, "CLAIM_DOCS").get(0).get("command");
    assertThat(claim.get("claimant").asText()).isEqualTo("somebody");
    assertThat(claim.get("key").asText()).isEqualTo("k");
    assertThat(claim.get("leaseMs").asLong()).isEqualTo(45_000);
    assertThat(modifies.get(1).at("/command/docChanges/0/version").asInt()).isEqualTo(1);
    assertThat(modifies.get(2).at("/command/docDeletes/0/id").asText()).isEqualTo("2");
    assertThat(modifies.get(2).at("/command/docDepends/0/version").asInt()).isEqualTo(2);
  }

  @Test
  void shouldShowOnlyTypeAndSizeOfValuesByDefault() {
    Cli dump = Cli.run("log", "dump", writeOfEverything()).assertGood();
    // Not only "caf", which many random ids contain.
    assertThat(dump.out())
        .doesNotContainIgnoringCase("caf\\u00e9")
        .contains("{\"kind\":\"json\",\"bytes\":7}");
  }

  @Test
  void shouldDumpSelectedRecords() {
    Path data = write(10);
    assertThat(sequences("--from", "4", "--to", "6", data)).containsExactly(4L, 5L, 6L);
    assertThat(sequences("--from", "4", "--limit", "2", data)).containsExactly(4L, 5L);
    assertThat(sequences("--type", "genesis", "--type", "callers-gone", data)).startsWith(1L);
    assertThat(sequences("--from", "10000", data)).isEmpty();
  }

  @Test
  void shouldDumpPositionsOfRecords() throws IOException {
    Path data = write(5);
    RecordFrame frame = new RecordFrame();
    for (JsonNode line : Cli.run("log", "dump", data).assertGood().lines()) {
      byte[] file = Files.readAllBytes(data.resolve(line.get("file").asText()));
      int offset = line.get("offset").asInt();
      frame.verify(new UnsafeBuffer(file), offset, line.get("bytes").asInt());
      assertThat(frame.sequence()).isEqualTo(line.get("sequence").asLong());
      assertThat(frame.forcedSequence()).isEqualTo(line.get("forcedSequence").asLong());
      assertThat(frame.logTimeMs()).isEqualTo(line.get("timeMs").asLong());
    }
  }

  @Test
  void shouldPrintIntactRecordsThenDamage() throws IOException {
    Path data = write(10);
    JsonNode spoilt = Cli.run("log", "dump", data).lines().get(5);
    LogBytes.flip(data, spoilt);

    Cli dump = Cli.run("log", "dump", data);
    dump.assertFailed("entroq log dump: The log is damaged", "log repair");
    assertThat(dump.lines()).hasSize(6);
    assertDamage(dump.lastLine(), spoilt);

    Cli verify = Cli.run("log", "verify", data);
    verify.assertFailed("entroq log verify: The log is damaged", "log repair");
    assertThat(verify.lastLine().get("ok").asBoolean()).isFalse();
    assertThat(verify.lastLine().get("lastSequence").asLong()).isEqualTo(5);
    assertDamage(verify.lastLine(), spoilt);

    Cli stats = Cli.run("log", "stats", data);
    stats.assertFailed("entroq log stats: The log is damaged", "log repair");
    assertThat(stats.lastLine().get("records").asLong()).isEqualTo(5);
    assertDamage(stats.lastLine(), spoilt);

    // A dump of only the records before it succeeds.
    Cli.run("log", "dump", data, "--to", "4").assertGood();
  }

  @Test
  void shouldNotAdviseCutWhereEngineLosesNothing() throws Exception {
    Path data = BusyEngine.run(temporary.resolve("data"));
    JsonNode before = Cli.run("log", "verify", data).assertGood().lastLine();
    List<JsonNode> records = Cli.run("log", "dump", data).lines();
    JsonNode snapshots = Cli.run("log", "stats", data).lastLine().get("snapshots");
    long older = snapshots.get(0).get("sequence").asLong();
    long newest = snapshots.get(1).get("sequence").asLong();
    long spoilt = (older + newest) / 2;
    long first = records.get(0).get("sequence").asLong();
    LogBytes.flip(data, records.get((int) (spoilt - first)));

    String from = "it starts from the snapshot at record %,d and loses nothing".formatted(newest);
    for (String tool : List.of("verify", "stats", "dump")) {
      Cli run = Cli.run("log", tool, data);
      String[] said = {"The log is damaged: ", "record " + spoilt, from, "Take a backup now"};
      if (tool.equals("verify")) {
        run.assertGoodWith(said);
        assertThat(run.lastLine().get("ok").asBoolean()).isTrue();
        assertThat(run.lastLine().get("content")).isEqualTo(before.get("content"));
        assertThat(run.lastLine().get("lastSequence")).isEqualTo(before.get("lastSequence"));
      } else {
        run.assertFailed(said);
      }
      assertThat(run.err()).contains("Do NOT cut").doesNotContain("--cut-at");
      assertThat(run.lastLine().at("/damage/advice").asText()).contains(from);
    }
    Cli.run("log", "verify", "--no-replay", data).assertGoodWith(from);
    Cli repair = Cli.run("log", "repair", data, "--cut-at", spoilt, "--yes");
    repair.assertFailed("must not be cut at " + spoilt, "from the snapshot at record", "backup");

    Path copy = temporary.resolve("backup");
    JsonNode kept = Cli.run("backup", data, copy).assertGood().lastLine();
    assertThat(kept.get("content")).isEqualTo(before.get("content"));
    assertThat(kept.get("sequence")).isEqualTo(before.get("lastSequence"));

    // A cut, if any, belongs where the engine stops.
    // The last snapshot may be of one of the last records, and would cover damage before it.
    long second = Math.max(newest + 1, before.get("lastSequence").asLong() - 2);
    LogBytes.flip(data, records.get((int) (second - first)));
    Cli.run("log", "verify", data).assertFailed("record " + second, "--cut-at " + second);
    Cli.run("log", "repair", data, "--cut-at", second, "--yes");
    Cli.run("log", "verify", data).assertGoodWith("record " + spoilt, "and loses nothing");
    BusyEngine.open(data).close();
  }

  private static void assertDamage(JsonNode line, JsonNode spoilt) {
    JsonNode damage = line.get("damage");
    assertThat(damage.get("sequence")).isEqualTo(spoilt.get("sequence"));
    assertThat(damage.get("offset")).isEqualTo(spoilt.get("offset"));
    assertThat(damage.get("file")).isEqualTo(spoilt.get("file"));
    assertThat(damage.get("what").asText()).contains("checksum");
    assertThat(damage.get("advice").asText()).contains("log repair").contains("backup");
  }

  @Test
  void shouldNotReportTornTailAsDamage() throws IOException {
    Path data = write(10);
    List<JsonNode> good = Cli.run("log", "dump", data).lines();
    LogBytes.flip(data, good.get(good.size() - 1));
    Cli.run("log", "verify", data)
        .assertFailed("closed says that the log was closed after record", "log repair");
    Files.delete(CleanCloseMarker.fileIn(data));

    List<JsonNode> lines = Cli.run("log", "dump", data).assertGood().lines();
    assertThat(lines).hasSameSizeAs(good);
    JsonNode torn = lines.get(lines.size() - 1).get("tornTail");
    assertThat(torn.get("afterSequence").asLong()).isEqualTo(good.size() - 1);
    assertThat(torn.get("offset")).isEqualTo(good.get(good.size() - 1).get("offset"));
    assertThat(Cli.run("log", "verify", data).assertGood().lastLine().get("tornTail")).isNotNull();
    assertThat(Cli.run("log", "stats", data).assertGood().lastLine().get("tornTail")).isNotNull();
  }

  @Test
  void shouldTakeTheLevelOfTheEngineIntoAccount() throws IOException {
    Path data = write(10);
    LogBytes.flip(data, Cli.run("log", "dump", data).lines().get(5));
    Files.delete(CleanCloseMarker.fileIn(data));
    // No record states that these were ever on disk.
    Cli.run("log", "verify", data, "--durability", "os").assertFailed("valid records follow it");
    Cli.run("log", "verify", data, "--durability", "disk").assertGood();
  }

  @Test
  void shouldDumpRecordWithoutValidCommand() {
    Path data = write(3);
    append(data, RecordType.MODIFY, new byte[] {-1, -1, -1});

    Cli dump = Cli.run("log", "dump", data);
    dump.assertFailed("1 intact records cannot be read by this build");
    assertThat(dump.lastLine().get("unreadable").asText()).contains("Modify");

    Cli verify = Cli.run("log", "verify", data);
    verify.assertFailed("(MODIFY) of the log in ", "is intact but cannot be replayed");
    assertThat(verify.lastLine().get("ok").asBoolean()).isFalse();
    assertThat(verify.lastLine().has("content")).isFalse();
    Cli.run("log", "verify", data, "--no-replay").assertGood();
    Cli.run("log", "stats", data).assertGood();
  }

  @Test
  void shouldVerifyToSameDigestRepeatedly() {
    Path data = write(10);
    JsonNode first = Cli.run("log", "verify", data).assertGood().lastLine();
    assertThat(first.get("ok").asBoolean()).isTrue();
    assertThat(first.get("history").asText()).matches("[0-9a-f]{16}");
    assertThat(first.get("content").asText()).matches("[0-9a-f]{16}");
    assertThat(first.get("tasks").asLong()).isEqualTo(10);
    assertThat(Cli.run("log", "verify", data).assertGood().lastLine()).isEqualTo(first);
  }

  @Test
  void shouldPrintStatsOfLog() {
    Path data = write(10);
    JsonNode stats = Cli.run("log", "stats", data).assertGood().lastLine();
    List<JsonNode> records = Cli.run("log", "dump", data).lines();
    assertThat(stats.get("records").asInt()).isEqualTo(records.size());
    assertThat(stats.get("recordBytes").asLong())
        .isEqualTo(records.stream().mapToLong(each -> each.get("bytes").asLong()).sum());
    assertThat(stats.at("/types/MODIFY/records").asInt()).isEqualTo(10);
    assertThat(stats.get("logId")).isEqualTo(records.get(0).at("/command/logId"));
    assertThat(stats.get("firstTimeMs")).isEqualTo(records.get(0).get("timeMs"));
    assertThat(stats.get("lastSequence").asInt()).isEqualTo(records.size());
    assertThat(stats.get("segmentBytes").asLong())
        .isGreaterThanOrEqualTo(stats.get("recordBytes").asLong());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "verify", "stats"})
  void shouldReportMissingLogInOneLine(String tool) throws IOException {
    Path missing = temporary.resolve("missing");
    Cli.run("log", tool, missing).assertFailed("There is no log in " + missing, "does not exist");
    assertThat(missing).doesNotExist();

    Path empty = Files.createDirectory(temporary.resolve("empty"));
    Cli.run("log", tool, empty)
        .assertFailed("There is no log in " + empty, "it has no subdirectory log");
    assertThat(empty).isEmptyDirectory();

    Path file = Files.writeString(temporary.resolve("file"), "x");
    Cli.run("log", tool, file).assertFailed("There is no log in " + file, "not a directory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "verify", "stats"})
  void shouldRejectForeignFileAmongRuns(String tool) throws IOException {
    Path data = write(1);
    Files.writeString(data.resolve("log/notes.txt"), "x");
    Cli.run("log", tool, data).assertFailed("notes.txt does not belong there");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dump", "verify", "stats"})
  void shouldLeaveNothingInForeignDirectory(String tool) throws IOException {
    Path foreign = Files.createDirectories(temporary.resolve("foreign/log")).getParent();
    Cli.run("log", tool, foreign).assertGood();
    Files.writeString(foreign.resolve("log/notes.txt"), "x");
    Cli.run("log", tool, foreign).assertFailed("notes.txt does not belong there");
    try (Stream<Path> files = Files.walk(foreign)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void shouldReadEmptyLog() throws IOException {
    Path data = temporary.resolve("data");
    LogDirectory.open(data).close();
    assertThat(Cli.run("log", "dump", data).assertGood().out()).isEmpty();
    assertThat(Cli.run("log", "verify", data).assertGood().lines()).hasSize(1);
    assertThat(Cli.run("log", "stats", data).assertGood().lastLine().get("records").asInt())
        .isZero();
  }

  @Test
  void shouldReadWhileEngineOfThisProcessIsBusy() throws Exception {
    Path data = temporary.resolve("data");
    AtomicBoolean isWanted = new AtomicBoolean(true);
    try (EntroQ queue = BusyEngine.open(data)) {
      Thread worker = new Thread(() -> BusyEngine.work(queue, isWanted::get));
      worker.start();
      shouldReadBesideABusyEngine(data);
      assertThat(worker.isAlive()).isTrue();
      isWanted.set(false);
      worker.join();
    }
  }

  @Test
  void shouldReadWhileEngineOfAnotherProcessIsBusy() throws Exception {
    Path data = temporary.resolve("data");
    Process engine = java(BusyEngine.class, data.toString());
    assertThat(engine.inputReader().readLine()).isEqualTo("busy");
    shouldReadBesideABusyEngine(data);
    assertThat(engine.isAlive()).isTrue();
    engine.destroyForcibly().waitFor();
    Cli.run("log", "verify", data).assertGood();
  }

  /** Reads a complete log, and one that is being shortened. */
  private static void shouldReadBesideABusyEngine(Path data) throws InterruptedException {
    shouldReadOnce(data);
    BusyEngine.awaitShortened(data);
    shouldReadOnce(data);
  }

  private static void shouldReadOnce(Path data) {
    Cli.run("log", "dump", data, "--limit", "1000").assertGood();
    Cli.run("log", "stats", data).assertGood();
    Cli.run("log", "verify", data).assertGood();
  }

  @Test
  void shouldVerifySnapshotsAndCompareThemWithTheLog() throws Exception {
    Path data = BusyEngine.run(temporary.resolve("data"));
    List<JsonNode> lines = Cli.run("log", "verify", data).assertGood().lines();
    List<JsonNode> snapshots = lines.stream().filter(line -> line.has("snapshot")).toList();
    assertThat(snapshots).hasSize(2).allMatch(each -> each.get("ok").asBoolean());
    assertThat(lines.get(lines.size() - 1).get("content").asText()).hasSize(16);
    JsonNode stats = Cli.run("log", "stats", data).assertGood().lastLine();
    assertThat(stats.get("snapshots")).hasSize(2);
    assertThat(stats.get("logId")).isNotNull();

    JsonNode newest = snapshots.get(1);
    Path state = data.resolve(newest.get("snapshot").asText()).resolve("state");
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length / 2] ^= 1;
    Files.write(state, bytes);
    Cli verify = Cli.run("log", "verify", data);
    verify.assertGoodWith("The snapshot is damaged: " + state, "It was skipped");
    assertThat(verify.lastLine().get("ok").asBoolean()).isTrue();
    assertThat(verify.lastLine().get("warnings")).hasSize(1);
    Cli.run("log", "verify", data, "--no-replay")
        .assertGoodWith("The snapshot is damaged: " + state);
  }

  @Test
  void shouldReportMissingStartWithoutSnapshots() throws Exception {
    Path data = BusyEngine.run(temporary.resolve("data"));
    long first = Cli.run("log", "stats", data).lastLine().get("firstSequence").asLong();
    Files.move(data.resolve("snapshots"), temporary.resolve("gone"));
    String missing = "records 1 to %,d are missing".formatted(first - 1);
    Cli.run("log", "verify", data).assertFailed(missing, "from a backup");
    Cli.run("log", "verify", "--no-replay", data).assertFailed(missing, "from a backup");
  }

  @Test
  void shouldDetectLogThatEndsBeforeSnapshot() throws Exception {
    Path data = BusyEngine.run(temporary.resolve("data"));
    Path ahead = data.resolve("snapshots/snapshot-%020d".formatted(1L << 40));
    JsonNode newest = Cli.run("log", "stats", data).assertGood().lastLine().at("/snapshots/1");
    Files.move(data.resolve(newest.get("snapshot").asText()), ahead);
    Cli.run("log", "verify", data).assertFailed("is of record " + newest.get("sequence"));
    Cli.run("log", "stats", data).assertFailed("it is for record " + newest.get("sequence"));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void shouldEndSilentlyWhenReaderClosesPipe() throws Exception {
    Path data = write(2_000);
    Process dump = java(Main.class, "log", "dump", data.toString(), "--values");
    try (BufferedReader out = dump.inputReader()) {
      assertThat(out.readLine()).contains("GENESIS");
    }
    assertThat(dump.errorReader().lines().toList()).isEmpty();
    assertThat(dump.waitFor()).isEqualTo(128 + 13);
  }

  private Process java(Class<?> main, String... args) throws IOException {
    Process process = Java.start(main, args);
    started.add(process);
    return process;
  }

  /** The log of an engine with the given number of tasks. */
  private Path write(int tasks) {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < tasks; i++) {
        queue.modify(Modification.insert("inbox", "the value of task " + i)).orThrow();
      }
    }
    return data;
  }

  private Path writeOfEverything() {
    Path data = temporary.resolve("data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      List<Task> tasks =
          queue
              .modify(
                  Modification.insert(
                      Insert.into("in\u00f6").withId("odd id \u00e4").withValue("caf\u00e9"),
                      Insert.into("json")
                          .withValue(Value.json("{\"name\":\"\u20ac\\\"\"}"))
                          .withAttempt(3, "why"),
                      Insert.into("bytes").withValue(Value.bytes(new byte[] {-1})),
                      Insert.into("nothing").withValue(Value.absent())))
              .orThrow()
              .inserted();
      Task claimed =
          queue
              .tryClaimMany(
                  Claim.from("in\u00f6").withClaimant("somebody").withLease(Duration.ofSeconds(77)))
              .get(0);
      queue
          .modify(
              Modification.builder()
                  .change(Change.of(claimed).availableNow())
                  .delete(tasks.get(1))
                  .depend(tasks.get(2))
                  .build()
                  .withClaimant("somebody")
                  .thenClaim(Claim.from("in\u00f6")))
          .orThrow();
    }
    return data;
  }

  private static List<JsonNode> ofType(List<JsonNode> lines, String type) {
    return lines.stream().filter(line -> line.get("type").asText().equals(type)).toList();
  }

  private static List<Long> sequences(Object... args) {
    Object[] words = new Object[args.length + 2];
    words[0] = "log";
    words[1] = "dump";
    System.arraycopy(args, 0, words, 2, args.length);
    return Cli.run(words).assertGood().lines().stream()
        .map(line -> line.get("sequence").asLong())
        .toList();
  }

  /** Appends a record that no engine would. */
  private static void append(Path data, int type, byte[] payload) {
    try (LogDirectory directory = LogDirectory.open(data)) {
      ScanReport report =
          new LogScanner(directory, HolePolicy.REFUSE)
              .scan((kind, at, logTimeMs, payloadCrc, buffer, offset, length) -> {});
      UnsafeBuffer buffer = new UnsafeBuffer(payload);
      int crc = new Crc32c().of(buffer, 0, payload.length);
      long last = report.lastSequence();
      try (CommandLog log =
          ChronicleLog.open(directory, LogConfig.defaults(), report.logTag(), last, 0)) {
        log.append(type, last + 1, report.lastLogTimeMs(), crc, buffer, 0, payload.length);
      }
    }
  }
}
