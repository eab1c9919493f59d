package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three members agree. */
class ClusterIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldWorkTheSameOnEachMember() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        cluster.queue(id).modify(Modification.insert(QUEUE, "from " + id)).orThrow();
      }
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        Task task = cluster.queue(id).tryClaim(Claim.from(QUEUE)).orElseThrow();
        cluster.queue(id).modify(Modification.delete(task)).orThrow();
      }
      assertThat(cluster.queue(0).tryClaim(Claim.from(QUEUE))).isEmpty();
      cluster.awaitAgreement();
    }
  }

  @Test
  void shouldAnswerClaimThatWaitsWithTaskOfAnotherMember() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      CompletableFuture<List<Task>> waiting =
          cluster.queue(leader).claimAsync(Claim.from(QUEUE).withMaxWait(Duration.ofMinutes(1)));
      cluster.queue(cluster.follower(leader)).modify(Modification.insert(QUEUE, "late")).orThrow();
      assertThat(waiting.get(10, TimeUnit.SECONDS)).hasSize(1);
      cluster.awaitAgreement();
    }
  }
}
