package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.client.AdminClient;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.client.PieceStream;
import io.entroq.codec.wire.published.admin.BackupResponse;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.RecordHandler;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.log.scan.LogScanner;
import io.entroq.engine.recovery.LogRecovery;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.RulesScene;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.authorization.ExamplePolicy;
import io.entroq.service.authorization.FakeOpa;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups of servers and members over the network. */
class RemoteBackupIT {
  private static final int SOME = 200;
  private static final long SILENCE_MS = 30_000;

  @TempDir private Path directory;

  /** The runbook for a single server. */
  @Test
  void shouldBackUpAndRestoreBusyServer() throws Exception {
    Path data = directory.resolve("data");
    Path backup = directory.resolve("backup");
    JsonNode made;
    try (EntroqServer serving = start(Map.of("ENTROQ_DATA", data.toString()));
        Load load = new Load("127.0.0.1:" + serving.port())) {
      load.await(SOME);
      made = run(serving, "backup", backup).assertGood().json();
      int before = load.count();
      load.await(before + SOME);
      run(serving, "backup", backup)
          .assertFailed("Cannot make a backup in " + backup, "Choose a directory that");
    }
    assertThat(made.get("tasks").asInt()).isGreaterThanOrEqualTo(SOME);
    assertStateOf(data, made);

    Path restored = directory.resolve("restored");
    assertSameState(Cli.run("restore", backup, restored).assertGood().lastLine(), made);
    try (EntroqServer serving = start(Map.of("ENTROQ_DATA", restored.toString()))) {
      assertThat(run(serving, "qs").assertGood().out()).contains(made.get("tasks").asText());
      run(serving, "ins", "-q", "inbox", "-v", "1").assertGood();
    }
  }

  @Test
  void shouldBackUpBusyMember() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 1);
        Load load = new Load(cluster.addresses())) {
      load.await(SOME);
      // A finished backup has the digests of the member's state.
      JsonNode made = backUp("first", cluster.address(0));
      assertThat(made.get("snapshotSequence").asLong()).isZero();
      Cli.run("snapshot", "-s", cluster.addresses()).assertGood();
      until("the mirror has the snapshot too", () -> hasMirrored(cluster.data(0)));
      load.await(load.count() + SOME);
      JsonNode later = backUp("later", cluster.address(0));
      assertThat(later.get("snapshotSequence").asLong()).isPositive();
      assertThat(later.get("sequence").asLong()).isGreaterThan(made.get("sequence").asLong());
      Cli.run("restore", directory.resolve("later"), directory.resolve("restored")).assertGood();
    }
  }

  /** From a member under load into a directory, and into the first member of another cluster. */
  @Test
  void shouldRestorePoliciesOfARunningCluster() throws Exception {
    Map<String, Object> seen;
    try (ServedCluster cluster = new ServedCluster(directory.resolve("lost"), 1);
        Load load = new Load(cluster.addresses());
        EntroQ queue = EntroQClient.connect(cluster.addresses())) {
      load.await(SOME);
      RulesScene.write(queue);
      Cli.run("snapshot", "-s", cluster.addresses()).assertGood();
      until("the mirror has the snapshot too", () -> hasMirrored(cluster.data(0)));
      load.await(load.count() + 1);
      assertThat(backUp("backup", cluster.addresses()).get("snapshotSequence").asLong())
          .isPositive();
      seen = RulesScene.look(queue, "inbox");
    }
    Cli.run("restore", directory.resolve("backup"), directory.resolve("restored")).assertGood();
    try (EntroQ queue = EmbeddedEntroQ.open(directory.resolve("restored"))) {
      assertGoesOn(queue, seen);
    }
    Path data = directory.resolve("new");
    restoreMember(data.resolve("member-0")).assertGood();
    try (ServedCluster begun = new ServedCluster(data, 1);
        EntroQ queue = EntroQClient.connect(begun.addresses())) {
      assertGoesOn(queue, seen);
    }
  }

  private static void assertGoesOn(EntroQ queue, Map<String, Object> seen) {
    assertThat(RulesScene.look(queue, "inbox")).isEqualTo(seen);
    RulesScene.checkPolicies(queue);
    RulesScene.goOn(queue);
  }

  private static boolean hasMirrored(Path data) {
    return !new SnapshotDirectory(data, Forcer.DISK).newestFirst().isEmpty();
  }

  private JsonNode backUp(String name, String address) {
    return Cli.run("backup", "-s", address, directory.resolve(name)).assertGood().json();
  }

  @Test
  @Tag("long")
  void shouldBackUpEachMemberOfABusyCluster() throws Exception {
    try (ServedCluster cluster = new ServedCluster(directory, 3);
        Load load = new Load(cluster.addresses())) {
      load.await(SOME);
      for (int id = 0; id < 3; id++) {
        backUp("backup-" + id, cluster.address(id));
      }
      // The first member that can send one.
      backUp("any", "127.0.0.1:1," + cluster.addresses());
    }
  }

  /** The runbook for a cluster that has lost all disks. */
  @Test
  @Tag("long")
  void shouldStartClusterFromBackupOfAnother() throws Exception {
    JsonNode made;
    try (ServedCluster lost = new ServedCluster(directory.resolve("lost"), 3);
        Load load = new Load(lost.addresses())) {
      load.await(SOME);
      made = backUp("backup", lost.addresses());
    }
    Path data = directory.resolve("new");
    for (int id = 0; id < 3; id++) {
      Path member = data.resolve("member-" + id);
      assertSameState(restoreMember(member).assertGood().lastLine(), made);
      restoreMember(member).assertFailed("is not empty");
    }
    try (ServedCluster begun = new ServedCluster(data, 3)) {
      Cli.run("ins", "-s", begun.addresses(), "-q", "other", "-v", "1").assertGood();
      for (int id = 0; id < 3; id++) {
        String stats = Cli.run("qs", "-s", begun.address(id)).assertGood().out();
        assertThat(stats).contains("\"inbox\"", made.get("tasks").asText());
      }
      begun.restart(1);
      JsonNode again = backUp("again", begun.address(1));
      assertThat(again.get("tasks").asInt()).isEqualTo(made.get("tasks").asInt() + 1);
    }
  }

  private Cli restoreMember(Path member) {
    return Cli.run("restore", "--member", directory.resolve("backup"), member);
  }

  @Test
  void shouldLeaveNothingWhenInterrupted() throws Exception {
    Path data = directory.resolve("data");
    try (EntroqServer serving = start(Map.of("ENTROQ_DATA", data.toString()))) {
      fill(serving);
      try (AdminClient client = client(serving);
          PieceStream<BackupResponse> pieces = client.backup(SILENCE_MS)) {
        assertThat(pieces.next().orElseThrow().hasBegin()).isTrue();
        // It waits for a reader that has stopped, and the next backup waits for its end.
        run(serving, "backup", directory.resolve("second")).assertFailed("another backup");
        run(serving, "ins", "-q", "inbox", "-v", "1").assertGood();
      }
      assertThat(directory.resolve("second")).doesNotExist();
      until(
          "the first is given up",
          () -> run(serving, "backup", directory.resolve("third")).status() == 0);
    }
  }

  /** More bytes than are in flight while nobody reads. */
  private static void fill(EntroqServer serving) {
    String value = "v".repeat(500_000);
    try (EntroQ queue = EntroQClient.connect("127.0.0.1:" + serving.port())) {
      IntStream.range(0, 60)
          .forEach(i -> queue.modify(Modification.insert("large", value)).orThrow());
    }
  }

  @Test
  void shouldExplainWhyBackupFailed() throws Exception {
    Path backup = directory.resolve("backup");
    try (FakeOpa opa = new FakeOpa(new ExamplePolicy());
        EntroqServer serving =
            start(Map.of("ENTROQ_AUTHZ", "opahttp", "ENTROQ_OPA_URL", opa.url()))) {
      run(serving, "backup", backup).assertFailed("denied");
      run(serving, "backup", backup, "--authz_token", "token-of-ann").assertFailed("denied");
      run(serving, "backup", backup, "--authz_token", "token-of-root").assertFailed("in memory");
    }
    Cli.run("backup", "-s", "127.0.0.1:1", backup).assertFailed("no answer from");
    Cli.run("backup", backup).assertMisused("missing source");
    Cli.run("backup", "-s", "127.0.0.1:1", "data", backup).assertMisused("not both");
    Cli.run("backup", "-s", "127.0.0.1:1", "--durability", "disk", backup)
        .assertMisused("not to -s");
    assertThat(backup).doesNotExist();
  }

  /** Asserts that a log replays to the state of a backup. */
  private static void assertStateOf(Path data, JsonNode backup) {
    StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
    try {
      RecordHandler fold = LogRecovery.into(machine, ResultSink.DISCARDING);
      long last = backup.get("sequence").asLong();
      new LogScanner(LogDirectory.read(data), HolePolicy.REFUSE)
          .scan(
              (type, sequence, logTimeMs, crc, payload, offset, length) -> {
                if (sequence <= last) {
                  fold.onRecord(type, sequence, logTimeMs, crc, payload, offset, length);
                }
              });
      assertThat(backup.get("history").asText())
          .isEqualTo("%016x".formatted(machine.historyDigest()));
      assertThat(backup.get("content").asText())
          .isEqualTo("%016x".formatted(machine.contentDigest()));
    } finally {
      machine.close();
    }
  }

  private static void assertSameState(JsonNode one, JsonNode other) {
    for (String field : List.of("sequence", "history", "content")) {
      assertThat(one.get(field)).isEqualTo(other.get(field));
    }
  }

  private static AdminClient client(EntroqServer serving) {
    return AdminClient.of(ClientConfig.to("127.0.0.1:" + serving.port()).build());
  }

  private static EntroqServer start(Map<String, String> more) {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("ENTROQ_HOST", "127.0.0.1");
    environment.put("ENTROQ_PORT", "0");
    environment.put("ENTROQ_HTTP_PORT", "0");
    return EntroqServer.start(Settings.of(List.of(), Optional.empty(), environment));
  }

  private static Cli run(EntroqServer serving, String command, Object... words) {
    Object[] all = new Object[words.length + 3];
    all[0] = command;
    all[1] = "-s";
    all[2] = "127.0.0.1:" + serving.port();
    System.arraycopy(words, 0, all, 3, words.length);
    return Cli.run(all);
  }

  /** A client that inserts without pause. */
  private static final class Load implements AutoCloseable {
    private final EntroQ queue;
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final CompletableFuture<Void> work;

    Load(String addresses) {
      queue = EntroQClient.connect(ClientConfig.to(addresses.split(",")).build());
      work = CompletableFuture.runAsync(this::insert);
    }

    private void insert() {
      while (!isOver.get()) {
        queue.modify(Modification.insert("inbox", "task " + done.get())).orThrow();
        done.incrementAndGet();
      }
    }

    int count() {
      return done.get();
    }

    void await(int count) {
      until("there are " + count, () -> work.isDone() || done.get() >= count);
      assertThat(work).isNotDone();
    }

    @Override
    public void close() {
      isOver.set(true);
      work.join();
      queue.close();
    }
  }
}
