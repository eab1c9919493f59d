package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Claim;
import io.entroq.api.Modification;
import io.entroq.api.Task;
import io.entroq.engine.time.SlewedClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jumps of one or all wall clocks end no member and no lease. */
class ClockStepIT {
  private static final String QUEUE = "inbox";
  private static final Duration HOUR = Duration.ofHours(1);

  /**
   * Far behind this machine's clock: code that uses the wall clock considers the driver dead at
   * once.
   */
  private static final Duration OFF = Duration.ofDays(-1);

  /** How far the wall clock of each member is ahead of this machine's. */
  private final List<AtomicLong> aheadMs = new ArrayList<>();

  @TempDir Path directory;

  @Test
  void shouldOutlastStepsOfAnHour() throws Exception {
    outlast(List.of(HOUR));
  }

  @Test
  @Tag("long")
  void shouldOutlastStepsOfAllLengths() throws Exception {
    List<Duration> steps = new ArrayList<>();
    for (Duration step : List.of(Duration.ofSeconds(10), Duration.ofSeconds(30), HOUR)) {
      steps.addAll(List.of(step, step.negated()));
    }
    outlast(steps);
  }

  private void outlast(List<Duration> steps) throws Exception {
    for (int id = 0; id < TestCluster.MEMBERS; id++) {
      aheadMs.add(new AtomicLong(OFF.toMillis()));
    }
    try (TestCluster cluster = new TestCluster(directory, this::withClock).bootstrap()) {
      int leader = cluster.awaitLeader();
      cluster.queue(leader).modify(Modification.insert(QUEUE, "held")).orThrow();
      Claim claim = Claim.from(QUEUE).withLease(Duration.ofMinutes(5));
      Task held = cluster.queue(leader).tryClaim(claim).orElseThrow();
      for (Duration step : steps) {
        step(cluster, step, new int[] {leader});
        step(cluster, step.negated(), new int[] {0, 1, 2});
      }
      assertThat(cluster.queue(leader).tryClaim(claim)).as("a lease that steps ended").isEmpty();
      cluster.queue(leader).modify(Modification.delete(held)).orThrow();
      cluster.awaitAgreement();
    }
  }

  private MemberConfig.Builder withClock(MemberConfig.Builder settings) {
    AtomicLong ahead = aheadMs.get(settings.build().memberId());
    return settings.clock(
        () ->
            new SlewedClock(
                System::nanoTime,
                () -> System.currentTimeMillis() + ahead.get(),
                difference -> {}));
  }

  private void step(TestCluster cluster, Duration step, int[] ids) {
    for (int id : ids) {
      aheadMs.get(id).addAndGet(step.toMillis());
    }
    for (int id : ids) {
      awaitLookOfAllClients(cluster.member(id));
    }
    assertThat(cluster.members()).noneMatch(member -> member.ended().isDone());
    for (int id = 0; id < TestCluster.MEMBERS; id++) {
      cluster.queue(id).modify(Modification.insert("other", "after " + step)).orThrow();
    }
  }

  /**
   * Waits until each client has checked the driver, which would end the client if it looked dead.
   */
  private static void awaitLookOfAllClients(ClusterMember member) {
    DriverClients clients = new DriverClients(member);
    assertThat(clients.heartbeats())
        .as("consensus module, container, archive, session")
        .hasSizeGreaterThan(3);
    // A client checks before it reports its liveness. In the first round it may have checked
    // before the step.
    for (int i = 0; i < 2; i++) {
      Map<Integer, Long> told = clients.heartbeats();
      Await.until(
          "all clients of member " + member.config().memberId() + " have looked, or it has ended",
          () ->
              member.ended().isDone()
                  || clients.heartbeats().entrySet().stream()
                      .noneMatch(client -> client.getValue().equals(told.get(client.getKey()))));
    }
  }
}
