package io.entroq.server.cli.history;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.DocClaim;
import io.entroq.api.DocInsert;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.Value;
import io.entroq.api.feed.Feed;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.history.HistoryDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.server.cli.Cli;
import io.entroq.server.serving.EntroqServer;
import io.entroq.server.settings.Settings;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.validation.ValidatedService;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The {@code at} command on a server, and clients as of a point. */
@Timeout(300)
class AtServerTest {
  private static final List<List<String>> COMMANDS =
      List.of(
          List.of("stats"),
          List.of("stats", "--rules"),
          List.of("qs"),
          List.of("ts", "-q", "q0"),
          List.of("ts", "-q", "q1"),
          List.of("docs", "-n", "letters"),
          List.of("ns"),
          List.of("policy", "ls"),
          List.of("time"));

  @TempDir private Path data;
  private EntroqServer server;
  private String address;
  private EntroQ queue;

  private void start(String... settings) {
    Map<String, String> all = new HashMap<>();
    all.put("ENTROQ_HOST", "127.0.0.1");
    all.put("ENTROQ_PORT", "0");
    all.put("ENTROQ_HTTP_PORT", "0");
    for (int i = 0; i < settings.length; i += 2) {
      all.put("ENTROQ_" + settings[i], settings[i + 1]);
    }
    server = EntroqServer.start(Settings.of(List.of(), Optional.empty(), all));
    address = "127.0.0.1:" + server.port();
    queue = EntroQ.connect(address);
  }

  @AfterEach
  void close() {
    if (server != null) {
      queue.close();
      server.close();
    }
  }

  private long last() {
    return Feed.of(queue).range().last();
  }

  private void work(Random random, int operations) {
    for (int i = 0; i < operations; i++) {
      String name = "q" + random.nextInt(2);
      Optional<Task> task = queue.tryClaim(Claim.from(name).withLease(Duration.ofMinutes(1)));
      switch (random.nextInt(6)) {
        case 0 -> task.ifPresent(claimed -> queue.modify(Modification.delete(claimed)).orThrow());
        case 1 ->
            queue
                .modify(
                    Modification.builder()
                        .insertDoc(
                            DocInsert.into("letters", "k" + random.nextInt()).withValue("dear"))
                        .build())
                .orThrow();
        case 2 -> queue.policies().put(QueuePolicy.of(name).attempts(1 + random.nextInt(4)));
        default -> queue.modify(Modification.insert(name, "task " + i)).orThrow();
      }
    }
  }

  private Cli at(Object point, List<String> command, Object... options) {
    List<Object> words = new ArrayList<>(List.of("at", "--at", point));
    words.addAll(List.of(options));
    words.addAll(command);
    return Cli.run(words.toArray());
  }

  @Test
  void shouldPrintWhatItPrintsOfTheDirectory() {
    start("DATA", data.toString(), "HISTORY", "1h");
    Random random = new Random(5);
    List<Object> points = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      work(random, 40);
      points.add(last());
    }
    String time = queue.time().toString();
    until("that is past", () -> queue.time().isAfter(Instant.parse(time)));
    points.add(time);
    work(random, 40);
    for (Object point : points) {
      for (List<String> command : COMMANDS) {
        String served = at(point, command, "-s", address).assertGood().out();
        assertThat(served)
            .as("%s at %s", command, point)
            .isEqualTo(at(point, command, "--data", data).assertGood().out());
      }
    }
    List<String> after = new ArrayList<>(List.of("stats", "-s", address));
    assertThat(at(points.get(0), after).assertGood().out())
        .isEqualTo(at(points.get(0), List.of("stats"), "-s", address).out());
  }

  @Test
  void shouldRefuseWhatChangesAndWhatIsNotKept() {
    start("DATA", data.toString());
    work(new Random(6), 20);
    Cli changing =
        at(2, List.of("ins", "-q", "made", "-v", "1", "--claimant", "me"), "-s", address);
    assertThat(changing.status()).isEqualTo(2);
    assertThat(changing.err()).contains("the past cannot be changed");
    Cli future = at(last() + 1, List.of("stats"), "-s", address);
    assertThat(future.status()).isEqualTo(1);
    assertThat(future.err())
        .contains("the log has not reached record " + (last() + 1))
        .contains("last " + last());
    assertThat(queue.queues(QueueQuery.all())).doesNotContainKey("made");
  }

  @Test
  void shouldSayWhichSettingKeepsMore() {
    start(
        "DATA", data.toString(),
        "HISTORY", "off",
        "DURABILITY", "os",
        "SEGMENT_BYTES", "64KiB",
        "SNAPSHOT_LOG_BYTES", "1MiB");
    until(
        "some is gone",
        () -> {
          for (int i = 0; i < 10; i++) {
            Task task =
                queue
                    .modify(
                        Modification.builder()
                            .insert("inbox", Value.bytes(new byte[90_000]))
                            .build())
                    .orThrow()
                    .inserted()
                    .get(0);
            queue.modify(Modification.delete(task)).orThrow();
          }
          return firstKept() > 2;
        });
    Cli gone = at(2, List.of("stats"), "-s", address);
    assertThat(gone.status()).isNotZero();
    assertThat(gone.err())
        .contains("record 2 is no longer kept; the first that is kept is record ")
        .contains("HISTORY it keeps more");
    at(last(), List.of("stats"), "-s", address).assertGood();
  }

  private long firstKept() {
    try (HistoryDirectory history = HistoryDirectory.open(data, HolePolicy.REFUSE, "test")) {
      return history.first();
    } catch (LogException e) {
      // Something was removed meanwhile.
      return 0;
    }
  }

  @Test
  void shouldNeedADirectory() {
    start();
    Cli none = at(2, List.of("stats"), "-s", address);
    assertThat(none.status()).isNotZero();
    assertThat(none.err()).contains("this server keeps no history: it needs --data");
  }

  @Test
  void shouldNotTakeThePresentForThePast() throws Exception {
    try (EmbeddedEntroQ engine = EmbeddedEntroQ.open(EmbeddedConfig.in(data).build());
        // Of before there were views.
        GrpcServer older =
            GrpcServer.start(engine.gateway(), GrpcServerConfig.on(0), ValidatedService::new)) {
      engine.modify(Modification.insert("inbox", "x")).orThrow();
      Cli refused = at(2, List.of("stats"), "-s", "127.0.0.1:" + older.port());
      assertThat(refused.status()).isNotZero();
      assertThat(refused.err()).contains("showed the present: upgrade the server");
    }
  }

  @Test
  void shouldServeClientsAsOfAPoint() {
    start("DATA", data.toString());
    queue.modify(Modification.insert("inbox", "first")).orThrow();
    long then = last();
    queue.modify(Modification.insert("inbox", "second")).orThrow();
    queue.modify(Modification.insert("other", "third")).orThrow();
    try (EntroQClient past = EntroQClient.connect(ClientConfig.to(address).asOf(then).build())) {
      assertThat(past.queues(QueueQuery.all())).isEqualTo(Map.of("inbox", 1L));
      assertThat(past.tasks(TaskQuery.in("inbox"))).hasSize(1);
      List<String> values = new ArrayList<>();
      past.forEachTask(TaskQuery.in("inbox"), task -> values.add(task.value().asText()));
      assertThat(values).containsExactly("first");
      assertThat(past.time()).isBefore(queue.time().plusMillis(1));
      for (ThrowingCallable change :
          List.<ThrowingCallable>of(
              () -> past.modify(Modification.insert("inbox", "x")).orThrow(),
              () -> past.tryClaim(Claim.from("inbox")),
              () -> past.claim(Claim.from("inbox")),
              () -> past.claimDocs(DocClaim.of("letters", "k")))) {
        assertThatThrownBy(change)
            .isInstanceOf(EntroQException.PermissionDenied.class)
            .hasMessageContaining("as it was at " + then);
      }
      assertThat(Feed.of(past).range().last()).isEqualTo(last());
    }
    Instant time = Instant.parse("2001-01-01T00:00:00Z");
    try (EntroQClient past = EntroQClient.connect(ClientConfig.to(address).asOf(time).build())) {
      assertThatThrownBy(past::time)
          .isInstanceOfSatisfying(
              EntroQException.OutOfRange.class, e -> assertThat(e.first()).isEqualTo(1));
    }
    assertThatThrownBy(() -> ClientConfig.to(address).asOf(0))
        .isInstanceOf(EntroQException.InvalidArgument.class);
  }
}
