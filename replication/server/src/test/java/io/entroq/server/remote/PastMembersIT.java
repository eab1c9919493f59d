package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.EffectKind;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.client.ClientConfig;
import io.entroq.client.EntroQClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a cluster as of earlier points, which they read from their mirrors. */
@Timeout(600)
class PastMembersIT {
  private static final int POINTS = 5;

  @TempDir private Path directory;

  private record Then(Map<String, QueueStats> stats, List<Task> tasks) {}

  @Test
  void shouldShowTheSamePastOnEachMemberAndWhenOneIsGone() throws Exception {
    Random random = new Random(11);
    try (ServedMembers members = new ServedMembers(directory, config -> config)) {
      int leader = members.awaitLeader();
      members.awaitSessions();
      TreeMap<Long, Then> remembered = new TreeMap<>();
      EntroQ own = members.queue(leader);
      FeedQuery inserts = FeedQuery.after(FeedPosition.after(0)).kinds(EffectKind.INSERTED).build();
      try (EntroQ queue = EntroQClient.connect(members.config(Over.STREAM).build());
          FeedIterator feed = Feed.of(own).iterator(inserts)) {
        for (int point = 0; point < POINTS; point++) {
          work(queue, random);
          Task last =
              queue.modify(Modification.insert("jobs/0", "last")).orThrow().inserted().get(0);
          remembered.put(
              sequenceOf(last, feed),
              new Then(own.queueStats(QueueQuery.all()), own.tasks(TaskQuery.in("jobs/0"))));
        }
        work(queue, random);
      }
      for (int member = 0; member < ServedMembers.MEMBERS; member++) {
        assertSame(remembered, "localhost:" + members.port(member));
      }
      long last = remembered.lastKey();
      members.stop(leader);
      ClientConfig config = members.config(Over.CALLS).asOf(last).build();
      try (EntroQ past = EntroQClient.connect(config)) {
        assertThat(past.tasks(TaskQuery.in("jobs/0"))).isEqualTo(remembered.get(last).tasks);
      }
      members.start(leader);
      members.awaitLeader();
      // Until a record is written, a mirror does not know whether it is complete.
      members.awaitSessions();
      String restarted = "localhost:" + members.port(leader);
      until(
          "its mirror is complete",
          () -> {
            try (EntroQ past = past(restarted, last)) {
              return past.queues(QueueQuery.all()).size() > 0;
            } catch (EntroQException.Unavailable | EntroQException.OutOfRange e) {
              return false;
            }
          });
      try (EntroQ future = past(restarted, last + 1_000_000)) {
        assertThatThrownBy(future::time).isInstanceOf(EntroQException.OutOfRange.class);
      }
    }
  }

  /** The step that has inserted a task. */
  private static long sequenceOf(Task task, FeedIterator feed) throws InterruptedException {
    Effect effect;
    do {
      effect = feed.next(Duration.ofMinutes(1)).orElseThrow();
    } while (!effect.task().orElseThrow().id().equals(task.id()));
    return effect.position().orElseThrow().sequence();
  }

  private static EntroQ past(String address, long sequence) {
    return EntroQClient.connect(
        ClientConfig.to(address).asOf(sequence).callTimeout(Duration.ofSeconds(60)).build());
  }

  private static void assertSame(TreeMap<Long, Then> remembered, String address) {
    remembered.forEach(
        (sequence, then) -> {
          try (EntroQ past = past(address, sequence)) {
            assertThat(past.tasks(TaskQuery.in("jobs/0"))).isEqualTo(then.tasks);
            assertThat(sizes(past.queueStats(QueueQuery.all()))).isEqualTo(sizes(then.stats));
          }
        });
  }

  /** Ages are of the time of asking. */
  private static Map<String, List<Long>> sizes(Map<String, QueueStats> stats) {
    Map<String, List<Long>> sizes = new HashMap<>();
    stats.forEach((name, queue) -> sizes.put(name, List.of(queue.tasks(), queue.inFlight())));
    return sizes;
  }

  private static void work(EntroQ queue, Random random) {
    for (int i = 0; i < 50; i++) {
      String name = "jobs/" + random.nextInt(3);
      Optional<Task> task = queue.tryClaim(Claim.from(name).withLease(Duration.ofHours(1)));
      if (task.isPresent() && random.nextBoolean()) {
        queue.modify(Modification.delete(task.get())).orThrow();
      } else {
        queue.modify(Modification.insert(name, "task " + i)).orThrow();
      }
    }
  }
}
