package io.entroq.server.importing;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.Policies;
import io.entroq.api.Policies.Target;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.state.Levels;
import io.entroq.server.cli.Cli;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.testing.OldLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The import of policies, limiters, pauses and attributes. */
class ImportPoliciesTest {
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private Path temporary;

  private EmbeddedEntroQ source;
  private EmbeddedEntroQ target;
  private GrpcServer sourceServer;
  private GrpcServer targetServer;

  @BeforeEach
  void start() throws IOException {
    source = EmbeddedEntroQ.inMemory();
    target = EmbeddedEntroQ.inMemory();
    sourceServer = GrpcServer.start(source.gateway(), GrpcServerConfig.on(0));
    targetServer = GrpcServer.start(target.gateway(), GrpcServerConfig.on(0));
  }

  @AfterEach
  void stop() {
    sourceServer.close();
    targetServer.close();
    source.close();
    target.close();
  }

  private Cli run(Object... args) {
    List<Object> words =
        new ArrayList<>(
            List.of(
                "import",
                "--from",
                "localhost:" + sourceServer.port(),
                "-s",
                "localhost:" + targetServer.port(),
                "--no-progress",
                "--patience",
                "2s"));
    words.addAll(List.of(args));
    return Cli.run(words.toArray());
  }

  private static void insert(EntroQ queue, Insert... inserts) {
    queue.modify(Modification.insert(inserts)).orThrow();
  }

  private static Map<Target, Policies.Rules> rules(EntroQ queue) {
    Map<Target, Policies.Rules> rules = new HashMap<>();
    queue
        .policies()
        .list(Policies.Query.all())
        .forEach(entry -> entry.rules().ifPresent(each -> rules.put(entry.target(), each)));
    return rules;
  }

  private static Task task(EntroQ queue, String id) {
    return queue.tasks(TaskQuery.withIds(List.of(TaskId.of(id)))).get(0);
  }

  private static Instant end(EntroQ queue, Target target) {
    return queue.policies().get(target).orElseThrow().pausedUntil().orElseThrow();
  }

  /** Tasks that their own policies would refuse, drop, fan out or expire if they came now. */
  private void fill() {
    insert(
        source,
        Insert.into("full").withId("full 1"),
        Insert.into("full").withId("full 2"),
        Insert.into("full").withId("full 3"),
        Insert.into("dropping").withId("dropping 1"),
        Insert.into("dropping").withId("dropping 2"),
        Insert.into("topic").withId("from before"),
        Insert.into("inbox/a").withId("lasting"),
        Insert.into("inbox/a").withId("soon").expiresIn(HOUR).withTrace("00-af"));
    source.policies().put(QueuePolicy.of("full").maxTasks(1).rate(1, Duration.ofDays(1)));
    source
        .policies()
        .put(QueuePolicy.of("dropping").maxTasks(1).overflow(QueuePolicy.Overflow.DROP_OLDEST));
    source.policies().put(QueuePolicy.of("topic").groups("g", "h"));
    source.policies().put(QueuePolicy.of("topic/g").inFlight(1).rememberIds(HOUR));
    source.policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    source
        .policies()
        .put(
            QueuePolicy.prefix("inbox/")
                .timeToLive(Duration.ofMillis(1))
                .limiters("api")
                .retry(Duration.ofSeconds(1), HOUR));
    source.policies().put(Limiter.of("api").inFlight(2));
    source.policies().pause(Target.queue("full"));
    source.policies().pause(Target.limiter("api"), HOUR);
    source.policies().pause(Target.prefix("unruled"), HOUR);
    insert(source, Insert.into("topic").withId("message").withValue("v"));
  }

  @Test
  void shouldCopyPoliciesAfterTheTasksThatTheyWouldNotLetIn() {
    fill();
    assertThat(run().assertGood().out())
        .contains("Copied 10 tasks and 0 docs.\n")
        .contains("Copied 7 policies and limiters and 3 pauses.\n")
        .contains("Source and target are equal: 10 tasks in 6 queues");
    assertThat(rules(target)).hasSize(7).isEqualTo(rules(source));
    assertThat(target.queues(QueueQuery.all())).isEqualTo(source.queues(QueueQuery.all()));
    assertThat(end(target, Target.queue("full"))).isEqualTo(Instant.MAX);
    for (Target paused : List.of(Target.limiter("api"), Target.prefix("unruled"))) {
      assertThat(end(target, paused))
          .isBetween(end(source, paused).minusSeconds(60), end(source, paused).plusSeconds(60));
    }
    assertThat(task(target, "lasting").expires()).isEmpty();
    assertThat(task(target, "soon").trace()).isEqualTo("00-af");
    assertThat(task(target, "soon").expires().orElseThrow())
        .isBetween(Instant.now().plusSeconds(3_000), Instant.now().plusSeconds(3_700));
    assertThat(target.tasks(TaskQuery.in("topic/g")))
        .singleElement()
        .satisfies(copy -> assertThat(copy.value()).isEqualTo(task(target, copy.id()).value()));
    assertThat(run("--verify-only").assertGood().out()).contains("are equal");
    assertThat(run().assertGood().out())
        .contains("Copied 0 tasks", "Copied 0 policies and limiters and 0 pauses.\n");
  }

  private static Task task(EntroQ queue, TaskId id) {
    return queue.tasks(TaskQuery.withIds(List.of(id))).get(0);
  }

  @Test
  void shouldNotFanOutARepeatedMessageAgain() {
    fill();
    run().assertGood();
    assertThat(
            target
                .modify(Modification.insert(Insert.into("topic").withId("message").withValue("v")))
                .isCommitted())
        .isFalse();
    assertThat(target.queues(QueueQuery.named("topic/h"))).containsEntry("topic/h", 1L);
  }

  @Test
  void shouldCopyNothingIfAPolicyDiffers() {
    source.policies().put(QueuePolicy.of("q").inFlight(3));
    source.policies().put(Limiter.of("api").inFlight(1));
    insert(source, Insert.into("q").withId("x"));
    target.policies().put(QueuePolicy.of("q").inFlight(2).attempts(5));
    target.policies().pause(Target.limiter("api"), HOUR);
    Cli said = run();
    said.assertFailed(
        "nothing was copied: the target differs from the source in 1 policy or limiter; see",
        "choose --replace-policies or --no-policies");
    assertThat(said.out()).contains("queue q: changed: in-flight 2 -> 3, attempts 5 removed\n");
    assertThat(target.queues(QueueQuery.all())).isEmpty();

    assertThat(run("--no-policies").assertGood().out()).doesNotContain("policies");
    Cli compared = run("--verify-only");
    compared.assertFailed("differ in 2 of their policies and limiters, and in 0 of their queues");
    assertThat(compared.out()).contains("limiter api: new: in-flight 1\n");
    run("--replace-policies").assertGood();
    assertThat(rules(target)).isEqualTo(rules(source));
    assertThat(end(target, Target.limiter("api"))).isAfter(Instant.now());
  }

  @Test
  void shouldListPoliciesItWouldCopy() {
    source.policies().put(QueuePolicy.of("q").inFlight(3).limiters("a", "b"));
    source.policies().put(Limiter.of("a").rate(2, Duration.ofSeconds(1)));
    source.policies().pause(Target.limiter("a"));
    assertThat(run("--dry-run").assertGood().out().lines())
        .contains(
            "queue q: in-flight 3, limiters a+b", "limiter a: rate 2/1s, paused until resumed")
        .last()
        .asString()
        .contains("0 docs in 0 namespaces and 2 policies, limiters and pauses from localhost:");
    assertThat(run("--dry-run", "--no-policies").assertGood().out())
        .doesNotContain("limiter", "policies");
    assertThat(target.policies().list(Policies.Query.all())).isEmpty();
  }

  @Test
  void shouldNotFanOutWhatTheSourceHasInATopicOfTheTarget() {
    fill();
    target.policies().put(QueuePolicy.of("topic").groups("g", "h"));
    run()
        .assertFailed(
            "queue topic has tasks at the source, but it is a topic at the target",
            "remove its policy at the target");
    assertThat(target.queues(QueueQuery.startingWith("topic"))).isEmpty();
    target.policies().delete(Target.queue("topic"));
    run().assertGood();
  }

  @Test
  void shouldKeepTasksThatAPolicyOfTheTargetWouldLetExpire() {
    insert(
        source,
        Insert.into("q").withId("lasting"),
        Insert.into("q").withId("soon").expiresIn(HOUR));
    target.policies().put(QueuePolicy.of("q").timeToLive(Duration.ofMillis(1)));
    run().assertGood();
    assertThat(task(target, "lasting").expires()).isEmpty();
    assertThat(task(target, "soon").expires()).isPresent();
  }

  @Test
  void shouldRefuseIdsThatTheTargetRemembers() {
    insert(source, Insert.into("q").withId("done"), Insert.into("q").withId("new"));
    target.policies().put(QueuePolicy.of("q").rememberIds(HOUR));
    insert(target, Insert.into("q").withId("done"));
    target.modify(Modification.delete(target.tryClaim(Claim.from("q")).orElseThrow())).orThrow();
    Cli said = run();
    said.assertFailed("differ in 1 of");
    assertThat(said.out())
        .contains("Copied 1 task and 0 docs; 1 were refused by the target.\n")
        .contains("task done of queue q: the target remembers its id");
  }

  @Test
  void shouldNameTheDifferencesOfAttributes() {
    insert(
        source,
        Insert.into("q").withId("a").expiresIn(HOUR),
        Insert.into("q").withId("b").withTrace("x"));
    insert(target, Insert.into("q").withId("a"), Insert.into("q").withId("b").withTrace("y"));
    Cli said = run("--verify-only");
    said.assertFailed("differ in 1 of");
    assertThat(said.out())
        .contains(
            "task a expires at " + task(source, "a").expires().orElseThrow() + ", there never")
        .contains("task b has another trace there");
  }

  @Test
  void shouldCopyManyPolicies() {
    Modification.Builder puts = Modification.builder();
    for (int i = 0; i < 1_100; i++) {
      puts.write(new Policies.Put(QueuePolicy.of("q" + i).inFlight(1 + i), Optional.empty()));
    }
    source.modify(puts.build()).orThrow();
    assertThat(run().assertGood().out()).contains("Copied 1,100 policies and limiters");
    assertThat(rules(target)).isEqualTo(rules(source));
  }

  @Test
  void shouldNotCopyPoliciesWhereThereCannotBeAny() {
    source.policies().put(QueuePolicy.of("q").inFlight(3));
    insert(source, Insert.into("q").withId("plain"));
    Path old = temporary.resolve("old");
    OldLog.begin(old, 7);
    Object[] words = {"--from", "localhost:" + sourceServer.port(), "--no-progress"};
    Cli.on(old, "import", words)
        .assertFailed(
            "the source has 1 policy, limiter or pause, but the target",
            "raise its behavior level");
    assertThat(
            Cli.run(
                    Stream.concat(
                            Stream.of("import", "--data", old, "--no-policies"), Stream.of(words))
                        .toArray())
                .assertGood()
                .out())
        .contains("Copied 1 task");
  }

  @Test
  void shouldCopyNothingIfTheTargetHasNoPoolsYet() {
    source.policies().put(QueuePolicy.of("inbox").pool(QueuePolicy.Fairness.ROUND_ROBIN));
    insert(source, Insert.into("q").withId("plain"));
    Path old = temporary.resolve("old");
    OldLog.begin(old, Levels.POLICIES);
    Object[] words = {"--from", "localhost:" + sourceServer.port(), "--no-progress"};
    Cli.on(old, "import", words)
        .assertFailed(
            "the source has pools or topics among its policies, but the target",
            "cannot have these: raise its behavior level (entroq level --help), or leave all"
                + " policies out with --no-policies");
    try (EmbeddedEntroQ queue = EmbeddedEntroQ.open(old)) {
      assertThat(queue.queues(QueueQuery.all())).isEmpty();
      queue.raiseLevel(Levels.POOLS);
    }
    assertThat(Cli.on(old, "import", words).assertGood().out())
        .contains("Copied 1 task", "Copied 1 policy or limiter and 0 pauses.\n");
  }

  @Test
  void shouldNotCombineContradictions() {
    run("--no-policies", "--replace-policies").assertMisused("--replace-policies cannot be");
    run("--dry-run", "--replace-policies").assertMisused("--replace-policies cannot be");
  }
}
