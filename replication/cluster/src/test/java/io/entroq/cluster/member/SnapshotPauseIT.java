package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.QueueQuery;
import io.entroq.api.Value;
import io.entroq.cluster.retention.Retention;
import io.entroq.engine.maintenance.SnapshotStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How long a snapshot of many tasks delays commands, and how long a restart with it takes. Prints
 * the results. Set the number of tasks with {@code -Dentroq.pause.tasks}, and of snapshots with
 * {@code -Dentroq.pause.rounds}.
 */
@Tag("long")
class SnapshotPauseIT {
  private static final int TASKS = Integer.getInteger("entroq.pause.tasks", 1_000_000);
  private static final int ROUNDS = Integer.getInteger("entroq.pause.rounds", 5);
  private static final int LOT = 1_000;
  private static final int IN_FLIGHT = 16;
  private static final int VALUE_BYTES = 64;

  /** Enough for no snapshot but the test's. */
  private static final long LOG_BYTES = Math.max(1L << 30, 512L * TASKS);

  /** Of the median; single ones are also those of a busy machine. */
  private static final Duration PAUSE_MAX = Duration.ofMillis(100);

  private static final Duration RESTART_MAX = Duration.ofSeconds(5);

  static {
    // It compares all memory at each freeze, which takes 24 ms for a million tasks.
    SnapshotPauseIT.class
        .getClassLoader()
        .setClassAssertionStatus("io.entroq.engine.memory.FrozenSlab", false);
  }

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"OS", "DISK"})
  void shouldPauseShortlyAndComeBackSoon(Durability durability) throws Exception {
    List<MemberAddress> alone = new UnusedPorts("127.0.0.1").members(1);
    MemberConfig.Builder config =
        MemberConfig.of(0, alone, directory)
            .durability(durability)
            .retention(new Retention(LOG_BYTES, Duration.ofHours(1), 4 * LOG_BYTES));
    try (ClusterMember member = ClusterMember.start(config.bootstrap(true).build())) {
      insert(member);
      List<Long> pauses = new ArrayList<>();
      for (int round = 1; round <= ROUNDS; round++) {
        long longestNs = longestCommandDuringSnapshot(member, round);
        SnapshotStats figures = member.retention().snapshots();
        pauses.add(figures.pauseNs());
        System.out.printf(
            "%s round %d: pause %.1f ms, longest command %.1f ms, image of %,d bytes in %,d ms%n",
            durability,
            round,
            figures.pauseNs() / 1e6,
            longestNs / 1e6,
            figures.bytes(),
            figures.writeMs());
      }
      pauses.sort(null);
      assertThat(pauses.get(ROUNDS / 2)).isLessThan(PAUSE_MAX.toNanos());
    }
    for (int round = 1; round <= 3; round++) {
      long beganNs = System.nanoTime();
      try (ClusterMember member = ClusterMember.start(config.bootstrap(false).build())) {
        Await.until("it serves", () -> member.status().hasLeader());
        assertThat(member.queue().queues(QueueQuery.all())).containsEntry("pending", (long) TASKS);
        long tookNs = System.nanoTime() - beganNs;
        System.out.printf("%s restart %d: %.0f ms%n", durability, round, tookNs / 1e6);
        assertThat(tookNs).isLessThan(RESTART_MAX.toNanos());
      }
    }
  }

  private static void insert(ClusterMember member) throws Exception {
    ArrayDeque<CompletableFuture<ModifyResult>> inFlight = new ArrayDeque<>();
    for (int done = 0; done < TASKS; done += LOT) {
      List<Insert> inserts = new ArrayList<>();
      for (int i = 0; i < LOT; i++) {
        inserts.add(Insert.into("pending").withValue(Value.bytes(new byte[VALUE_BYTES])));
      }
      inFlight.add(member.queue().modifyAsync(Modification.insert(inserts)));
      if (inFlight.size() == IN_FLIGHT) {
        inFlight.remove().get(60, TimeUnit.SECONDS).orThrow();
      }
    }
    for (CompletableFuture<ModifyResult> insert : inFlight) {
      insert.get(60, TimeUnit.SECONDS).orThrow();
    }
  }

  /** One caller sends commands, one at a time, until the image is complete. */
  private static long longestCommandDuringSnapshot(ClusterMember member, int count) {
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Long> longest =
        CompletableFuture.supplyAsync(
            () -> {
              long longestNs = 0;
              while (!isOver.get()) {
                long beganNs = System.nanoTime();
                member.queue().modify(Modification.insert("meanwhile", "x")).orThrow();
                longestNs = Math.max(longestNs, System.nanoTime() - beganNs);
              }
              return longestNs;
            });
    try {
      snapshot(member, count);
    } finally {
      isOver.set(true);
    }
    return longest.join();
  }

  private static void snapshot(ClusterMember member, int count) {
    Await.until("a snapshot is begun", member::takeSnapshot);
    Await.until(
        "it is complete",
        () ->
            member.status().snapshots() == count
                && member.retention().snapshots().taken() == count
                && member.retention().snapshotPosition() > 0);
  }
}
