package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.cluster.service.StateDigest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cluster continues when the leader dies. */
class FailoverIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldGoOnWithoutTheLeader() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      int survivor = cluster.follower(leader);
      CompletableFuture<List<Task>> waiting =
          cluster
              .queue(survivor)
              .claimAsync(Claim.from("other").withMaxWait(Duration.ofMinutes(1)));
      cluster.queue(survivor).modify(Modification.insert(QUEUE, "before")).orThrow();

      cluster.kill(leader);
      List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        inserts.add(cluster.queue(survivor).modifyAsync(Modification.insert(QUEUE, "task " + i)));
      }
      for (CompletableFuture<ModifyResult> insert : inserts) {
        insert.get(20, TimeUnit.SECONDS).orThrow();
      }
      cluster.awaitLeader();
      assertThat(cluster.queue(survivor).queues(QueueQuery.all())).containsEntry(QUEUE, 101L);

      cluster.queue(survivor).modify(Modification.insert("other", "for who waits")).orThrow();
      assertThat(waiting.get(10, TimeUnit.SECONDS)).hasSize(1);

      cluster.start(leader);
      cluster.awaitLeader();
      StateDigest digest = cluster.awaitAgreement();
      assertThat(digest.sequence()).isPositive();
      assertThat(cluster.queue(leader).queues(QueueQuery.all())).containsEntry(QUEUE, 101L);
    }
  }

  /** Otherwise the others would miss it only after a heartbeat timeout. */
  @Test
  void shouldGoOnAtOnceWhenTheLeaderLeaves() throws Exception {
    Liveness patient = Liveness.withHeartbeatTimeout(Duration.ofSeconds(10));
    try (TestCluster cluster =
        new TestCluster(directory, config -> config.liveness(patient)).bootstrap()) {
      int leader = cluster.awaitLeader();
      cluster.queue(leader).modify(Modification.insert(QUEUE, "before")).orThrow();
      cluster.awaitAgreement();
      long beganNs = System.nanoTime();
      cluster.stop(leader);
      cluster.queue(cluster.follower(leader)).modify(Modification.insert(QUEUE, "after")).orThrow();
      assertThat(Duration.ofNanos(System.nanoTime() - beganNs))
          .isLessThan(patient.heartbeatTimeout());
    }
  }

  @Test
  void shouldEndClaimByItsDeadlineThoughTheLeaderHasDied() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      int survivor = cluster.follower(leader);
      CompletableFuture<List<Task>> waiting =
          cluster.queue(survivor).claimAsync(Claim.from(QUEUE).withMaxWait(Duration.ofSeconds(1)));
      Await.until(
          "the claim waits",
          () -> cluster.members().allMatch(member -> member.parkedClaims().join() == 1));
      cluster.kill(leader);
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isEmpty();
    }
  }

  @Test
  void shouldGiveBackWhatTheCallersOfDeadMemberHad() throws Exception {
    try (TestCluster cluster =
        new TestCluster(directory, config -> config.liveness(quickToForget())).bootstrap()) {
      int leader = cluster.awaitLeader();
      int other = cluster.follower(leader);
      CompletableFuture<List<Task>> lost =
          cluster.queue(other).claimAsync(Claim.from(QUEUE).withMaxWait(Duration.ofMinutes(10)));
      Await.until(
          "the claim waits",
          () -> cluster.members().allMatch(member -> member.parkedClaims().join() == 1));
      cluster.kill(other);
      assertThat(lost).isCompletedExceptionally();
      Await.until(
          "nobody waits any more",
          () -> cluster.members().allMatch(member -> member.parkedClaims().join() == 0));
    }
  }

  private static Liveness quickToForget() {
    Liveness usual = Liveness.withHeartbeatTimeout(TestCluster.HEARTBEAT_TIMEOUT);
    return new Liveness(
        usual.heartbeatInterval(),
        usual.heartbeatTimeout(),
        usual.electionTimeout(),
        usual.canvassTimeout(),
        Duration.ofSeconds(2),
        usual.processTimeout());
  }
}
