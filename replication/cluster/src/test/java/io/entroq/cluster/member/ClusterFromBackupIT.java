package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.cluster.retention.RecordingLogFile;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.Trees;
import io.entroq.engine.backup.Backup;
import io.entroq.engine.backup.BackupManifest;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.backup.Restore;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.scan.HolePolicy;
import io.entroq.engine.replica.SeedMismatchException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clusters that start from a backup. */
class ClusterFromBackupIT {
  private static final int TASKS = 30;

  @TempDir private Path directory;

  @Test
  void shouldBeginWithTheBackupAndFindItAgain() throws Exception {
    BackupManifest backup = backUp("backup", TASKS);
    try (TestCluster cluster = new TestCluster(directory)) {
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        restore("backup", cluster.directory(id));
      }
      cluster.bootstrap().awaitLeader();
      awaitSnapshot(cluster);
      StateDigest begun = cluster.awaitAgreement();
      // The callers at the time of the backup are gone, which is the only record since.
      assertThat(begun.sequence()).isEqualTo(backup.sequence() + 1);
      assertThat(begun.content()).isEqualTo(backup.contentDigest());
      assertThat(cluster.queue(0).tryClaim(Claim.from("inbox"))).isPresent();
      assertThat(cluster.queue(1).queues(QueueQuery.all())).containsEntry("inbox", (long) TASKS);
      cluster.queue(2).modify(Modification.insert("inbox", "later")).orThrow();
      StateDigest later = cluster.awaitAgreement();

      // Without a snapshot the member starts with the seed and all of the log after it.
      cluster.stopAll();
      for (int id = 0; id < TestCluster.MEMBERS; id++) {
        assertThat(ClusterMember.seedIn(cluster.directory(id))).exists();
        new RecordingLogFile(cluster.directory(id).resolve("cluster").toFile()).setAside(0);
      }
      cluster.startAll();
      cluster.awaitLeader();
      cluster.queue(0).modify(Modification.insert("inbox", "last")).orThrow();
      assertThat(cluster.awaitAgreement().sequence()).isGreaterThan(later.sequence());
      assertThat(cluster.queue(1).queues(QueueQuery.all()))
          .containsEntry("inbox", (long) TASKS + 2);
    }
  }

  @Test
  void shouldEndAMemberThatHasBegunWithSomethingElse() throws Exception {
    backUp("backup", TASKS);
    backUp("other", 1);
    try (TestCluster cluster = new TestCluster(directory)) {
      restore("backup", cluster.directory(0));
      restore("backup", cluster.directory(1));
      cluster.bootstrap(0);
      cluster.bootstrap(1);
      Await.until("two have agreed", () -> hasApplied(cluster, 0) && hasApplied(cluster, 1));
      assertEnds(cluster, "the cluster started from a backup, but this member is empty");
      Trees.delete(cluster.directory(2));
      restore("other", cluster.directory(2));
      assertEnds(cluster, "the cluster started from the backup");
      cluster.queue(0).modify(Modification.insert("inbox", "goes on")).orThrow();
    }
  }

  private static void assertEnds(TestCluster cluster, String why) {
    ClusterMember wrong = cluster.bootstrap(2);
    assertThat(wrong.ended().join())
        .isInstanceOf(SeedMismatchException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("All members have to begin with the same backup");
    cluster.stop(2);
  }

  private static boolean hasApplied(TestCluster cluster, int id) {
    return cluster.member(id).status().appliedSequence() > TASKS;
  }

  private static void awaitSnapshot(TestCluster cluster) {
    Await.until(
        "all have a snapshot at once",
        () -> cluster.members().allMatch(member -> member.status().snapshots() > 0));
  }

  private BackupManifest backUp(String name, int tasks) {
    Path data = directory.resolve(name + "-data");
    try (EntroQ queue = EmbeddedEntroQ.open(data)) {
      for (int i = 0; i < tasks; i++) {
        queue.modify(Modification.insert("inbox", "value " + i)).orThrow();
      }
    }
    return new Backup(
            data, directory.resolve(name), HolePolicy.REFUSE, Forcer.DISK, BackupProgress.NONE)
        .run();
  }

  private void restore(String name, Path member) {
    new Restore(
            directory.resolve(name), ClusterMember.seedIn(member), Forcer.DISK, BackupProgress.NONE)
        .run();
  }
}
