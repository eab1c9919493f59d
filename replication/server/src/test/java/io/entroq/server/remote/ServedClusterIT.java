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
import io.entroq.client.EntroQClient;
import io.entroq.cluster.member.Liveness;
import io.entroq.codec.wire.published.v1.ClaimResponse;
import io.entroq.service.grpc.V1;
import io.entroq.service.grpc.WireClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
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
