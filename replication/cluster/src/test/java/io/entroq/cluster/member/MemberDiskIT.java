package io.entroq.cluster.member;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.entroq.api.Change;
import io.entroq.api.Claim;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.retention.Retention;
import io.entroq.engine.embedded.DiskSeam;
import io.entroq.engine.embedded.EmbeddedConfig;
import io.entroq.engine.gateway.EngineStats;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a member refuses when its disk is low. */
class MemberDiskIT {
  private static final String QUEUE = "inbox";

  /** More than any disk has. */
  private static final long EVERYTHING = 1L << 50;

  private static final int TASKS = 10;
  private static final Value VALUE = Value.bytes(new byte[30_000]);

  /** Prevents snapshots for other reasons than the disk. */
  private static final Retention MUCH_LOG = new Retention(1 << 20, Duration.ofHours(1), 64 << 20);

  @TempDir Path directory;

  private static EmbeddedConfig floors(long lowBytes, long fullBytes) {
    return EmbeddedConfig.inMemory()
        .commandBytesMax(MemberConfig.COMMAND_BYTES_MAX)
        .diskLowBytes(lowBytes)
        .diskFullBytes(fullBytes)
        .build();
  }

  private void fill(LoneMember lone) {
    for (int i = 0; i < TASKS; i++) {
      insert(lone);
    }
  }

  private static void insert(LoneMember lone) {
    lone.member().queue().modify(Modification.insert(QUEUE, VALUE)).orThrow();
  }

  @Test
  void shouldRefuseInsertsAndHaveSnapshotsTakenThatLetLogGo() throws Exception {
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(settings -> settings.bootstrap(true).retention(MUCH_LOG)).awaitLeader();
      fill(lone);
      for (Task done : lone.member().queue().tryClaimMany(Claim.from(QUEUE).withLimit(TASKS - 2))) {
        lone.member().queue().modify(Modification.delete(done)).orThrow();
      }
      assertThat(lone.member().status().snapshots()).isZero();
      lone.stop();

      lone.start(settings -> settings.retention(MUCH_LOG).bounds(floors(EVERYTHING, 64 << 20)))
          .awaitLeader();
      assertThatThrownBy(() -> insert(lone))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("bytes are free on the file system of " + directory)
          .hasMessageContaining("diskLowBytes keeps")
          .hasMessageContaining("Nothing was done. Free some space");
      Task task = lone.member().queue().tryClaim(Claim.from(QUEUE)).orElseThrow();
      Change renewed = Change.of(task).availableIn(Duration.ofMinutes(1));
      Task held =
          lone.member().queue().modify(Modification.change(renewed)).orThrow().changed().get(0);
      lone.member().queue().modify(Modification.delete(held)).orThrow();
      EngineStats figures = lone.member().stats().orElseThrow();
      assertThat(figures.writesRefusedForDisk()).isEqualTo(1);
      assertThat(figures.isDiskLow()).isTrue();
      assertThat(figures.isDiskFull()).isFalse();
      Await.until("log is let go", () -> lone.member().retention().snapshots().taken() > 1);
    }
  }

  @Test
  void shouldHaveTheLeaderTakeSnapshotsForAFollower() throws Exception {
    AtomicInteger low = new AtomicInteger(-1);
    try (TestCluster cluster =
        new TestCluster(
            directory,
            settings ->
                settings.build().memberId() == low.get()
                    ? settings.retention(MUCH_LOG).bounds(floors(EVERYTHING, 64 << 20))
                    : settings.retention(MUCH_LOG))) {
      int leader = cluster.bootstrap().awaitLeader();
      for (int i = 0; i < TASKS; i++) {
        cluster.queue(leader).modify(Modification.insert(QUEUE, VALUE)).orThrow();
      }
      int follower = cluster.follower(leader);
      low.set(follower);
      cluster.stop(follower);
      cluster.start(follower);
      Await.until(
          "the leader has one taken",
          () -> cluster.members().allMatch(member -> member.retention().snapshots().taken() > 0));
      cluster.queue(leader).modify(Modification.insert(QUEUE, VALUE)).orThrow();
    }
  }

  @Test
  void shouldRefuseAllButReadsWhenTheDiskIsFull() throws Exception {
    try (LoneMember lone = new LoneMember(directory)) {
      lone.bootstrap().awaitLeader();
      fill(lone);
      lone.stop();

      lone.start(settings -> settings.bounds(floors(EVERYTHING, EVERYTHING))).awaitLeader();
      assertThatThrownBy(() -> lone.member().queue().tryClaim(Claim.from(QUEUE)))
          .isInstanceOf(EntroQException.ResourceExhausted.class)
          .hasMessageContaining("diskFullBytes keeps");
      assertThat(lone.member().stats().orElseThrow().isDiskFull()).isTrue();
      assertThat(lone.member().queue().queues(QueueQuery.all())).containsEntry(QUEUE, (long) TASKS);
      lone.stop();

      lone.start().awaitLeader();
      insert(lone);
    }
  }

  @Test
  void shouldFailSnapshotsAndGoOnWhereTheyWouldTakeTheLastRoom() throws Exception {
    AtomicLong usable = new AtomicLong(EVERYTHING);
    EmbeddedConfig.Builder bounds =
        EmbeddedConfig.inMemory().commandBytesMax(MemberConfig.COMMAND_BYTES_MAX);
    try (LoneMember lone = new LoneMember(directory)) {
      lone.start(
              settings ->
                  settings
                      .bootstrap(true)
                      .retention(MUCH_LOG)
                      .bounds(DiskSeam.usableBytes(bounds, usable::get).build()))
          .awaitLeader();
      insert(lone);
      usable.set(15 << 20);
      failSnapshot(lone);
      assertThat(lone.member().status().snapshots()).isZero();
      usable.set(EVERYTHING);
      Await.until("there is room again", () -> isInserted(lone));
      lone.snapshot();
    }
  }

  @Test
  @Tag("long")
  void shouldGoOnWithoutSnapshotsAndOverAVoteOnADiskThatIsNearlyFull() throws Exception {
    Path disk = Files.createDirectories(directory.resolve("disk"));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=500m", "tmpfs", disk.toString()) == 0);
    try (LoneMember lone = new LoneMember(disk.resolve("member"))) {
      lone.start(settings -> settings.bootstrap(true).retention(MUCH_LOG)).awaitLeader();
      fill(lone);
      Path ballast = disk.resolve("ballast");
      try (FileChannel file = FileChannel.open(ballast, CREATE, WRITE)) {
        ByteBuffer piece = ByteBuffer.allocate(1 << 20);
        while (Files.getFileStore(disk).getUsableSpace() > 12 << 20) {
          file.write(piece.clear());
        }
      }
      failSnapshot(lone);
      lone.stop();
      // The log continues in another term.
      lone.start(settings -> settings.retention(MUCH_LOG)).awaitLeader();
      Files.delete(ballast);
      Await.until("there is room again", () -> isInserted(lone));
      lone.snapshot();
    } finally {
      run("umount", "-l", disk.toString());
    }
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command).inheritIO().start().waitFor();
  }

  private static boolean isInserted(LoneMember lone) {
    try {
      insert(lone);
      return true;
    } catch (EntroQException.ResourceExhausted e) {
      return false;
    }
  }

  private static void failSnapshot(LoneMember lone) {
    Await.until("a snapshot is asked for", lone.member()::takeSnapshot);
    Await.until(
        "the snapshot has failed",
        () -> lone.member().ended().isDone() || lone.member().retention().snapshots().failed() > 0);
    assertThat(lone.member().ended()).isNotDone();
    assertThat(lone.member().queue().queues(QueueQuery.all())).containsKey(QUEUE);
  }
}
