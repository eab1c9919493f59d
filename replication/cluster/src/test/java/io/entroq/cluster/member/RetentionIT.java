package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.retention.BehindException;
import io.entroq.cluster.retention.Retention;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots are taken automatically, and disk use is bounded. */
class RetentionIT {
  private static final int SEGMENT_BYTES = 256 << 10;
  private static final int SNAPSHOT_LOG_BYTES = 512 << 10;
  private static final int LITTLE_LOG = 8 << 20;

  /** A member without processor time for a while must be able to catch up. */
  private static final int MUCH_LOG = 256 << 20;

  private static final int VALUE_BYTES = 4_000;

  /** Less than half a term: a follower that lacks more joins anew, after ten seconds. */
  private static final int LOT = 25;

  @TempDir Path directory;

  @Test
  void shouldStayBoundedUnderChurn() throws Exception {
    try (TestCluster cluster = cluster(MUCH_LOG).bootstrap()) {
      insertAndDelete(cluster, cluster.awaitLeader(), 500);
      awaitTidy(cluster);
    }
  }

  @Test
  @Tag("long")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  void shouldStayBoundedUnderLongChurnAndLetMemberReturn() throws Exception {
    try (TestCluster cluster = cluster(MUCH_LOG).bootstrap()) {
      int leader = cluster.awaitLeader();
      insertAndDelete(cluster, leader, 20_000);
      awaitTidy(cluster);

      int absent = cluster.follower(leader);
      cluster.stop(absent);
      insertAndDelete(cluster, leader, 300);
      cluster.start(absent);
      cluster.awaitLeader();
      cluster.awaitAgreement();
      awaitTidy(cluster);
      assertThat(cluster.members())
          .allSatisfy(
              member -> {
                assertThat(member.retention().membersBehind()).isEmpty();
                assertThat(member.retention().divergences()).isZero();
                assertThat(member.retention().snapshots().failed()).isZero();
              });
    }
  }

  @Test
  @Tag("long")
  void shouldTellMemberThatIsTooFarBehind() throws Exception {
    try (TestCluster cluster = cluster(LITTLE_LOG).bootstrap()) {
      int leader = cluster.awaitLeader();
      int absent = cluster.follower(leader);
      cluster.stop(absent);
      insertAndDelete(cluster, leader, 2 * LITTLE_LOG / VALUE_BYTES);
      Await.until(
          "nothing is kept for who is away",
          () ->
              cluster
                  .members()
                  .allMatch(
                      member ->
                          member.retention().membersBehind().contains(absent)
                              && member.retention().logBytesHeld() < LITTLE_LOG));
      ClusterMember late = cluster.start(absent);
      assertThat(late.ended().get(60, TimeUnit.SECONDS))
          .isInstanceOf(BehindException.class)
          .hasMessageContaining("replace the member")
          .hasMessageContaining("member " + absent);
      cluster.stop(absent);
      insertAndDelete(cluster, leader, 10);
    }
  }

  @Test
  @Tag("long")
  void shouldKeepLogForMemberThatIsAwayThoughTheOthersAreRestarted() throws Exception {
    // As much as is held without a member that is away, and what is written meanwhile.
    int logBytesMax = 8 * SNAPSHOT_LOG_BYTES;
    try (TestCluster cluster = cluster(logBytesMax).bootstrap()) {
      int leader = cluster.awaitLeader();
      insertAndDelete(cluster, leader, (logBytesMax + 2 * SNAPSHOT_LOG_BYTES) / VALUE_BYTES);
      awaitTidy(cluster);
      int absent = cluster.follower(leader);
      cluster.stop(absent);
      insertAndDelete(cluster, leader, 2 * SNAPSHOT_LOG_BYTES / VALUE_BYTES);

      cluster.stopAll();
      Stream.of(0, 1, 2).filter(id -> id != absent).forEach(cluster::start);
      cluster.awaitLeader();
      Await.until(
          "they have looked at what they hold",
          () ->
              cluster
                  .members()
                  .allMatch(
                      member ->
                          member.retention().logBytesHeld() > 0
                              && member.retention().logBytesHeld()
                                  < member.status().commitPosition()));
      assertThat(cluster.members())
          .allSatisfy(member -> assertThat(member.retention().membersBehind()).isEmpty());
      cluster.start(absent);
      cluster.awaitLeader();
      cluster.awaitAgreement();
    }
  }

  private TestCluster cluster(long logBytesMax) throws IOException {
    Retention retention = new Retention(SNAPSHOT_LOG_BYTES, Duration.ofMinutes(10), logBytesMax);
    return new TestCluster(
        directory, config -> config.retention(retention).lengths(SEGMENT_BYTES, SEGMENT_BYTES));
  }

  private static void insertAndDelete(TestCluster cluster, int id, int tasks) throws Exception {
    for (int done = 0; done < tasks; done += LOT) {
      List<CompletableFuture<ModifyResult>> inserts = new ArrayList<>();
      for (int i = done; i < Math.min(tasks, done + LOT); i++) {
        inserts.add(
            cluster
                .queue(id)
                .modifyAsync(
                    Modification.insert(
                        Insert.into("churn").withValue(Value.bytes(new byte[VALUE_BYTES])))));
      }
      List<CompletableFuture<ModifyResult>> deletes = new ArrayList<>();
      for (CompletableFuture<ModifyResult> insert : inserts) {
        Task task = insert.get(20, TimeUnit.SECONDS).orThrow().inserted().get(0);
        deletes.add(cluster.queue(id).modifyAsync(Modification.delete(task)));
      }
      for (CompletableFuture<ModifyResult> delete : deletes) {
        delete.get(20, TimeUnit.SECONDS).orThrow();
      }
      awaitOthers(cluster, cluster.member(id));
    }
  }

  /**
   * On a busy machine followers and snapshots may be slower than the leader's callers, who do not
   * wait for them.
   */
  private static void awaitOthers(TestCluster cluster, ClusterMember leader) {
    long position = leader.status().commitPosition();
    Await.until(
        "all that run have applied it",
        () -> cluster.members().allMatch(each -> each.status().appliedPosition() >= position));
    Await.until(
        "there is a recent snapshot",
        () -> leader.retention().logBytesSince() < 2 * SNAPSHOT_LOG_BYTES);
  }

  /** Two snapshots, the log after the older one, rounded up to whole files. */
  private void awaitTidy(TestCluster cluster) {
    long bytesMax = 3 * SNAPSHOT_LOG_BYTES + 8 * SEGMENT_BYTES;
    Await.until(
        "little is held",
        () ->
            cluster
                .members()
                .map(ClusterMember::retention)
                .allMatch(
                    held ->
                        held.snapshotPosition() > 0
                            && held.snapshotsHeld() <= 3
                            && held.logBytesHeld() < bytesMax));
    Await.until(
        "files are gone",
        () ->
            Stream.of(0, 1, 2)
                .allMatch(
                    id -> recordedBytes(cluster.directory(id)) < bytesMax + 8 * SEGMENT_BYTES));
  }

  private static long recordedBytes(Path member) {
    try (Stream<Path> files = Files.list(member.resolve("archive"))) {
      return files
          .filter(file -> file.getFileName().toString().contains(".rec"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    } catch (IOException e) {
      return Long.MAX_VALUE;
    }
  }
}
