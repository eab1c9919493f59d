package io.entroq.server.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.api.feed.Effect;
import io.entroq.api.feed.Feed;
import io.entroq.api.feed.FeedIterator;
import io.entroq.api.feed.FeedPosition;
import io.entroq.api.feed.FeedQuery;
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The leader of a served cluster is closed. */
class ServedClusterIT {
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(1);
  private static final int INSERTS = 1_000;

  @TempDir static Path directory;

  private static ServedMembers cluster;

  private int leader;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        new ServedMembers(
            directory, config -> config.liveness(Liveness.withHeartbeatTimeout(HEARTBEAT_TIMEOUT)));
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  @BeforeEach
  void awaitLeader() {
    leader = cluster.awaitLeader();
  }

  @AfterEach
  void startLeader() throws Exception {
    cluster.start(leader);
  }

  /** As clients that know one address, and nothing of clusters. */
  @Test
  void shouldNotShowItToCallersOfAnotherMember() throws Exception {
    int survivor = cluster.follower(leader);
    try (WireClient client = new WireClient(cluster.port(survivor));
        WireClient another = new WireClient(cluster.port(survivor))) {
      V1 caller = new V1(client);
      ListenableFuture<ClaimResponse> claim =
          caller.beginClaim(V1.claim("waiting", "inbox").build());
      // By the time of this answer the claim waits, as calls of a connection keep their order.
      assertThat(caller.tryClaim("looking", "inbox").hasTask()).isFalse();

      cluster.stop(leader);
      // There is no leader now. This waits for one, and is done once.
      new V1(another).insert("inbox", "0123456789abcdef");

      ClaimResponse claimed = claim.get(30, TimeUnit.SECONDS);
      assertThat(claimed.getTask().getId()).isEqualTo("0123456789abcdef");
      assertThat(claimed.getTask().getClaims()).isEqualTo(1);
      assertThat(caller.task("0123456789abcdef")).isEqualTo(claimed.getTask());
    }
  }

  @Test
  void shouldNotShowItToClientsThatKnowAllMembers() throws Exception {
    Map<Over, EntroQ> queues = new EnumMap<>(Over.class);
    try {
      Map<Over, CompletableFuture<List<Task>>> waiting = new EnumMap<>(Over.class);
      for (Over over : Over.values()) {
        EntroQ queue = EntroQClient.connect(cluster.config(over).build());
        queues.put(over, queue);
        waiting.put(over, queue.claimAsync(Claim.from("late " + over)));
        passOn(queue, over + " before");
      }
      cluster.stop(leader);
      for (Over over : Over.values()) {
        passOn(queues.get(over), over + " after");
        assertThat(waiting.get(over)).isNotDone();
        queues.get(over).modify(Modification.insert("late " + over, "x")).orThrow();
        assertThat(waiting.get(over).get(30, TimeUnit.SECONDS))
            .extracting(Task::claims)
            .containsExactly(1);
      }
    } finally {
      queues.values().forEach(EntroQ::close);
    }
  }

  @Test
  void shouldShowEachEffectOnceOverALeaderThatIsKilled() throws Exception {
    List<String> inserted = new ArrayList<>();
    List<Effect> live = new ArrayList<>();
    try (EntroQ queue = EntroQClient.connect(cluster.config(Over.STREAM).build());
        EntroQ other = EntroQClient.connect(cluster.config(Over.STREAM).build());
        FeedIterator feed = Feed.of(queue).iterator(FeedQuery.fromNow().queues("fed").build())) {
      // Until the feed has begun.
      while (live.isEmpty()) {
        inserted.clear();
        insert(other, inserted);
        feed.next(Duration.ofMillis(100)).ifPresent(live::add);
      }
      CompletableFuture<Void> work =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < INSERTS; i++) {
                  insert(other, inserted);
                }
              });
      while (live.size() < INSERTS / 4) {
        feed.next(Duration.ofSeconds(30)).ifPresent(live::add);
      }
      cluster.kill(leader);
      work.get(60, TimeUnit.SECONDS);
      while (live.size() < inserted.size()) {
        live.add(feed.next(Duration.ofSeconds(30)).orElseThrow());
      }
      assertThat(feed.next(Duration.ofMillis(100))).isEmpty();
      assertThat(live)
          .extracting(effect -> effect.task().orElseThrow().id().text())
          .containsExactlyElementsOf(inserted);

      FeedPosition last = live.get(live.size() - 1).position().orElseThrow();
      FeedPosition first = live.get(0).position().orElseThrow();
      FeedQuery again =
          FeedQuery.after(FeedPosition.after(first.sequence() - 1))
              .queues("fed")
              .until(last)
              .build();
      List<Effect> kept = new ArrayList<>();
      try (FeedIterator history = Feed.of(queue).iterator(again)) {
        for (Optional<Effect> next = history.next(); next.isPresent(); next = history.next()) {
          kept.add(next.get());
        }
      }
      assertThat(kept).as("from memory or a mirror").isEqualTo(live);
    }
  }

  private static void insert(EntroQ queue, List<String> ids) {
    Modification insert = Modification.insert("fed", "x");
    ids.add(queue.modify(insert).orThrow().inserted().get(0).id().text());
  }

  /** A task from its insert to its end, with what there is to see of it in between. */
  private static void passOn(EntroQ queue, String name) throws Exception {
    queue.modify(Modification.insert(Insert.into(name).withId(name).withValue("x"))).orThrow();
    assertThat(queue.queues(QueueQuery.named(name))).containsEntry(name, 1L);
    Task claimed = queue.claim(Claim.from(name));
    assertThat(claimed.claims()).isEqualTo(1);
    assertThat(queue.tasks(TaskQuery.in(name))).containsExactly(claimed);
    Task renewed = queue.renewAll(List.of(claimed), Duration.ofMinutes(1)).get(0);
    Task moved =
        queue
            .modify(Modification.change(Change.of(renewed).moveTo(name + ", done")))
            .orThrow()
            .changed()
            .get(0);
    assertThat(moved.version()).isEqualTo(3);
    assertThat(queue.tryClaim(Claim.from(name))).isEmpty();
    queue.modify(Modification.delete(moved)).orThrow();
    assertThat(queue.tasks(TaskQuery.withIds(moved.id()))).isEmpty();
  }
}
