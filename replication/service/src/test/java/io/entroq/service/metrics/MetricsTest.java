package io.entroq.service.metrics;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedQuery;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.ViewStats;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.collector.CollectorStats;
import io.entroq.service.insight.Insight;
import io.entroq.service.insight.InsightConfig;
import io.entroq.service.insight.ServerFigures;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.ClampedLeases;
import io.entroq.service.queue.QueueService;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The page of numbers over an engine in memory. */
class MetricsTest {
  private static final CallContext CONTEXT = CallContext.of("grpc");

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.open(EmbeddedConfig.inMemory().build());
  private final BlockedClaims blocked = new BlockedClaims();
  private final Metrics metrics = new Metrics(new MetricsConfig(2, Duration.ZERO), queue.gateway());
  private final Service service =
      metrics.measure(new QueueService(Facade.V1, queue.gateway(), blocked, 1 << 20));

  MetricsTest() {
    metrics.engine(queue::stats);
    metrics.level(queue::level);
    metrics.waitingClaims(blocked::count);
    metrics.floodingConnections(() -> 0);
    metrics.clampedLeases(new ClampedLeases());
    metrics.feed(queue.feed()::stats);
    metrics.views(() -> new ViewStats(2, 5, 1));
    metrics.collector(() -> new CollectorStats(1, 2, 3, 4, 5));
  }

  @AfterEach
  void close() {
    metrics.close();
    queue.close();
  }

  private Insight startInsight() {
    Insight insight =
        Insight.start(
            queue.gateway(),
            queue.feed(),
            () -> ServerFigures.NONE,
            new InsightConfig(100_000, 100));
    metrics.insight(insight);
    return insight;
  }

  @Test
  void shouldReportTheLargestQueuesAndTheSumOfTheRest() throws Exception {
    insert("/a/b/c/d", 4);
    insert("small", 1);
    insert("x/\"y\"\\z", 3);
    insert("tiny", 1);
    queue.tryClaim(Claim.from("/a/b/c/d"));
    String page = page();
    assertThat(page)
        .contains(
            "entroq_queue_size{l1=\"/a\",l2=\"/a/b\",l3=\"/a/b/c\",queue=\"/a/b/c/d\",type=\"total\"}"
                + " 4.0")
        .contains(
            "entroq_queue_size{l1=\"/a\",l2=\"/a/b\",l3=\"/a/b/c\",queue=\"/a/b/c/d\",type=\"claimed\"}"
                + " 1.0")
        .contains(
            "entroq_queue_size{l1=\"/a\",l2=\"/a/b\",l3=\"/a/b/c\",queue=\"/a/b/c/d\",type=\"available\"}"
                + " 3.0")
        .contains(
            "entroq_queue_size{l1=\"/a\",l2=\"/a/b\",l3=\"/a/b/c\",queue=\"/a/b/c/d\",type=\"maxClaims\"}"
                + " 1.0")
        .contains("queue=\"x/\\\"y\\\"\\\\z\",type=\"total\"} 3.0")
        .contains("queue=\"(other queues)\",type=\"total\"} 2.0")
        .contains("entroq_queues 4.0\n")
        .contains("entroq_tasks 9.0\n")
        .doesNotContain("tiny")
        .doesNotContain("small");
  }

  @Test
  void shouldReportWhatTheRulesOfQueuesDo() throws Exception {
    limitAndFail("ruled");
    String labels = "{l1=\"/ruled\",l2=\"\",l3=\"\",queue=\"ruled\"";
    assertThat(page())
        .contains("entroq_queue_dead_total" + labels + "} 1.0")
        .contains("entroq_queue_lapsed_total" + labels + "} 1.0")
        .contains("entroq_queue_paused" + labels + ",until=\"time\"} 1.0")
        .contains("entroq_queue_next_start_seconds" + labels + "} ")
        .contains("entroq_queue_size" + labels + ",type=\"inFlight\"} 1.0")
        .contains("entroq_queue_size" + labels + ",type=\"available\"} 1.0")
        .contains("entroq_queue_size" + labels + ",type=\"claimable\"} 0.0");
    queue.pause("ruled");
    assertThat(page())
        .contains("entroq_queue_paused" + labels + ",until=\"resumed\"} 1.0")
        .doesNotContain("until=\"time\"");
    assertThat(metrics.pageWithoutQueues().toCompletableFuture().get(30, TimeUnit.SECONDS))
        .contains("entroq_queues ")
        .doesNotContain("ruled");
  }

  /** One task is dead, one is in flight after a lapse, and one waits for breaker and rate. */
  private void limitAndFail(String name) throws Exception {
    queue
        .policies()
        .put(
            QueuePolicy.of(name)
                .attempts(1)
                .breaker(1, Duration.ofHours(1))
                .rate(3, Duration.ofHours(1))
                .burst(3));
    insert(name, 3);
    Task failing = queue.tryClaim(Claim.from(name)).orElseThrow();
    assertThat(queue.tryClaim(Claim.from(name).withLease(Duration.ofMillis(1)))).isPresent();
    until(
        "the lease has ended",
        () -> queue.queueStats(QueueQuery.named(name)).get(name).available() == 2);
    assertThat(queue.tryClaim(Claim.from(name))).isPresent();
    queue.modify(Modification.fail(failing, "broken")).orThrow();
  }

  @Test
  void shouldCountWhatHappensToTheBusiestQueuesAndAddUpTheRest() throws Exception {
    try (Insight insight = startInsight()) {
      compareEvents(insight);
    }
  }

  private void compareEvents(Insight insight) throws Exception {
    until(
        "events are counted",
        () -> {
          insert("jobs/a", 1);
          return insight.totals(0, Set.of("jobs/a")).containsKey("jobs/a");
        });
    assertThat(page()).contains("entroq_queue_events_total");
    insert("jobs/a", 5);
    insert("jobs/b", 4);
    insert("jobs/c", 1);
    insert("jobs/err", 2);
    queue.tryClaim(Claim.from("jobs/a"));
    until("all is counted", () -> insight.totals(0, Set.of("jobs/a")).get("jobs/a")[1] == 1);
    String page = page();
    String labels = "{kind=\"claimed\",l1=\"/jobs\",l2=\"/jobs/a\",l3=\"\",queue=\"jobs/a\"}";
    assertThat(page)
        .contains("entroq_queue_events_total" + labels + " 1.0")
        .contains("entroq_queue_events_total{kind=\"claimed\",l1=\"/(other queues)\"")
        .contains("queue=\"jobs/err\"} 2.0");
    assertThat(
            page.lines()
                .filter(line -> line.startsWith("entroq_queue_events_total{kind=\"inserted\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))))
        .as("nothing is counted twice")
        .satisfies(
            counts -> {
              assertThat(counts).hasSizeLessThanOrEqualTo(3);
              assertThat(counts.stream().mapToDouble(count -> count).sum())
                  .isEqualTo(insight.totals(0, Set.of()).get("")[0]);
            });
    assertThat(metrics.pageWithoutQueues().toCompletableFuture().get(30, TimeUnit.SECONDS))
        .doesNotContain("jobs");
  }

  @Test
  void shouldNeverLetACounterOfEventsFall() throws Exception {
    try (Insight insight = startInsight()) {
      until(
          "events are counted",
          () -> {
            insert("/s/sess=1/q", 1);
            return insight.totals(0, Set.of()).get("")[0] > 0;
          });
      Map<String, Double> before = new HashMap<>();
      for (int i = 0; i < 30; i++) {
        insert(i % 3 == 0 ? "/s/sess=" + i + "/q" : "q" + i / 4, 1 + i % 5);
        Map<String, Double> now = insertions(page());
        before.forEach((name, count) -> assertThat(now.get(name)).isGreaterThanOrEqualTo(count));
        before = now;
      }
      assertThat(before).hasSize(3).containsKeys("/s/*/q", "(other queues)");
    }
  }

  private static Map<String, Double> insertions(String page) {
    return page.lines()
        .filter(line -> line.startsWith("entroq_queue_events_total{kind=\"inserted\""))
        .collect(
            Collectors.toMap(
                line -> line.replaceAll(".*queue=\"(.*)\"}.*", "$1"),
                line -> Double.parseDouble(line.substring(line.lastIndexOf(' ')))));
  }

  @Test
  void shouldAddAQueueNamedLikeTheRestToTheRest() throws Exception {
    insert("(other queues)", 5);
    assertThat(page()).contains("queue=\"(other queues)\",type=\"total\"} 5.0");
    insert("a", 4);
    insert("b", 3);
    insert("c", 2);
    assertThat(page())
        .contains("queue=\"a\",type=\"total\"} 4.0")
        .contains("queue=\"b\",type=\"total\"} 3.0")
        .containsOnlyOnce("queue=\"(other queues)\",type=\"total\"}")
        .contains("queue=\"(other queues)\",type=\"total\"} 7.0")
        .contains("entroq_queues 4.0\n");
  }

  @Test
  void shouldFoldSessionsInNamesOfQueues() throws Exception {
    insert("/a/user=x;sess=1/b", 1);
    insert("/a/sess=2/b", 2);
    insert("/a/*/b", 4);
    insert("/a/session=2/b", 1);
    assertThat(page())
        .contains(
            "entroq_queue_size{l1=\"/a\",l2=\"/a/*\",l3=\"/a/*/b\",queue=\"/a/*/b\",type=\"total\"}"
                + " 7.0\n")
        .contains("queue=\"/a/session=2/b\",type=\"total\"} 1.0\n")
        .contains("entroq_queues 4.0\n")
        .doesNotContain("sess=", "(other queues)");
    insert("large", 9);
    insert("larger", 10);
    assertThat(page())
        .doesNotContain("/a/*/b")
        .contains("queue=\"(other queues)\",type=\"total\"} 8.0\n");
  }

  @Test
  void shouldReportTheLargestNamespaces() throws Exception {
    ModifyRequest.Builder inserts = ModifyRequest.newBuilder().setClaimantId("c");
    for (String key : List.of("k1", "k2", "k3")) {
      inserts.addDocInserts(DocData.newBuilder().setNamespace("/x/y").setKey(key));
      inserts.addDocInserts(DocData.newBuilder().setNamespace("/s/sess=" + key).setKey(key));
    }
    inserts.addDocInserts(DocData.newBuilder().setNamespace("small").setKey("k"));
    modify(inserts);
    Heard<ClaimDocsResponse> claimed = new Heard<>();
    service.handle(
        Method.CLAIM_DOCS,
        CONTEXT,
        ClaimDocsRequest.newBuilder()
            .setClaimQuery(
                DocClaim.newBuilder()
                    .setClaimant("c")
                    .setNamespace("/x/y")
                    .setKey("k1")
                    .setDurationMs(60_000))
            .build(),
        claimed);
    claimed.await();
    String of = "entroq_namespace_size{l1=\"/x\",l2=\"/x/y\",l3=\"\",namespace=\"/x/y\",type=";
    assertThat(page())
        .contains(of + "\"total\"} 3.0\n", of + "\"claimed\"} 1.0\n", of + "\"available\"} 2.0\n")
        .contains("namespace=\"/s/*\",type=\"total\"} 3.0\n")
        .contains("namespace=\"(other namespaces)\",type=\"total\"} 1.0\n")
        .doesNotContain("small");
    assertThat(metrics.pageWithoutQueues().toCompletableFuture().get(30, TimeUnit.SECONDS))
        .doesNotContain("namespace=");
  }

  @Test
  void shouldCountRequestsByStatus() throws Exception {
    Heard<ModifyResponse> inserted = new Heard<>();
    service.handle(
        Method.MODIFY,
        CONTEXT,
        ModifyRequest.newBuilder()
            .addInserts(io.entroq.codec.wire.edge.TaskData.newBuilder().setQueue("q"))
            .build(),
        inserted);
    inserted.await();
    Heard<ClaimResponse> claimed = new Heard<>();
    service.handle(Method.TRY_CLAIM, CONTEXT, claim("q"), claimed);
    claimed.await();
    Heard<ClaimResponse> wrong = new Heard<>();
    service.handle(Method.TRY_CLAIM, CONTEXT, claim(), wrong);
    wrong.await();
    Call waiting = service.handle(Method.CLAIM, CONTEXT, claim("none"), new Heard<>());
    assertThat(page()).contains("entroq_waiting_claims 1.0\n");
    waiting.cancel();
    waiting.cancel();
    Heard<TasksResponse> listed = new Heard<>();
    service.handle(
        Method.STREAM_TASKS, CONTEXT, TasksRequest.newBuilder().setQueue("q").build(), listed);
    listed.await();

    assertThat(page())
        .contains(requests("Modify", "OK"))
        .contains(requests("TryClaim", "OK"))
        .contains(requests("TryClaim", "INVALID_ARGUMENT"))
        .contains(requests("Claim", "CANCELLED"))
        .contains(requests("StreamTasks", "OK"))
        .contains("entroq_claim_duration_seconds_count 2\n")
        .contains("entroq_modify_duration_seconds_count 1\n")
        .contains("entroq_modify_duration_seconds_bucket{le=\"1.0E-4\"}")
        .contains("entroq_modify_duration_seconds_bucket{le=\"0.0025\"}")
        .contains("entroq_modify_duration_seconds_bucket{le=\"300.0\"}")
        .contains("entroq_waiting_claims 0.0\n");
  }

  @Test
  void shouldReportTheFeed() throws Exception {
    try (FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().build())) {
      // The feed begins between two commands.
      while (feed.next(Duration.ofMillis(10)).isEmpty()) {
        insert("q", 1);
      }
      assertThat(page())
          .contains("entroq_feed_readers 1.0\n", "entroq_feed_replays 0.0\n")
          .containsPattern("entroq_feed_effects_total [1-9]")
          .containsPattern("entroq_feed_first_sequence [1-9]")
          .containsPattern("entroq_feed_last_sequence [1-9]");
    }
  }

  @Test
  void shouldCountViews() throws Exception {
    assertThat(page())
        .contains(
            "entroq_views_open 2.0\n",
            "entroq_views_opened_total 5.0\n",
            "entroq_views_refused_total 1.0\n");
  }

  /** The table in the README, the page, the dashboard and the alerts speak of the same names. */
  @Test
  void shouldReportAllDocumentedMetrics() throws Exception {
    Insight insight = startInsight();
    insert("q", 1);
    modify(
        ModifyRequest.newBuilder()
            .addDocInserts(DocData.newBuilder().setNamespace("n").setKey("k")));
    service.handle(Method.TRY_CLAIM, CONTEXT, claim(), new Heard<>());
    limitAndFail("ruled");
    insert("jobs/err", 1);
    Set<String> reported = reported(page());
    Set<String> ours =
        reported.stream()
            .filter(name -> name.startsWith("entroq_"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(inTable("README.md")).isEqualTo(ours);
    for (String file : List.of("alerts.yml", "dashboard.json")) {
      Set<String> used = used(file);
      // MemberMetricsTest looks at these.
      used.removeIf(name -> name.startsWith("entroq_member_"));
      assertThat(used).isNotEmpty();
      assertThat(used)
          .as(file)
          .allMatch(
              name ->
                  reported.contains(name)
                      || reported.contains(name.replaceAll("_(bucket|count|sum)$", "")));
    }
    insight.close();
  }

  /** The metric names in a file for other programs. */
  static Set<String> used(String file) throws IOException {
    return names(
        Path.of("../server/deploy/observability", file),
        "\\b((?:entroq|jvm|process|system)_[a-z_]+)(?=[{\\[) ])");
  }

  /** The names that a table for people tells of. */
  static Set<String> inTable(String file) throws IOException {
    return names(Path.of("../server/deploy/observability", file), "^\\| `(entroq_[a-z_]+)`");
  }

  /** The names of the numbers on a page. */
  static Set<String> reported(String page) {
    Set<String> reported = new TreeSet<>();
    for (String line : page.split("\n", -1)) {
      if (line.startsWith("# TYPE ")) {
        reported.add(line.split(" ", -1)[2]);
      }
    }
    return reported;
  }

  private static Set<String> names(Path file, String pattern) throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher matcher = Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(file));
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  @Test
  void shouldCountWhatWasCollectedAndWhatCannotBe() throws Exception {
    assertThat(page())
        .contains("entroq_gc_deleted_total 1.0\n")
        .contains("entroq_gc_errors_total{kind=\"malformed\"} 2.0\n")
        .contains("entroq_gc_errors_total{kind=\"sweep\"} 3.0\n")
        .contains("entroq_gc_sweep_duration_seconds_count 4\n");
  }

  @Test
  void shouldKeepAReferenceToStatistics() throws Exception {
    System.gc();
    assertThat(page()).contains("entroq_tasks 0.0\n").contains("entroq_disk_usable_bytes +Inf\n");
  }

  @Test
  void shouldRenderThePageWhenTheEngineDoesNotRespond() throws Exception {
    insert("q", 1);
    assertThat(page()).contains("entroq_queues 1.0\n");
    queue.close();
    assertThat(page()).contains("entroq_queues 1.0\n");
    double age = queuesAge();
    assertThat(queuesAge()).as("the reported age grows").isGreaterThan(age);
  }

  private double queuesAge() throws Exception {
    Matcher matcher = Pattern.compile("(?m)^entroq_queues_age_seconds (.*)$").matcher(page());
    assertThat(matcher.find()).isTrue();
    return Double.parseDouble(matcher.group(1));
  }

  private static String requests(String method, String code) {
    return "entroq_requests_total{api=\"v1\",code=\"%s\",method=\"%s\",transport=\"grpc\"} 1.0\n"
        .formatted(code, method);
  }

  private static ClaimRequest claim(String... queues) {
    return ClaimRequest.newBuilder().setDurationMs(1_000).addAllQueues(List.of(queues)).build();
  }

  private void modify(ModifyRequest.Builder request) throws Exception {
    Heard<ModifyResponse> done = new Heard<>();
    service.handle(Method.MODIFY, CONTEXT, request.build(), done);
    done.await();
  }

  private void insert(String name, int count) {
    Modification.Builder modification = Modification.builder();
    for (int i = 0; i < count; i++) {
      modification.insert(Insert.into(name));
    }
    queue.modify(modification.build());
  }

  private String page() throws Exception {
    return metrics.page().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  /** Waits for the end of a request. */
  private static final class Heard<S> implements Reply<S> {
    private final CompletableFuture<Object> end = new CompletableFuture<>();

    void await() throws Exception {
      end.get(30, TimeUnit.SECONDS);
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void position(long position) {
      // Not looked at.
    }

    @Override
    public void send(S response) {
      if (!(response instanceof TasksResponse)) {
        end.complete(response);
      }
    }

    @Override
    public void complete() {
      end.complete(this);
    }

    @Override
    public void fail(Refusal refusal) {
      end.complete(refusal);
    }
  }
}
