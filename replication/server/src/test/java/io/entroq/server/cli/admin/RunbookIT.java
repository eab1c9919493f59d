package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.Cli;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows some of the guide's runbooks, whose commands it reads there, in a cluster of processes
 * that have a secret, but no TLS. {@link RunbookPagesTest} names what tests the others.
 */
@Tag("long")
@Timeout(300)
class RunbookIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  @TempDir private Path directory;
  private Path secret;
  private NodeProcesses nodes;
  private EntroQ queue;
  private long inserted;

  @BeforeEach
  void start() throws Exception {
    secret = Files.writeString(directory.resolve("secret"), "the secret of the members");
    nodes = new NodeProcesses(directory, List.of("--secret-file=" + secret));
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      nodes.start(id, Optional.empty(), "--bootstrap");
    }
    awaitAll();
    queue = EntroQClient.connect(nodes.addresses());
    insert();
  }

  @AfterEach
  void stop() {
    if (queue != null) {
      queue.close();
    }
    nodes.close();
  }

  @Test
  void shouldRestartAll() throws Exception {
    for (int id : leaderLast()) {
      follow("Restart all members", id);
      awaitAll();
      insert();
    }
    assertKept();
  }

  @Test
  void shouldRestartAMemberThatIsDown() throws Exception {
    int leader = leaderLast()[2];
    nodes.kill(leader);
    insert();
    follow("A member is down", leader);
    awaitAll();
    assertKept();
  }

  @Test
  void shouldReplaceAMemberThatHasLostItsDisk() throws Exception {
    int lost = leaderLast()[0];
    Cli.run("snapshot", "-s", nodes.addresses()).assertGood();
    insert();
    nodes.kill(lost);
    insert();
    follow("A member has lost its disk", lost);
    awaitAll();
    assertKept();
  }

  @Test
  void shouldReplaceAMemberWhoseDiskDamagesFiles() throws Exception {
    int id = leaderLast()[0];
    nodes.stop(id);
    flipLog(nodes.data(id));
    nodes.start(id, Optional.empty());
    assertThat(nodes.awaitEnd(id)).isNotZero();
    assertThat(nodes.logged(id)).contains("DamagedRecordingException");
    insert();
    follow("A member has lost its disk", id);
    awaitAll();
    assertKept();
  }

  @Test
  void shouldGoOnAfterTheLossOfAMajority() throws Exception {
    int[] ids = leaderLast();
    nodes.kill(ids[1]);
    nodes.kill(ids[2]);
    until("no majority has a leader", PATIENCE, () -> members().status() == 1);
    for (int id : List.of(ids[1], ids[2])) {
      follow("A member is down", id);
    }
    awaitAll();
    insert();
    assertKept();
  }

  @Test
  void shouldStartOverFromABackup() throws Exception {
    follow("Make a backup", 0);
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      nodes.stop(id);
    }
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      follow("Start over from a backup", id);
    }
    awaitAll();
    assertKept();
    insert();
  }

  /** Follows a section's commands on the machine of a member. */
  private void follow(String section, int id) throws Exception {
    List<String> commands = Runbook.of(section).commands();
    assertThat(commands).isNotEmpty();
    for (String command : commands) {
      List<String> words = new ArrayList<>(List.of(command.split(" +", 0)));
      switch (words.get(0)) {
        case "kill" -> nodes.stop(id);
        case "mv" -> Files.move(nodes.data(id), directory.resolve(words.get(2) + "-" + id));
        case "entroq" -> entroq(words, id);
        default -> throw new AssertionError(command);
      }
    }
  }

  private void entroq(List<String> words, int id) throws Exception {
    if (words.get(1).equals("node")) {
      assertThat(words).contains("--data", "data");
      boolean isFirst = words.contains("--bootstrap");
      nodes.start(id, Optional.empty(), isFirst ? new String[] {"--bootstrap"} : new String[0]);
      return;
    }
    // Here nobody else reads the network.
    int certificate = words.indexOf("--tls-ca");
    if (certificate > 0) {
      words.subList(certificate, certificate + 2).clear();
    }
    Object[] line =
        words.stream().skip(1).map(word -> here(word, words, id)).toArray(Object[]::new);
    Cli.run(line).assertGood();
  }

  /** A word of a command as it is in this cluster. */
  private Object here(String word, List<String> words, int id) {
    String before = words.get(words.indexOf(word) - 1);
    if (before.equals("--id")) {
      return id;
    } else if (before.equals("--members")) {
      return nodes.members();
    } else if (before.equals("-s")) {
      return nodes.addresses(others(word, id));
    } else if (before.equals("--secret-file")) {
      return secret;
    } else if (word.equals("data")) {
      return nodes.data(id);
    } else if (word.startsWith("/backups/")) {
      return directory.resolve("backup");
    }
    return word;
  }

  /** All members if all are named, otherwise all but one. */
  private static int[] others(String servers, int id) {
    boolean isAll = servers.split(",", -1).length == NodeProcesses.COUNT;
    return IntStream.range(0, NodeProcesses.COUNT).filter(i -> isAll || i != id).toArray();
  }

  private void insert() {
    queue.modify(Modification.insert("inbox", "task " + inserted)).orThrow();
    inserted++;
  }

  /** On each member. */
  private void assertKept() {
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      try (EntroQ one = EntroQClient.connect(nodes.addresses(id))) {
        until("all is there", PATIENCE, () -> size(one) == inserted);
      }
    }
  }

  private static long size(EntroQ queue) {
    LockSupport.parkNanos(LOOK_NANOS);
    try {
      return queue.queues(QueueQuery.all()).getOrDefault("inbox", 0L);
    } catch (EntroQException.Unavailable e) {
      return -1;
    }
  }

  private Cli members() {
    LockSupport.parkNanos(LOOK_NANOS);
    return Cli.run("members", "--json", "-s", nodes.addresses());
  }

  private void awaitAll() {
    until("all are with the leader", PATIENCE, () -> members().status() == 0);
  }

  private int[] leaderLast() {
    int leader = members().lines().get(0).get("leader").asInt();
    return IntStream.rangeClosed(1, NodeProcesses.COUNT)
        .map(i -> (leader + i) % NodeProcesses.COUNT)
        .toArray();
  }

  /** Changes a byte of the first command in a member's log. */
  private static void flipLog(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("archive"))) {
      Path log =
          files
              .filter(file -> file.toString().endsWith(".rec"))
              .min(Comparator.comparing(Path::getFileName))
              .orElseThrow();
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        byte[] found = new byte[1 << 16];
        int length = file.read(found);
        int at = new String(found, 0, length, ISO_8859_1).indexOf("task 0");
        assertThat(at).isPositive();
        file.seek(at);
        file.write('T');
      }
    }
  }
}
