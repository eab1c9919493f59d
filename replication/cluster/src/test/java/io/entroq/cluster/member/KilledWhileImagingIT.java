package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members are killed after a snapshot is recorded and before its image is complete. They come back
 * with an older snapshot, or from the log alone, and lack nothing.
 */
@Tag("long")
class KilledWhileImagingIT {
  private static final int SOME = 20;

  @TempDir Path directory;

  private int inserted;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldLoseNothingWhoeverIsKilled() throws Exception {
    try (ProcessCluster cluster = new ProcessCluster(directory, Duration.ofHours(1))) {
      int leader = cluster.awaitLeader();
      List<Integer> all = cluster.running();
      // Without any older snapshot.
      killWhileImaging(cluster, all);
      leader = cluster.awaitLeader();
      snapshot(cluster);
      killWhileImaging(cluster, List.of((leader + 1) % ProcessCluster.MEMBERS));
      killWhileImaging(cluster, List.of(cluster.awaitLeader()));
      killWhileImaging(cluster, all);
      snapshot(cluster);
    }
  }

  private void killWhileImaging(ProcessCluster cluster, List<Integer> ids) throws Exception {
    int leader = cluster.awaitLeader();
    insert(cluster, leader);
    long[] before = new long[ProcessCluster.MEMBERS];
    for (int id : ids) {
      before[id] = cluster.member(id).status().recorded();
      cluster.member(id).ask("hold");
    }
    cluster.member(leader).ask("snapshot");
    Await.until(
        "a snapshot is recorded, and its image is not complete",
        () ->
            ids.stream()
                .allMatch(
                    id ->
                        cluster.member(id).status().recorded() > before[id]
                            && cluster.member(id).ask("holds").equals("true")));
    insert(cluster, leader);
    cluster.kill(ids);
    if (!cluster.running().isEmpty()) {
      insert(cluster, cluster.awaitLeader());
    }
    cluster.start(ids);
    cluster.awaitLeader();
    cluster.awaitAgreement();
    for (int id : cluster.running()) {
      assertThat(cluster.member(id).ask("tasks")).isEqualTo(Integer.toString(inserted));
    }
  }

  private void insert(ProcessCluster cluster, int id) {
    cluster.member(id).ask("insert " + SOME);
    inserted += SOME;
  }

  /** Takes one that is complete at all members. */
  private static void snapshot(ProcessCluster cluster) {
    long[] before =
        cluster.running().stream()
            .mapToLong(id -> cluster.member(id).status().complete())
            .toArray();
    cluster.member(cluster.awaitLeader()).ask("snapshot");
    Await.until(
        "it is complete",
        () ->
            cluster.running().stream()
                .allMatch(id -> cluster.member(id).status().complete() > before[id]));
  }
}
