package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.cluster.service.DivergedException;
import io.entroq.cluster.service.StateDivergence;
import io.entroq.engine.state.PlantedDivergence;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The next snapshot detects a member whose state differs. */
class DivergenceIT {
  private static final String QUEUE = "inbox";

  @TempDir Path directory;

  private final List<StateDivergence> alarms = new CopyOnWriteArrayList<>();

  @Test
  void shouldStopTheOneThatIsContradictedAndAlarmWhereNobodyCanTell() throws Exception {
    try (TestCluster cluster =
        new TestCluster(directory, config -> config.alarm(alarms::add)).bootstrap()) {
      int leader = cluster.awaitLeader();
      int sick = cluster.follower(leader);
      insert(cluster, leader);
      // The first command seeds the random choices, so it must be applied before they are changed.
      cluster.awaitAgreement();
      diverge(cluster, sick, leader);
      awaitEnd(cluster, sick);
      Throwable end = cluster.member(sick).ended().join();
      assertThat(end)
          .isInstanceOf(DivergedException.class)
          .hasMessageContaining("the state of member " + sick);
      assertThat(alarms).anyMatch(alarm -> alarm.minority().contains(sick));

      // The wrong snapshot is not used again, so the member returns with the right state.
      cluster.stop(sick);
      cluster.start(sick);
      leader = cluster.awaitLeader();
      cluster.awaitAgreement();
      awaitReports(cluster, sick);

      int absent = cluster.follower(leader);
      cluster.stop(absent);
      int other = cluster.follower(leader);
      alarms.clear();
      diverge(cluster, other, leader);
      Await.until(
          "both raise an alarm",
          () -> cluster.members().allMatch(member -> member.retention().divergences() > 0));
      Await.until("both have said it", () -> alarms.size() >= 2);
      assertThat(alarms).allMatch(alarm -> alarm.minority().isEmpty());
      assertThat(cluster.members()).noneMatch(member -> member.ended().isDone());
      insert(cluster, other);
    }
  }

  private static void insert(TestCluster cluster, int id) {
    List<Insert> inserts = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      inserts.add(Insert.into(QUEUE).withValue("task " + i));
    }
    cluster.queue(id).modify(Modification.insert(inserts)).orThrow();
  }

  /** Makes one member's random choices differ, runs commands, and takes a snapshot. */
  private static void diverge(TestCluster cluster, int sick, int leader) {
    cluster
        .member(sick)
        .query(
            machine -> {
              PlantedDivergence.plant(machine);
              return 0;
            })
        .join();
    for (int i = 0; i < 30; i++) {
      assertThat(cluster.queue(leader).tryClaim(Claim.from(QUEUE))).isPresent();
    }
    Await.until("it can take a snapshot", cluster.member(leader)::takeSnapshot);
  }

  /**
   * Waits until a member ends. One that was catching up during a snapshot is compared at the next
   * one.
   */
  private static void awaitEnd(TestCluster cluster, int id) throws Exception {
    CompletableFuture<Throwable> ended = cluster.member(id).ended();
    for (int tries = 0; tries < 10 && !ended.isDone(); tries++) {
      try {
        ended.get(5, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        cluster.member(cluster.awaitLeader()).takeSnapshot();
      }
    }
    assertThat(ended).as("the end of member " + id).isDone();
  }

  /** Waits until all members have a member's snapshot report. */
  private static void awaitReports(TestCluster cluster, int id) {
    Await.until(
        "member " + id + " has a good snapshot",
        () -> cluster.member(id).retention().snapshotsHeld() > 0);
  }
}
