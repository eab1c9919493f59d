package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.cluster.service.StateDigest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A state survives the end of all members, from their logs alone and from a snapshot. */
class SnapshotTest {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  @Test
  void shouldComeBackFromTheLogAlone() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      cluster.awaitLeader();
      insert(cluster, 20);
      cluster.stopAll();
      cluster.startAll();
      cluster.awaitLeader();
      assertThat(cluster.queue(0).queues(QueueQuery.all())).containsEntry(QUEUE, 20L);
      cluster.awaitAgreement();
    }
  }

  @Test
  void shouldComeBackFromSnapshotAndWhatFollowed() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      insert(cluster, 200);
      insertLarge(cluster);
      assertThat(cluster.queue(0).tryClaim(Claim.from(QUEUE))).isPresent();
      assertThat(cluster.member(leader).takeSnapshot()).isTrue();
      Await.until(
          "all have a snapshot",
          () -> cluster.members().allMatch(member -> member.status().snapshots() > 0));
      insert(cluster, 10);
      StateDigest before = cluster.awaitAgreement();
      cluster.stopAll();

      cluster.startAll();
      cluster.awaitLeader();
      assertThat(cluster.queue(0).queues(QueueQuery.all())).containsEntry(QUEUE, 210L);
      StateDigest after = cluster.awaitAgreement();
      assertThat(after.sequence()).isGreaterThanOrEqualTo(before.sequence());
    }
  }

  @Test
  void shouldCatchUpAfterKill() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      int killed = cluster.follower(leader);
      insert(cluster, 10);
      cluster.kill(killed);
      cluster.queue(leader).modify(Modification.insert(QUEUE, "meanwhile")).orThrow();
      cluster.start(killed);
      cluster.awaitLeader();
      cluster.awaitAgreement();
      assertThat(cluster.queue(killed).queues(QueueQuery.all())).containsEntry(QUEUE, 11L);
    }
  }

  private static void insert(TestCluster cluster, int count) {
    List<Insert> inserts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      inserts.add(Insert.into(QUEUE).withValue("task " + i));
    }
    cluster
        .members()
        .findFirst()
        .orElseThrow()
        .queue()
        .modify(Modification.insert(inserts))
        .orThrow();
  }

  /** More than a message of a snapshot has room for. */
  private static void insertLarge(TestCluster cluster) {
    for (int i = 0; i < 3; i++) {
      cluster
          .queue(0)
          .modify(
              Modification.insert(Insert.into("large").withValue(Value.bytes(new byte[700_000]))))
          .orThrow();
    }
  }
}
