package io.entroq.server.cli.admin;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.client.EntroQClient;
import io.entroq.server.cli.Cli;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A feed that is followed while the leader of a cluster of processes is killed, several times. */
@Tag("long")
@Timeout(600)
class KilledLeadersFeedIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int KILLS = 4;
  private static final int EFFECTS_BETWEEN = 300;
  private static final int QUEUES = 4;
  private static final String WORK = "work/";
  private static final String LAST = "last";

  @TempDir private Path directory;
  private NodeProcesses nodes;
  private final List<Effect> live = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    nodes = new NodeProcesses(directory, List.of("--history=1h"));
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      nodes.start(id, Optional.empty(), "--bootstrap");
    }
    awaitAll();
  }

  @AfterEach
  void stop() {
    nodes.close();
  }

  @Test
  void shouldShowEachEffectOnceAndTheSameFromEachHistory() throws Exception {
    long seed = Long.getLong("test.seed", System.nanoTime());
    System.out.println("feed over killed leaders: -Dtest.seed=" + seed);
    AtomicBoolean isOver = new AtomicBoolean();
    try (EntroQ queue = EntroQClient.connect(nodes.addresses());
        EntroQ reader = EntroQClient.connect(nodes.addresses());
        FeedIterator feed = Feed.of(reader).iterator(FeedQuery.fromNow().withValues().build())) {
      begin(queue, feed);
      CompletableFuture<Void> work =
          CompletableFuture.runAsync(() -> work(queue, new Random(seed), isOver));
      for (int i = 0; i < KILLS; i++) {
        follow(feed, EFFECTS_BETWEEN);
        int leader = members().lines().get(0).get("leader").asInt();
        nodes.kill(leader);
        follow(feed, EFFECTS_BETWEEN);
        nodes.start(leader, Optional.empty());
        awaitAll();
      }
      isOver.set(true);
      work.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      queue.modify(Modification.insert(LAST, "x")).orThrow();
      while (!isOn(live.get(live.size() - 1), LAST)) {
        follow(feed, 1);
      }
      assertThat(feed.next(Duration.ofMillis(100))).isEmpty();

      assertInOrder();
      Map<TaskId, Task> folded = fold(live);
      until("the state is what effects led to", PATIENCE, () -> tasks(queue).equals(folded));
    }
    for (int id = 0; id < NodeProcesses.COUNT; id++) {
      assertThat(history(id)).as("from the history of member " + id).isEqualTo(live);
    }
  }

  /** Inserts until the feed has begun, so that it shows all that follows. */
  private void begin(EntroQ queue, FeedIterator feed) throws InterruptedException {
    while (live.isEmpty()) {
      TaskId id = queue.modify(Modification.insert(WORK + 0, "x")).orThrow().inserted().get(0).id();
      feed.next(Duration.ofMillis(100)).ifPresent(live::add);
      Task task = queue.tasks(TaskQuery.withIds(id)).get(0);
      queue.modify(Modification.delete(task)).orThrow();
    }
  }

  /** Takes the next effects, over however many connections and members. */
  private void follow(FeedIterator feed, int effects) throws InterruptedException {
    for (int i = 0; i < effects; i++) {
      Optional<Effect> next = feed.next(PATIENCE);
      assertThat(next).as(() -> "it goes on; problem: " + feed.problem()).isPresent();
      live.add(next.get());
    }
  }

  // The work meanwhile.

  private static void work(EntroQ queue, Random random, AtomicBoolean isOver) {
    for (int i = 0; !isOver.get(); i++) {
      try {
        workOnce(queue, random, i);
      } catch (EntroQException.Unavailable | EntroQException.OutcomeUnknown e) {
        // No leader for too long: it goes on with something else.
      }
    }
  }

  private static void workOnce(EntroQ queue, Random random, int number) {
    String name = WORK + random.nextInt(QUEUES);
    // Several effects in a step.
    Modification.Builder inserts = Modification.builder();
    for (int i = 0; i <= random.nextInt(3); i++) {
      inserts.insert(Insert.into(name).withValue("value " + number));
    }
    queue.modify(inserts.build()).orThrow();
    Optional<Task> claimed = queue.tryClaim(Claim.from(name).withLease(lease(random)));
    if (claimed.isPresent()) {
      end(queue, random, claimed.get());
    }
  }

  /** May come too late, so that nothing happens. */
  private static void end(EntroQ queue, Random random, Task task) {
    switch (random.nextInt(4)) {
      case 0 -> queue.modify(Modification.change(Change.of(task).moveTo(WORK + 0)));
      case 1 -> queue.modify(Modification.change(Change.of(task).withValue("changed")));
      case 2 -> queue.modify(Modification.delete(task));
      default -> {
        // Its lease ends.
      }
    }
  }

  private static Duration lease(Random random) {
    return Duration.ofMillis(100 + random.nextInt(5_000));
  }

  // What became of it.

  private void assertInOrder() {
    FeedPosition before = live.get(0).position().orElseThrow();
    for (Effect effect : live.subList(1, live.size())) {
      FeedPosition at = effect.position().orElseThrow();
      boolean isNext =
          at.sequence() == before.sequence()
              ? at.index() == before.index() + 1
              : at.sequence() > before.sequence() && at.index() == 0;
      assertThat(isNext).as("%s after %s", at, before).isTrue();
      before = at;
    }
  }

  private static Map<TaskId, Task> fold(List<Effect> effects) {
    Map<TaskId, Task> tasks = new HashMap<>();
    for (Effect effect : effects) {
      Task task = effect.task().orElseThrow();
      switch (effect.kind()) {
        case DELETED, EXPIRED, DROPPED -> tasks.remove(task.id());
        default -> tasks.put(task.id(), task);
      }
    }
    return tasks;
  }

  private static Map<TaskId, Task> tasks(EntroQ queue) {
    LockSupport.parkNanos(LOOK_NANOS);
    Map<TaskId, Task> tasks = new HashMap<>();
    for (String name : queue.queues(QueueQuery.all()).keySet()) {
      queue.tasks(TaskQuery.in(name)).forEach(task -> tasks.put(task.id(), task));
    }
    return tasks;
  }

  private static boolean isOn(Effect effect, String queue) {
    return effect.task().orElseThrow().queue().equals(queue);
  }

  /** The same effects, from a member that did not show most of them live. */
  private List<Effect> history(int id) throws InterruptedException {
    FeedPosition first = live.get(0).position().orElseThrow();
    FeedQuery query =
        FeedQuery.after(FeedPosition.after(first.sequence() - 1))
            .withValues()
            .until(live.get(live.size() - 1).position().orElseThrow())
            .build();
    long endNanos = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      List<Effect> shown = new ArrayList<>();
      try (EntroQ one = EntroQClient.connect(nodes.addresses(id));
          FeedIterator feed = Feed.of(one).iterator(query)) {
        for (Optional<Effect> next = feed.next(); next.isPresent(); next = feed.next()) {
          shown.add(next.get());
        }
        return shown;
      } catch (EntroQException.Unavailable e) {
        // Its mirror is not yet known to be whole.
        assertThat(System.nanoTime() - endNanos).as(e.getMessage()).isNegative();
        LockSupport.parkNanos(LOOK_NANOS);
      }
    }
  }

  private Cli members() {
    LockSupport.parkNanos(LOOK_NANOS);
    return Cli.run("members", "--json", "-s", nodes.addresses());
  }

  private void awaitAll() {
    until("all are with the leader", PATIENCE, () -> members().status() == 0);
  }
}
