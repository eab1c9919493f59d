package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A flipped bit is detected wherever it is read again. */
class RecordingDamageIT {
  private static final String QUEUE = "inbox";
  private static final int END_SECONDS = 20;

  @TempDir Path directory;

  @Test
  void shouldNotApplyCommandWithFlippedBit() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      insert(cluster.member(leader), "before");
      Await.until("it can take a snapshot", cluster.member(leader)::takeSnapshot);
      Await.until(
          "all have a snapshot",
          () -> cluster.members().allMatch(member -> member.status().snapshots() > 0));
      insert(cluster.member(leader), "here it is");
      insert(cluster.member(leader), "behind");
      cluster.awaitAgreement();
      int damaged = cluster.follower(leader);
      awaitMirror(cluster.member(damaged));
      cluster.stop(damaged);
      flip(cluster.directory(damaged), "here it is");

      requireEndOfDamagedLog(cluster.start(damaged));
      cluster.stop(damaged);
      try (EmbeddedEntroQ mirror = EmbeddedEntroQ.open(cluster.directory(damaged))) {
        assertThat(mirror.queues(QueueQuery.all())).containsEntry(QUEUE, 3L);
      }
      insert(cluster.member(cluster.awaitLeader()), "after");
      cluster.awaitAgreement();
    }
  }

  @Test
  @Tag("long")
  void shouldNotGiveToOthersWhatHasFlippedBit() throws Exception {
    try (TestCluster cluster = new TestCluster(directory).bootstrap()) {
      int leader = cluster.awaitLeader();
      int away = cluster.follower(leader);
      cluster.stop(away);
      insert(cluster.member(leader), "here it is");
      cluster.awaitAgreement();
      flip(cluster.directory(leader), "here it is");

      cluster.start(away);
      requireEndOfDamagedLog(cluster.member(leader));
      cluster.stop(leader);
      insert(cluster.member(cluster.awaitLeader()), "after");
      cluster.awaitAgreement();
      assertThat(cluster.queue(away).queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
    }
  }

  private static void awaitMirror(ClusterMember member) {
    Await.until(
        "the mirror holds all",
        () -> member.mirror().writtenSequence() == member.status().appliedSequence());
  }

  private static void flip(Path member, String value) throws IOException {
    RecordedFrames log = new RecordedFrames(RecordedFrames.of(member).get(0));
    log.flipBit(log.indexOf(value) + 2, 0);
  }

  private static void requireEndOfDamagedLog(ClusterMember member) throws Exception {
    assertThat(member.ended().get(END_SECONDS, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            DamagedRecordingException.class, damage -> assertThat(damage.isOfSnapshot()).isFalse())
        .hasMessageContaining("the log of member " + member.config().memberId() + " is damaged")
        .hasMessageContaining("archive/0-0.rec")
        .hasMessageContaining("replace the member");
  }

  /** Both halves of a snapshot: the state, and the consensus module's part. */
  @ParameterizedTest
  @ValueSource(ints = {2, 1})
  void shouldBeginWithTheOneBeforeWhicheverHalfIsDamaged(int fromEnd) throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      for (int count = 1; count <= 2; count++) {
        int held = count;
        insert(lone.member(), "task " + count);
        lone.snapshot();
        Await.until("it is complete", () -> lone.member().retention().snapshotsHeld() == held);
      }
      insert(lone.member(), "later");
      lone.stop();
      List<Path> recordings = RecordedFrames.of(directory);
      new RecordedFrames(recordings.get(recordings.size() - fromEnd)).flipBitOfFirst();

      lone.start();
      assertThat(lone.awaitEnd())
          .isInstanceOfSatisfying(
              DamagedRecordingException.class, damage -> assertThat(damage.isOfSnapshot()).isTrue())
          .hasMessageContaining("the snapshot is damaged")
          .hasMessageContaining("Restart member");
      lone.start().awaitLeader();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, 3L);
    }
  }

  private static void insert(ClusterMember member, String value) {
    member.queue().modify(Modification.insert(QUEUE, value)).orThrow();
  }
}
