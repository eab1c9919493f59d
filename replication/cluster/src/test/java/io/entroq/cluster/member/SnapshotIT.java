package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Durability;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.cluster.service.SnapshotException;
import io.entroq.cluster.service.StateDigest;
import io.entroq.engine.maintenance.SnapshotStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state survives the end of all members, from their logs alone and from a snapshot. */
class SnapshotIT {
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
      Await.until("it can take a snapshot", cluster.member(leader)::takeSnapshot);
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

  @Test
  void shouldKnowSizeOfTheOneThatItBeganWith() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      lone.member().queue().modify(Modification.insert(QUEUE, "x".repeat(20_000))).orThrow();
      lone.snapshot();
      Await.until("it has looked", () -> snapshots(lone).taken() == 1);
      SnapshotStats taken = snapshots(lone);
      assertThat(taken.bytes()).isGreaterThan(20_000);
      lone.stop();

      lone.start().awaitLeader();
      Await.until("it has looked", () -> snapshots(lone).sequence() > 0);
      SnapshotStats found = snapshots(lone);
      assertThat(found.bytes()).isEqualTo(taken.bytes());
      assertThat(found.sequence()).isEqualTo(taken.sequence());
      assertThat(found.taken()).isZero();
    }
  }

  private static SnapshotStats snapshots(LoneMember lone) {
    return lone.member().retention().snapshots();
  }

  @Test
  void shouldBeginWithTheOneBeforeOnceTheNewestIsDamaged() throws Exception {
    MemberConfig.Builder config =
        MemberConfig.of(0, new UnusedPorts("127.0.0.1").members(1), directory)
            .durability(Durability.OS);
    try (ClusterMember member = ClusterMember.start(config.bootstrap(true).build())) {
      for (int i = 1; i <= 2; i++) {
        int count = i;
        member.queue().modify(Modification.insert(QUEUE, "x".repeat(20_000))).orThrow();
        Await.until("a snapshot is begun", member::takeSnapshot);
        Await.until("it is complete", () -> member.retention().snapshotsHeld() == count);
      }
      member.queue().modify(Modification.insert(QUEUE, "later")).orThrow();
    }
    Path state = imageOfNewest();
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length / 2] ^= 1;
    // Another file, because the mirror shares this one.
    Files.delete(state);
    Files.write(state, bytes);
    config.bootstrap(false);
    try (ClusterMember member = ClusterMember.start(config.build())) {
      assertThat(member.ended().get(20, TimeUnit.SECONDS))
          .isInstanceOf(SnapshotException.class)
          .hasMessageContaining("damaged");
    }
    try (ClusterMember member = ClusterMember.start(config.build())) {
      Await.until("it serves", () -> member.status().hasLeader());
      assertThat(member.queue().queues(QueueQuery.all())).containsEntry(QUEUE, 3L);
    }
  }

  @Test
  void shouldBeginWithTheOneBeforeIfTheNewestHasNoImage() throws Exception {
    AtomicBoolean isRefusing = new AtomicBoolean();
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(
              settings ->
                  settings
                      .bootstrap(true)
                      .imageForcer(
                          (what, action) -> {
                            if (isRefusing.get()) {
                              throw new IOException("the disk refuses");
                            }
                          }))
          .awaitLeader();
      lone.member().queue().modify(Modification.insert(QUEUE, "before")).orThrow();
      lone.snapshot();
      Await.until("it counts", () -> lone.member().retention().snapshotsHeld() == 1);
      lone.member().queue().modify(Modification.insert(QUEUE, "after")).orThrow();
      isRefusing.set(true);
      lone.snapshot();
      Await.until("it has failed", () -> snapshots(lone).failed() == 1);
      assertThat(snapshots(lone).taken()).isEqualTo(1);
      assertThat(lone.member().retention().snapshotsHeld()).isEqualTo(1);
      lone.stop();

      lone.start().awaitLeader();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, 2L);
      lone.snapshot();
      Await.until("a later one counts", () -> lone.member().retention().snapshotsHeld() == 2);
    }
  }

  @Test
  void shouldNotSetAsideWhatNewerBuildHasWritten() throws Exception {
    try (LoneMember lone = new LoneMember(directory).bootstrap()) {
      for (int i = 1; i <= 2; i++) {
        int count = i;
        lone.member().queue().modify(Modification.insert(QUEUE, "task " + i)).orThrow();
        lone.snapshot();
        Await.until("it is complete", () -> lone.member().retention().snapshotsHeld() == count);
      }
      lone.stop();
      makeNewer();
      for (int times = 0; times < 2; times++) {
        lone.start();
        assertThat(lone.awaitEnd())
            .isInstanceOf(SnapshotException.class)
            .hasMessageContaining("format 99: a newer build has written it");
      }
    }
  }

  /** Gives the newest snapshot of the state a future format. */
  private void makeNewer() throws IOException {
    RecordedFrames state = new RecordedFrames(stateOfNewest());
    state.put(state.indexOf("BEGN") + Integer.BYTES, 99);
    state.restamp();
  }

  private Path imageOfNewest() throws IOException {
    try (Stream<Path> images = Files.list(directory.resolve("images/snapshots"))) {
      return images.max(Comparator.naturalOrder()).orElseThrow().resolve("state");
    }
  }

  /** A snapshot's recording of the state precedes that of the sessions. */
  private Path stateOfNewest() throws IOException {
    List<Path> recordings = RecordedFrames.of(directory);
    return recordings.get(recordings.size() - 2);
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

  /** More than fits into one message of a snapshot. */
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
