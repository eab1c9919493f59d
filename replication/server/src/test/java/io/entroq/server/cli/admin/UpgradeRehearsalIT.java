package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.entroq.api.Claim;
import io.entroq.api.DocInsert;
import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Limiter;
import io.entroq.api.Modification;
import io.entroq.api.QueuePolicy;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberAccess;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.codec.wire.published.v1.ModifyRequest;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.TestLevel;
import io.entroq.server.cli.Cli;
import io.entroq.server.cli.ClusterProcess;
import io.entroq.server.cli.RulesScene;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import io.entroq.service.testing.OldLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The runbook for a newer build: members with the data of an older build are restarted one by one,
 * under load, and then their behavior level is raised.
 */
@Timeout(300)
class UpgradeRehearsalIT {
  private static final int OLD = Levels.MAX;
  private static final int NEW = TestLevel.LEVEL;

  private static final int WORKERS = 3;
  private static final int OLD_TASKS = 5;

  /** The number of tasks between two steps. */
  private static final int TASKS = 20;

  @TempDir private Path directory;
  private final TestLevel supported = TestLevel.support();

  @AfterEach
  void supportNoMore() {
    supported.close();
  }

  @Test
  void shouldUpgradeAMember() throws Exception {
    rehearse(1);
  }

  @Test
  @Tag("long")
  void shouldUpgradeACluster() throws Exception {
    rehearse(3);
  }

  private void rehearse(int count) throws Exception {
    seed(id -> directory.resolve("member-" + id), count, OLD);
    try (ServedCluster cluster = new ServedCluster(directory, count);
        Work work = new Work(cluster.addresses())) {
      String all = cluster.addresses();
      awaitAll(all);
      work.goOn();
      check(all);
      for (int id : leaderLast(all, count)) {
        if (count > 1 && id != leader(all)) {
          refuseWithout(cluster, id);
        } else {
          cluster.restart(id);
        }
        awaitAll(all);
        work.goOn();
      }
      raise(all, work);
      for (int id : leaderLast(all, count)) {
        cluster.restart(id);
        awaitAll(all);
      }
      work.goOn();
      work.end();
      assertAgreed(all);
    }
  }

  /**
   * Members at the level before policies, raised as the runbook says. Each level's snapshot is read
   * by the restarts after it: whole ones, and at last references.
   */
  @Test
  void shouldHavePoliciesAndThenPoolsAsTheirLevelsAreReached() throws Exception {
    supported.close();
    raiseFromLevelBeforePolicies(1, Levels.POLICIES, Levels.POOLS, Levels.IMAGES, Levels.TAKE_BACK);
  }

  @Test
  void shouldHavePoolsAtOnceIfTheirLevelIsReached() throws Exception {
    supported.close();
    raiseFromLevelBeforePolicies(1, Levels.TAKE_BACK);
  }

  @Test
  @Tag("long")
  void shouldHavePoliciesAndThenPoolsInACluster() throws Exception {
    supported.close();
    raiseFromLevelBeforePolicies(3, Levels.POLICIES, Levels.POOLS, Levels.IMAGES, Levels.TAKE_BACK);
  }

  @Test
  @Tag("long")
  void shouldHavePoolsAtOnceInACluster() throws Exception {
    supported.close();
    raiseFromLevelBeforePolicies(3, Levels.TAKE_BACK);
  }

  /** Under load that uses what the level has, as soon as it has it. */
  private void raiseFromLevelBeforePolicies(int count, int... levels) throws Exception {
    int level = Levels.POLICIES - 1;
    seed(id -> directory.resolve("member-" + id), count, level);
    try (ServedCluster cluster = new ServedCluster(directory, count);
        Work work = new Work(cluster.addresses())) {
      String all = cluster.addresses();
      awaitAll(all);
      work.goOn();
      refusePolicies(all, QueuePolicy.of("old").inFlight(1));
      for (int next : levels) {
        Cli asked = answered(2, all, "--raise=" + next);
        assertThat(asked.err()).contains("This cannot be undone", "Add --yes");
        assertThat(answered(0, all, "--raise=" + next, "--yes").out())
            .contains("raised from %d to %d".formatted(level, next));
        // The workers' clients were there before, and go on.
        work.goOn();
        Map<String, Object> seen = useWhatIsNew(all, level, next, work);
        level = next;
        Cli.run("snapshot", "-s", all).assertGood();
        for (int id : leaderLast(all, count)) {
          cluster.restart(id);
          awaitAll(all);
          work.goOn();
        }
        try (EntroQ queue = EntroQClient.connect(all)) {
          assertThat(RulesScene.look(queue, Work.QUEUES)).isEqualTo(seen);
        }
      }
      try (EntroQ queue = EntroQClient.connect(all)) {
        RulesScene.checkPolicies(queue);
        RulesScene.goOn(queue);
      }
      work.end();
      assertAgreed(all);
    }
  }

  private static Map<String, Object> useWhatIsNew(String all, int before, int now, Work work) {
    try (EntroQ queue = EntroQClient.connect(all)) {
      assertThat(queue.hasPolicies()).isTrue();
      if (before < Levels.POLICIES) {
        RulesScene.writePolicies(queue);
        work.usePolicies();
        work.goOn();
      }
      if (now < Levels.POOLS) {
        refusePools(all, queue);
      } else if (before < Levels.POOLS) {
        RulesScene.writePools(queue);
        work.usePools();
        work.goOn();
      }
      takeBack(queue, now >= Levels.TAKE_BACK);
      return RulesScene.look(queue, Work.QUEUES);
    }
  }

  /** From a worker that hangs, as far as the level permits. */
  private static void takeBack(EntroQ queue, boolean isPermitted) {
    queue.modify(Modification.insert("hanging", "a task")).orThrow();
    Task held = queue.tryClaim(Claim.from("hanging").withClaimant("hangs")).orElseThrow();
    if (isPermitted) {
      queue.modify(Modification.takeBack(held)).orThrow();
      queue.modify(Modification.delete(queue.tryClaim(Claim.from("hanging")).orElseThrow()));
    } else {
      assertThatThrownBy(() -> queue.modify(Modification.takeBack(held)))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("CHANGE_TAKE_BACK level 11; raise the level of the log");
      queue.modify(Modification.delete(held).withClaimant("hangs")).orThrow();
    }
    assertThat(queue.tasks(TaskQuery.in("hanging"))).isEmpty();
  }

  /** Nothing changes, and the message says what to do. */
  private static void refusePools(String all, EntroQ queue) {
    String why = "pools and topics level 9";
    for (QueuePolicy policy :
        List.of(
            QueuePolicy.of("pool").pool(QueuePolicy.Fairness.ROUND_ROBIN),
            QueuePolicy.of("topic").groups("g"))) {
      assertThatThrownBy(() -> queue.policies().put(policy))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining(why);
      assertThat(queue.policies().get(policy.target())).isEmpty();
    }
    Cli.run("policy", "set", "-s", all, "--pool", "round-robin", "-q", "pool").assertMisused(why);
    Cli.run("group", "add", "-s", all, "-q", "topic", "g").assertMisused(why);
  }

  /** By the client, by the server to those who do not look first, and on the command line. */
  private static void refusePolicies(String all, QueuePolicy policy) {
    try (EntroQ queue = EntroQClient.connect(all)) {
      assertThat(queue.hasPolicies()).isFalse();
      assertThatThrownBy(() -> queue.policies().put(policy))
          .isInstanceOf(EntroQException.InvalidArgument.class)
          .hasMessageContaining("behavior level 8");
    }
    int port = Integer.parseInt(all.split(":", -1)[1].split(",", -1)[0]);
    try (WireClient client = new WireClient(port)) {
      ModifyRequest.Builder put = ModifyRequest.newBuilder();
      put.addPolicyPutsBuilder().setName("old").setInFlightMax(1);
      assertThatThrownBy(() -> new V1(client).modify(put))
          .hasMessageContaining("INVALID_ARGUMENT")
          .hasMessageContaining("need behavior level 8")
          .hasMessageContaining("raise the level of the log");
    }
    Cli.run("policy", "set", "-s", all, "--in-flight", "1", "-q", "old")
        .assertFailed("behavior level 8");
  }

  @Test
  @Tag("long")
  void shouldUpgradeProcesses() throws Exception {
    // Other processes do not have the test level: they are only restarted.
    supported.close();
    Path data = directory.resolve("cluster");
    seed(id -> data.resolve(Integer.toString(id)), 3, OLD);
    try (ClusterProcess cluster = ClusterProcess.start(data)) {
      cluster.awaitReady();
      String all = addresses(cluster);
      try (Work work = new Work(all)) {
        work.goOn();
        check(all);
        for (int id : leaderLast(all, 3)) {
          // Restart it once it has ended.
          ProcessHandle member = cluster.member(id);
          member.destroy();
          assertThat(member.onExit().get(1, TimeUnit.MINUTES).isAlive()).isFalse();
          awaitAll(all);
          work.goOn();
        }
        assertThat(level(all, "--raise", "--yes").assertGood().out()).contains("already");
        work.end();
      }
      cluster.terminate();
      assertThat(cluster.awaitEnd()).isEqualTo(143);
    }
    try (ClusterProcess cluster = ClusterProcess.start(data)) {
      cluster.awaitReady();
      awaitAll(addresses(cluster));
      assertAgreed(addresses(cluster));
    }
  }

  private static String addresses(ClusterProcess cluster) {
    return IntStream.range(0, 3)
        .mapToObj(id -> "127.0.0.1:" + cluster.port(id))
        .collect(Collectors.joining(","));
  }

  /** Starts all members with the data of an older build. */
  private void seed(IntFunction<Path> member, int count, int level) {
    Path data = directory.resolve("data");
    OldLog.begin(data, level);
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < OLD_TASKS; i++) {
        queue.modify(Modification.insert("old", "task " + i)).orThrow();
      }
    }
    Path backup = directory.resolve("old");
    Cli.run("backup", data, backup).assertGood();
    for (int id = 0; id < count; id++) {
      Cli.run("restore", "--member", backup, member.apply(id)).assertGood();
    }
  }

  /** The steps before the upgrade. */
  private void check(String all) {
    Path backup = directory.resolve("before");
    Cli.run("backup", "-s", all, backup).assertGood();
    assertThat(Cli.run("level", backup).assertGood().out())
        .contains("is at behavior level %d; this build supports".formatted(OLD));
    Cli.run("log", "verify", backup).assertGood();
    until(
        "all say what they support",
        () -> level(all).out().contains("all members support up to " + Levels.highest()));
    assertThat(level(all).assertGood().out()).contains("is at behavior level " + OLD);
    Cli.run("snapshot", "-s", all).assertGood();
  }

  /** The level cannot be raised while a member is away or runs a build that supports less. */
  private void refuseWithout(ServedCluster cluster, int id) {
    cluster.stop(id);
    until(
        "it is missed",
        () -> {
          Cli refused = level(cluster.addresses(), "--raise", "--yes");
          assertThat(refused.status()).isEqualTo(1);
          return refused.err().contains("member " + id + " did not answer");
        });
    List<MemberAddress> addresses =
        Arrays.stream(cluster.members().split(",", -1))
            .map(member -> member.split(":", -1))
            .map(parts -> MemberAddress.of(parts[0], Integer.parseInt(parts[1])))
            .toList();
    MemberConfig.Builder older =
        MemberConfig.of(id, addresses, cluster.data(id)).durability(Durability.OS);
    MemberAccess.setLevels(older, new LevelRange(Levels.MIN, OLD));
    try (ClusterMember member = ClusterMember.start(older.build())) {
      assertThat(member.config().memberId()).isEqualTo(id);
      until(
          "it is heard",
          () -> {
            Cli refused = level(cluster.addresses(), "--raise", "--yes");
            return refused.status() == 1
                && refused.err().contains("member %d supports %d".formatted(id, OLD));
          });
    }
    cluster.start(id, false);
  }

  /** Raises the level without an effect on callers. */
  private static void raise(String all, Work work) {
    Cli asked = answered(2, all, "--raise");
    assertThat(asked.err()).contains("This cannot be undone", "Add --yes");
    assertThat(answered(0, all, "--raise", "--yes").out())
        .isEqualTo("The cluster: behavior level raised from %d to %d.%n".formatted(OLD, NEW));
    until(
        "all are at the new level",
        () ->
            states(all).stream()
                .allMatch(state -> state.path("level").asInt() == Levels.highest()));
    assertThat(level(all, "--raise", "--yes").assertGood().out()).contains("already");
    assertThat(Cli.run("members", "-s", all).assertGood().out())
        .contains("levels %d to %d".formatted(Levels.MIN, NEW));
    work.insertDoc();
    work.goOn();
  }

  private static void assertAgreed(String all) {
    until("all have applied the same", () -> states(all).stream().distinct().count() == 1);
    assertThat(states(all).get(0).get("level").asInt()).isEqualTo(Levels.highest());
    assertThat(Cli.run("qs", "-s", all).assertGood().out())
        .contains("\"old\"", String.valueOf(OLD_TASKS));
  }

  /** Retries, as the runbook says, while a member is too busy to answer in time. */
  private static Cli answered(int status, String all, String... words) {
    AtomicReference<Cli> last = new AtomicReference<>();
    until(
        "all answer",
        () -> {
          last.set(level(all, words));
          return last.get().status() == status || !last.get().err().contains("did not answer");
        });
    assertThat(last.get().status()).as(() -> last.get().err()).isEqualTo(status);
    return last.get();
  }

  private static Cli level(String all, String... words) {
    List<Object> line = new ArrayList<>(List.of("level", "-s", all));
    line.addAll(List.of(words));
    return Cli.run(line.toArray());
  }

  private static int leader(String all) {
    AtomicReference<Cli> members = new AtomicReference<>();
    until(
        "all members answer",
        () -> {
          members.set(Cli.run("members", "--json", "-s", all));
          return members.get().status() == 0;
        });
    return members.get().lines().get(0).get("leader").asInt();
  }

  private static int[] leaderLast(String all, int count) {
    int leader = leader(all);
    return IntStream.rangeClosed(1, count).map(i -> (leader + i) % count).toArray();
  }

  /** Waits for what the runbook says. */
  private static void awaitAll(String all) {
    until(
        "all are with the leader",
        () -> {
          Cli members = Cli.run("members", "--json", "-s", all);
          return members.status() == 0
              && members.lines().stream()
                  .allMatch(
                      line ->
                          line.path("election").asText().equals("CLOSED")
                              && line.path("levelMax").asInt() == Levels.highest()
                              && line.path("lagBytes").asLong() < 1 << 20);
        });
  }

  private static List<JsonNode> states(String all) {
    return Cli.run("members", "--json", "-s", all).lines().stream()
        .map(line -> line.path("state"))
        .toList();
  }

  /** Workers that do one task after the other and must see no error. */
  private static final class Work implements AutoCloseable {
    /** How the names of queues and limiters begin that change. */
    static final String[] QUEUES = {"work", "events"};

    private static final List<String> GROUPS = List.of("events/g", "events/h");

    private final List<EntroQ> clients;
    private final List<CompletableFuture<Void>> workers;
    private final AtomicLong inserted = new AtomicLong();
    private final AtomicLong deleted = new AtomicLong();
    private final AtomicLong events = new AtomicLong();
    private final AtomicLong handled = new AtomicLong();
    private volatile boolean isUsingPolicies;
    private volatile boolean isUsingPools;
    private volatile boolean isOver;

    Work(String addresses) {
      clients =
          IntStream.range(0, WORKERS)
              .<EntroQ>mapToObj(i -> EntroQClient.connect(addresses))
              .toList();
      workers =
          clients.stream()
              .map(client -> CompletableFuture.runAsync(() -> work(client), Work::onThread))
              .toList();
    }

    private static void onThread(Runnable work) {
      Thread thread = new Thread(work, "worker");
      thread.setDaemon(true);
      thread.start();
    }

    private void work(EntroQ queue) {
      while (!isOver) {
        boolean hasPools = isUsingPools;
        boolean isFailing = isUsingPolicies && inserted.get() % 3 == 0;
        Insert task = Insert.into("work").withValue("task");
        Modification.Builder inserts = Modification.builder();
        inserts.insert(hasPools ? task.withKey("key " + inserted.get() % 5) : task);
        if (hasPools) {
          inserts.insert("events", "event");
        }
        queue.modify(inserts.build()).orThrow();
        inserted.incrementAndGet();
        if (isFailing) {
          commit(queue, Modification.fail(claim(queue, "work"), "failed"));
        }
        if (commit(queue, Modification.delete(claim(queue, "work")))) {
          deleted.incrementAndGet();
        }
        if (hasPools) {
          events.incrementAndGet();
          GROUPS.forEach(group -> handle(queue, group));
        }
      }
    }

    private void handle(EntroQ queue, String group) {
      if (commit(queue, Modification.delete(claim(queue, group)))) {
        handled.incrementAndGet();
      }
    }

    private static Task claim(EntroQ queue, String name) {
      return queue.claimAsync(Claim.from(name)).join().get(0);
    }

    private static boolean commit(EntroQ queue, Modification modification) {
      try {
        queue.modify(modification).orThrow();
        return true;
      } catch (EntroQException.Dependency e) {
        // A member ended before the log recorded that the reply was sent: returned once.
        return false;
      }
    }

    /** Limits and counts the tasks, and reports failures. */
    void usePolicies() {
      clients.get(0).policies().put(Limiter.of("work").inFlight(2 * WORKERS));
      clients.get(0).policies().put(policy());
      isUsingPolicies = true;
    }

    private static QueuePolicy policy() {
      return QueuePolicy.of("work")
          .inFlight(2 * WORKERS)
          .limiters("work")
          .retry(QueuePolicy.Retry.constant(Duration.ZERO));
    }

    /** Makes the queue a pool, and sends events to a topic. */
    void usePools() {
      QueuePolicy.Pool pool = QueuePolicy.Pool.of(QueuePolicy.Fairness.LEAST_IN_FLIGHT);
      clients.get(0).policies().put(policy().pool(pool.inFlight(2 * WORKERS)));
      clients.get(0).policies().put(QueuePolicy.of("events").groups("g", "h"));
      isUsingPools = true;
    }

    /** Waits until more tasks are done. */
    void goOn() {
      long enough = deleted.get() + TASKS;
      until(
          "workers go on",
          () -> {
            workers.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .forEach(CompletableFuture::join);
            return deleted.get() >= enough;
          });
    }

    void insertDoc() {
      clients
          .get(0)
          .modify(Modification.builder().insertDoc(DocInsert.into("users", "k")).build())
          .orThrow();
    }

    /** Stops all workers. Every task was done once or still exists. */
    void end() {
      isOver = true;
      // Not by a join alone, which no timeout of a test interrupts.
      until("workers end", () -> workers.stream().allMatch(CompletableFuture::isDone));
      workers.forEach(CompletableFuture::join);
      assertThat(left("work")).isEqualTo(inserted.get() - deleted.get());
      assertThat(left("events")).isEqualTo(GROUPS.size() * events.get() - handled.get());
    }

    private long left(String prefix) {
      Map<String, Long> queues = clients.get(0).queues(QueueQuery.startingWith(prefix));
      return queues.values().stream().mapToLong(size -> size).sum();
    }

    @Override
    public void close() {
      isOver = true;
      clients.forEach(EntroQ::close);
    }
  }
}
