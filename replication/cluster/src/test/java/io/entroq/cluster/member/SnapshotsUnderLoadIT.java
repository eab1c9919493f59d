package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.Value;
import io.entroq.cluster.retention.Retention;
import io.entroq.cluster.retention.RetentionStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Taking snapshots and deleting log cause no elections: the leader stays during minutes of load.
 * Set the duration with {@code -Dentroq.load.seconds}.
 */
@Tag("long")
class SnapshotsUnderLoadIT {
  private static final int SECONDS = Integer.getInteger("entroq.load.seconds", 180);
  private static final int PENDING = 200_000;
  private static final int LOT = 500;
  private static final int IN_FLIGHT = 64;
  private static final int VALUE_BYTES = 200;

  @TempDir Path directory;

  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void shouldKeepItsLeader() throws Exception {
    Retention often = new Retention(16 << 20, Duration.ofSeconds(5), 4L << 30);
    try (TestCluster cluster =
        new TestCluster(directory, config -> config.durability(Durability.DISK).retention(often))
            .bootstrap()) {
      int leader = cluster.awaitLeader();
      fill(cluster.member(leader));
      long term = cluster.member(leader).status().termId();
      long commands = load(cluster.member(leader));
      cluster.awaitAgreement();
      cluster.members().forEach(member -> tell(member, commands));
      assertThat(cluster.members())
          .allSatisfy(
              member -> {
                assertThat(member.status().termId()).isEqualTo(term);
                assertThat(member.retention().divergences()).isZero();
                assertThat(member.retention().snapshots().failed()).isZero();
                assertThat(member.retention().snapshots().taken()).isGreaterThan(SECONDS / 30);
              });
    }
  }

  private static void fill(ClusterMember member) throws Exception {
    for (int done = 0; done < PENDING; done += LOT) {
      List<Insert> inserts = new ArrayList<>();
      for (int i = 0; i < LOT; i++) {
        inserts.add(Insert.into("pending").withValue(Value.bytes(new byte[VALUE_BYTES])));
      }
      member.queue().modifyAsync(Modification.insert(inserts)).get(60, TimeUnit.SECONDS).orThrow();
    }
  }

  /** Inserts and deletes tasks; returns the number of commands. */
  private static long load(ClusterMember member) throws Exception {
    ArrayDeque<CompletableFuture<ModifyResult>> inFlight = new ArrayDeque<>();
    long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    long commands = 0;
    while (System.nanoTime() - endNs < 0) {
      Insert insert = Insert.into("churn").withValue(Value.bytes(new byte[VALUE_BYTES]));
      inFlight.add(member.queue().modifyAsync(Modification.insert(insert)));
      commands++;
      while (inFlight.size() >= IN_FLIGHT) {
        List<Task> inserted = inFlight.remove().get(60, TimeUnit.SECONDS).orThrow().inserted();
        if (!inserted.isEmpty()) {
          inFlight.add(member.queue().modifyAsync(Modification.delete(inserted.get(0))));
          commands++;
        }
      }
    }
    for (CompletableFuture<ModifyResult> last : inFlight) {
      last.get(60, TimeUnit.SECONDS).orThrow();
    }
    return commands;
  }

  private static void tell(ClusterMember member, long commands) {
    RetentionStats figures = member.retention();
    System.out.printf(
        "member %d: %,d commands in %d s, term %d, %d snapshots of %,d bytes, pause %.0f ms, longest %.0f ms,"
            + " log held %,d, freed %,d%n",
        member.status().memberId(),
        commands,
        SECONDS,
        member.status().termId(),
        figures.snapshots().taken(),
        figures.snapshots().bytes(),
        figures.snapshots().pauseNs() / 1e6,
        figures.snapshots().pauseMaxNs() / 1e6,
        figures.logBytesHeld(),
        figures.logBytesFreed());
  }
}
