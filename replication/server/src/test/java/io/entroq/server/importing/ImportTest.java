package io.entroq.server.importing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import io.entroq.api.Arrival;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.server.cli.Cli;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.tools.importing.ImportStateFile;
import io.entroq.tools.importing.UnitName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The import, by what it says and by what is there afterwards. */
class ImportTest {
  private static final long SEED = 20_261_122;

  /** How Go says that there is no time. */
  private static final long GO_NO_TIME_MS = -6_795_364_578_871L;

  private static final Instant LATER = Instant.ofEpochMilli(System.currentTimeMillis() + 3_600_007);
  private static final UUID ZERO_VERSION = UUID.fromString("11111111-0000-0000-0000-000000000001");

  @TempDir private Path temporary;

  private EmbeddedEntroQ source;
  private EmbeddedEntroQ target;
  private GrpcServer sourceServer;
  private GrpcServer targetServer;
  private String from;
  private String to;

  @BeforeEach
  void start() throws IOException {
    source = EmbeddedEntroQ.inMemory();
    target = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().valueBytesMax(100_000).build());
    sourceServer = GrpcServer.start(source.gateway(), GrpcServerConfig.on(0));
    targetServer = GrpcServer.start(target.gateway(), GrpcServerConfig.on(0));
    from = "localhost:" + sourceServer.port();
    to = "localhost:" + targetServer.port();
  }

  @AfterEach
  void stop() {
    sourceServer.close();
    targetServer.close();
    source.close();
    target.close();
  }

  private Cli run(Object... args) {
    return runFrom(from, args);
  }

  private Cli runFrom(String address, Object... args) {
    List<Object> words =
        new ArrayList<>(List.of("import", "--from", address, "-s", to, "--no-progress"));
    words.addAll(List.of(args));
    return Cli.run(words.toArray());
  }

  private static void insert(EntroQ queue, Insert... inserts) {
    queue.modify(Modification.insert(inserts)).orThrow();
  }

  private void fill(int tasks) {
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i < tasks; i++) {
      inserts.insert(Insert.into("inbox").withId("task " + i).withValue("value " + i));
    }
    source.modify(inserts.build()).orThrow();
  }

  private void fillWithEverything() {
    insert(
        source,
        Insert.into("a").withId("11111111-2222-3333-4444-555555555555"),
        Insert.into("a").withId("0123456789abcdef").withValue(Value.bytes(new byte[0])),
        Insert.into("a").withId("AAAAAAAA-2222-3333-4444-555555555555").withValue(utf8("bytes")),
        Insert.into("a").withId("grüße \uD83D\uDE00").withValue(Value.json("null")),
        Insert.into("a")
            .withId("0000000000000000")
            .withValue(Value.json("{\"b\":[1.5],\"a\":\"\"}")),
        Insert.into("q /x=1/\\").withId("i".repeat(64)).withAttempt(3, "no\nnever"),
        Insert.into("later").withId(TaskId.of(ZERO_VERSION)).withArrival(Arrival.at(LATER)),
        Insert.into("claimed").withId("claimed").withValue(Value.bytes(new byte[100_000])));
    assertThat(source.tryClaim(Claim.from("claimed").withLease(Duration.ofHours(2)))).isPresent();
    source
        .modify(
            Modification.builder()
                .insertDoc(DocInsert.into("ns", "").withId("1").withValue(utf8("raw")))
                .insertDoc(
                    DocInsert.into("ns", "k")
                        .withId("2")
                        .withSecondaryKey("s")
                        .withValue(Value.json("[true]")))
                .insertDoc(DocInsert.into("other ü", "k").withId("2"))
                .build())
        .orThrow();
  }

  private static Value utf8(String text) {
    return Value.bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<TaskId, Task> tasks(EntroQ queue) {
    Map<TaskId, Task> tasks = new HashMap<>();
    queue
        .queues(QueueQuery.all())
        .keySet()
        .forEach(name -> queue.forEachTask(TaskQuery.in(name), task -> tasks.put(task.id(), task)));
    return tasks;
  }

  private static void assertCarried(Map<TaskId, Task> from, Map<TaskId, Task> to) {
    assertThat(to.keySet()).isEqualTo(from.keySet());
    from.forEach(
        (id, task) -> {
          Task copy = to.get(id);
          assertThat(copy.queue()).isEqualTo(task.queue());
          assertThat(copy.arrivalTime())
              .isBetween(task.arrivalTime().minusSeconds(60), task.arrivalTime().plusSeconds(60));
          assertThat(copy.value()).isEqualTo(task.value());
          assertThat(copy.attempt()).isEqualTo(task.attempt());
          assertThat(copy.err()).isEqualTo(task.err());
          assertThat(copy.version()).isZero();
          assertThat(copy.claims()).isZero();
        });
  }

  @Test
  void shouldCarryEverythingByTheV1Api() {
    fillWithEverything();
    Cli said = run().assertGood();
    assertThat(said.out())
        .contains("Copied 8 tasks and 3 docs.\n")
        .contains("Source and target are equal: 8 tasks in 4 queues and 3 docs in 2 namespaces.\n")
        .containsPattern("queue +later +1 +1 +0 +0 +0\n");
    assertCarried(tasks(source), tasks(target));
    for (String namespace : List.of("ns", "other ü")) {
      List<Doc> docs = target.docs(DocQuery.in(namespace));
      assertThat(docs)
          .usingRecursiveFieldByFieldElementComparatorOnFields(
              "id", "key", "secondaryKey", "value", "claimant")
          .containsExactlyElementsOf(source.docs(DocQuery.in(namespace)));
    }
    assertThat(run().assertGood().out())
        .startsWith("Copied 0 tasks and 0 docs; 11 already existed or are gone.\n");
    assertCarried(tasks(source), tasks(target));
  }

  @Test
  void shouldCarryWhatTheV0ApiShows() {
    fillWithEverything();
    assertThat(run("--api", "v0").assertGood().out())
        .contains("Copied 8 tasks and 0 docs.\n", "equal: 8 tasks in 4 queues and 0 docs");
    Map<TaskId, Task> copies = tasks(target);
    assertThat(copies).hasSize(8);
    assertThat(copies.get(TaskId.of(ZERO_VERSION)).arrivalTime())
        .isBetween(LATER.minusSeconds(60), LATER.plusSeconds(60));
    assertThat(copies.keySet()).allMatch(id -> id.text().length() == 36);
    assertThat(target.tasks(TaskQuery.in("a")))
        .extracting(Task::value)
        .containsExactlyInAnyOrder(
            Value.absent(),
            Value.absent(),
            utf8("bytes"),
            utf8("null"),
            utf8("{\"a\":\"\",\"b\":[1.5]}"));
    assertThat(run("--api", "v0", "--verify-only").assertGood().out()).doesNotContain("Copied");
  }

  @Test
  void shouldCopyIntoADirectory() {
    fill(3);
    Path data = temporary.resolve("data");
    Cli said = Cli.on(data, "import", "--from", from, "--no-progress");
    said.assertGoodWith("entroq import: created the data directory " + data);
    try (EmbeddedEntroQ copy = EmbeddedEntroQ.open(data)) {
      assertCarried(tasks(source), tasks(copy));
    }
  }

  @Test
  void shouldCopyManyMoreThanAreInMemoryAtATime() {
    fill(2_345);
    assertThat(run().assertGood().out()).contains("Copied 2,345 tasks");
    assertCarried(tasks(source), tasks(target));
  }

  @Test
  void shouldShowWhatItWouldCopy() {
    fillWithEverything();
    assertThat(run("--dry-run").assertGood().out().lines())
        .contains("queue      later     1", "namespace  other ü   1")
        .last()
        .asString()
        .startsWith("Would copy 8 tasks in 4 queues and 3 docs in 2 namespaces from localhost:");
    assertThat(tasks(target)).isEmpty();
  }

  @Test
  void shouldFindEveryDifference() {
    fill(8);
    insert(source, Insert.into("other").withId("x"));
    source
        .modify(
            Modification.builder()
                .insertDoc(
                    DocInsert.into("ns", "k").withSecondaryKey("a").withId("1").withValue("1"))
                .insertDoc(
                    DocInsert.into("ns", "k").withSecondaryKey("b").withId("2").withValue("2"))
                .build())
        .orThrow();
    run().assertGood();
    Map<TaskId, Task> copies = tasks(target);
    IntFunction<Task> task = number -> copies.get(TaskId.of("task " + number));
    target
        .modify(
            Modification.builder()
                .delete(task.apply(0))
                .change(Change.of(task.apply(1)).withValue(Value.json("1")).availableAt(LATER))
                .change(Change.of(task.apply(2)).moveTo("elsewhere").availableAt(at(task.apply(2))))
                .change(
                    Change.of(task.apply(3)).withAttempt(2, "why").availableAt(at(task.apply(3))))
                .change(Change.of(task.apply(4)).availableAt(LATER))
                .insert(Insert.into("inbox").withId("more"))
                .insert(Insert.into("unheard of").withId("more still"))
                .deleteDoc(target.docs(DocQuery.in("ns").withIds("1")).get(0).ref())
                .insertDoc(DocInsert.into("ns", "k").withSecondaryKey("c").withId("3"))
                .build())
        .orThrow();
    Cli said = run("--verify-only");
    said.assertFailed(
        "entroq import: source and target differ in 2 of their queues and namespaces");
    assertThat(said.out())
        .containsPattern("queue +inbox +8 +7 +1 +4 +1\n")
        .containsPattern("queue +other +1 +1 +0 +0 +0\n")
        .containsPattern("namespace +ns +2 +2 +1 +0 +1\n")
        .contains("queue inbox: task task 0 is not at the target\n")
        .contains("task 1 arrives at ", "; has value JSON of 9 bytes, there JSON of ")
        .contains("queue inbox: task task 2 is in queue elsewhere there\n")
        .contains("queue inbox: task task 3 has attempt 0, there 2; has another err there\n")
        .contains("queue inbox: task task 4 arrives at ", ", there at " + LATER + "\n")
        .contains("queue inbox: task more is only at the target\n")
        .contains("namespace ns: doc 1 is not at the target\n")
        .contains("namespace ns: doc 3 is only at the target\n")
        .doesNotContain("unheard of");
    assertThat(run("--verify-only", "--differences", 2).out().lines().filter(l -> l.contains(": ")))
        .hasSize(2);
    assertThat(tasks(target)).hasSize(10);
  }

  private static Instant at(Task task) {
    return task.arrivalTime();
  }

  @Test
  void shouldCopyTheRestOfWhatTheTargetDoesNotTake() {
    fill(700);
    insert(
        source,
        Insert.into("inbox").withId("large").withValue(Value.bytes(new byte[100_001])),
        Insert.into("inbox").withId("larger").withValue(Value.bytes(new byte[900_000])));
    Path state = temporary.resolve("state");
    Cli said = run("--state", state);
    said.assertFailed("differ in 1 of");
    assertThat(said.out())
        .contains("Copied 700 tasks and 0 docs; 2 were refused by the target.\n")
        .contains("  task large of queue inbox: ", "100001 bytes, the limit is 100000\n")
        .contains("queue inbox: task larger is not at the target\n");
    assertThat(state).exists();
    run("--no-verify").assertFailed("the target refused some tasks or docs; see the output");
  }

  @Test
  void shouldGoOnFromWhereItEnded() throws IOException {
    fill(1_200);
    insert(source, Insert.into("a").withId("a"), Insert.into("z").withId("z"));
    Path state = temporary.resolve("state");
    try (ImportStateFile file = ImportStateFile.open(state, from, "v1", to)) {
      // As if it had been copied, and moved on since.
      file.done(new UnitName(UnitName.Kind.QUEUE, "a"));
    }
    insert(target, Insert.into("inbox").withId("task 7").withValue("value 7").availableAt(LATER));
    Cli said = run("--state", state, "--no-verify").assertGood();
    assertThat(said.out()).startsWith("Copied 1,200 tasks and 0 docs; 2 already existed");
    assertThat(state).doesNotExist();
    assertThat(tasks(target)).hasSize(1_201).doesNotContainKey(TaskId.of("a"));
    Cli compared = run("--verify-only");
    compared.assertFailed("differ in 2 of");
    assertThat(compared.out())
        .contains("queue a: task a is not at the target\n")
        .contains("queue inbox: task task 7 arrives at ");
  }

  @Test
  void shouldRefuseAStateFileThatIsNotItsOwn() throws IOException {
    Path state = temporary.resolve("state");
    ImportStateFile.open(state, "elsewhere:1", "v1", "there:2").close();
    run("--state", state).assertFailed("belongs to an import from elsewhere:1 (v1) to there:2");
    Files.writeString(state, "nonsense\n");
    run("--state", state).assertFailed("is damaged at line 1", "remove it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"api.EntroQ", "proto.EntroQ"})
  void shouldReadNothingTwiceOfASourceThatBreaksOff(String service) throws IOException {
    try (FakeSource old = new FakeSource(service, SEED)) {
      boolean isJson = service.startsWith("api");
      for (int i = 0; i < 2_000; i++) {
        old.add(
            task("inbox", new UUID(1, i).toString())
                .setValue(isJson ? object(i) : ByteString.copyFromUtf8("bytes " + i)));
      }
      old.breakOff(3, 900);
      Cli said = runFrom(old.address(), "--no-docs", "--no-verify").assertGood();
      assertThat(said.out()).startsWith("Copied 2,000 tasks and 0 docs.");
      // The first 900 may be partly lost with the listing; whatever had arrived is not read again.
      assertThat(old.valuesSent()).isBetween(2_000, 2_900);
      runFrom(old.address(), "--no-docs", "--verify-only").assertGood();
      assertThat(tasks(target)).hasSize(2_000);
    }
  }

  private static io.entroq.codec.wire.edge.Task.Builder task(String queue, String id) {
    return io.entroq.codec.wire.edge.Task.newBuilder()
        .setQueue(queue)
        .setId(id)
        .setAtMs(GO_NO_TIME_MS)
        .setVersion(3)
        .setClaims(1)
        .setClaimantId(new UUID(0, 0).toString());
  }

  private static ByteString object(int number) {
    Struct.Builder members = Struct.newBuilder();
    for (String name : List.of("a", "b", "c", "d")) {
      members.putFields(
          name, com.google.protobuf.Value.newBuilder().setNumberValue(number).build());
    }
    return FakeSource.json(com.google.protobuf.Value.newBuilder().setStructValue(members));
  }

  @Test
  void shouldFindOutWhichApiASourceHas() throws IOException {
    try (FakeSource old = new FakeSource("proto.EntroQ", SEED)) {
      old.add(task("inbox", ZERO_VERSION.toString()).setValue(ByteString.copyFromUtf8("x")));
      old.add(task("inbox", new UUID(2, 2).toString()).setValue(ByteString.EMPTY));
      runFrom(old.address(), "--api", "v1")
          .assertFailed(old.address() + " does not serve the v1 API; omit --api to detect it");
      assertThat(runFrom(old.address()).assertGood().out()).contains("Copied 2 tasks and 0 docs.");
      Task copy = tasks(target).get(TaskId.of(ZERO_VERSION));
      assertThat(copy.value()).isEqualTo(utf8("x"));
      // There is no such time as Go's.
      assertThat(copy.arrivalTime()).isAfter(Instant.now().minusSeconds(60));
      insert(target, Insert.into("inbox").withId("no uuid"));
      Cli said = runFrom(old.address(), "--verify-only");
      said.assertFailed("differ in 1 of");
      assertThat(said.out()).contains("queue inbox: task no uuid is only at the target\n");
    }
  }

  @Test
  void shouldCopyDocsOfAServerThatDoesNotListNamespaces() throws IOException {
    try (FakeSource old = new FakeSource("api.EntroQ", SEED)) {
      for (int i = 0; i < 2_600; i++) {
        old.add(
            io.entroq.codec.wire.edge.Doc.newBuilder()
                .setNamespace("ns")
                .setId("doc " + i)
                .setKey(i < 1_100 ? "popular" : "key " + i % 700)
                .setSecondaryKey("part " + i)
                .setVersion(7)
                .setContent(
                    FakeSource.json(
                        com.google.protobuf.Value.newBuilder()
                            .setNullValue(NullValue.NULL_VALUE))));
      }
      runFrom(old.address())
          .assertFailed(
              "cannot list its namespaces, like EntroQ before 1.1",
              "name them with --namespace, or leave docs out with --no-docs");
      assertThat(runFrom(old.address(), "--no-docs").assertGood().out())
          .contains("Copied 0 tasks and 0 docs.");
      assertThat(runFrom(old.address(), "--namespace", "ns").assertGood().out())
          .contains(
              "Copied 0 tasks and 2,600 docs.\n", "equal: 0 tasks in 0 queues and 2,600 docs");
      assertThat(target.docs(DocQuery.in("ns")))
          .hasSize(2_600)
          .allMatch(doc -> doc.value().equals(Value.json("null")));
    }
  }

  /** Servers before protocol 2 have docs of one key without a secondary key, or with the same. */
  @Test
  void shouldCopyTheRestOfDocsThatWantTheSamePlace() throws IOException {
    try (FakeSource old = new FakeSource("api.EntroQ", SEED)) {
      for (String id : List.of("first", "second", "third")) {
        old.add(
            io.entroq.codec.wire.edge.Doc.newBuilder()
                .setNamespace("ns")
                .setId(id)
                .setKey("key")
                .setSecondaryKey(id.equals("third") ? "other" : "")
                .setVersion(7));
      }
      Cli said = runFrom(old.address(), "--namespace", "ns");
      said.assertFailed("differ in 1 of");
      assertThat(said.out())
          .contains("Copied 0 tasks and 2 docs; 1 were refused by the target.\n")
          .contains("another doc with the same key and secondary key is at the target");
      assertThat(target.docs(DocQuery.in("ns"))).hasSize(2);
    }
  }

  @Test
  void shouldCopyNothingThatNobodyCouldRead() throws IOException {
    try (FakeSource old = new FakeSource("api.EntroQ", SEED)) {
      old.add(task("inbox", "").setValue(object(1)));
      old.add(task("inbox", "x".repeat(1_025)).setValue(object(2)));
      old.add(task("inbox", "broken").setValue(ByteString.copyFromUtf8("\377no value")));
      old.add(
          task("inbox", "nan")
              .setValue(
                  FakeSource.json(
                      com.google.protobuf.Value.newBuilder().setNumberValue(Double.NaN))));
      old.add(task("inbox", "good").setValue(object(3)));
      Cli said = runFrom(old.address(), "--no-docs");
      said.assertFailed("differ in 1 of");
      assertThat(said.out())
          .contains("Copied 1 task and 0 docs; 4 were refused by the target.\n")
          .contains("task broken of queue inbox: ", "task nan of queue inbox: ")
          .containsPattern("queue +inbox +5 +1 +4 +0 +0\n");
    }
  }

  @Test
  void shouldSayWhoDoesNotAnswer() throws IOException {
    sourceServer.close();
    run("--from-connect-timeout", "200ms").assertFailed("entroq import: no answer from " + from);
    try (FakeSource old = new FakeSource("other.Service", SEED)) {
      runFrom(old.address()).assertFailed(old.address() + " serves neither API of EntroQ");
    }
    try (FakeSource old = new FakeSource("api.EntroQ", SEED)) {
      old.add(task("inbox", "x"));
      old.breakOff(Integer.MAX_VALUE, 0);
      runFrom(old.address(), "--no-docs", "--patience", "200ms")
          .assertFailed(
              "the source " + old.address() + ": UNAVAILABLE: broken off",
              "0 tasks and 0 docs were copied; run the same command to continue");
      targetServer.close();
      runFrom(old.address(), "--no-docs", "--connect-timeout", "200ms")
          .assertFailed("no answer from " + to);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "import --data x",
        "import --from a:1",
        "import --from a:b --data x",
        "import --from a:1 -s a:1",
        "import --from a:1 --data x -s b:1",
        "import --from a:1 --data x --api v2",
        "import --from a:1 --data x --from-tls-cert f",
        "import --from a:1 --data x --from-max-msg-size-mb 0",
        "import --from a:1 --data x --from-connect-timeout 0",
        "import --from a:1 --data x --dry-run --verify-only",
        "import --from a:1 --data x --no-verify --verify-only",
        "import --from a:1 --data x --dry-run --state f",
        "import --from a:1 --data x --no-docs --namespace n",
        "import --from a:1 --data x --differences -1",
        "import --from a:1 --data x --patience soon",
      })
  void shouldRefuseAWrongCommandLine(String line) {
    Cli.run((Object[]) line.split(" ", 0)).assertMisused("(see entroq import --help)");
  }
}
