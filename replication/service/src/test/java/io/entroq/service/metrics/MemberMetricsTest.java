package io.entroq.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.member.MemberStatus;
import io.entroq.cluster.mirror.MirrorState;
import io.entroq.cluster.mirror.MirrorStats;
import io.entroq.cluster.retention.RetentionStats;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.gateway.EngineStats;
import io.entroq.engine.gateway.ProposalStats;
import io.entroq.engine.maintenance.SnapshotStats;
import io.entroq.engine.time.ClockStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page of numbers has of a member of a cluster. */
class MemberMetricsTest {
  private static final String OURS = "entroq_member_";

  private final EmbeddedEntroQ queue = EmbeddedEntroQ.inMemory();
  private final Metrics metrics = new Metrics(new MetricsConfig(2, Duration.ZERO), queue.gateway());
  private boolean hasEnded;

  @AfterEach
  void close() {
    metrics.close();
    queue.close();
  }

  @Test
  void shouldReportTheStatisticsOfTheMember() throws Exception {
    metrics.member(new Told());
    assertThat(page())
        .contains(
            "entroq_member_role{role=\"follower\"} 1.0\n",
            "entroq_member_role{role=\"leader\"} 0.0\n",
            "entroq_member_in_touch 1.0\n",
            "entroq_member_term 3.0\n",
            "entroq_member_lag_bytes 96.0\n",
            "entroq_member_snapshot_age_seconds 1.5\n",
            "entroq_member_snapshot_pause_seconds 0.25\n",
            "entroq_member_mirror_state{state=\"out\"} 1.0\n",
            "entroq_member_mirror_state{state=\"following\"} 0.0\n",
            "entroq_member_mirror_lag_bytes 10.0\n",
            "entroq_member_mirror_dropouts_total 2.0\n",
            "entroq_member_requests_in_flight 12.0\n",
            "entroq_member_proposals_unsent 3.0\n",
            "entroq_member_proposals_unanswered 4.0\n",
            "entroq_member_proposal_oldest_seconds 1.5\n",
            "entroq_member_leader_clock_ahead_seconds -61.5\n",
            "entroq_clock_wall_ahead_seconds -0.25\n",
            "entroq_clock_deviations_total 2.0\n",
            "entroq_disk_usable_bytes 4096.0\n",
            "entroq_tasks 0.0\n",
            "entroq_disk_low 0.0\n",
            "entroq_writes_refused_total{reason=\"disk\"} 0.0\n",
            "entroq_writes_refused_total{reason=\"memory\"} 0.0\n");
  }

  @Test
  void shouldReportNothingOfAMemberThatHasEnded() throws Exception {
    hasEnded = true;
    metrics.member(new Told());
    assertThat(page()).contains("entroq_member_term NaN\n", "entroq_tasks NaN\n");
  }

  /** The table, the page, the dashboard and the alerts speak of the same names. */
  @Test
  void shouldReportAllDocumentedMemberMetrics() throws Exception {
    metrics.member(new Told());
    Set<String> reported = MetricsTest.reported(page());
    Set<String> table = MetricsTest.inTable("members.md");
    assertThat(reported).containsAll(table);
    assertThat(members(table)).isEqualTo(members(reported));
    for (String file : List.of("member-alerts.yml", "dashboard.json")) {
      Set<String> used = members(MetricsTest.used(file));
      assertThat(used).isNotEmpty();
      assertThat(reported).as(file).containsAll(used);
    }
  }

  private static Set<String> members(Set<String> names) {
    return names.stream()
        .filter(name -> name.startsWith(OURS))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String page() throws Exception {
    return metrics.page().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }

  private final class Told implements MemberNumbers {
    @Override
    public Optional<MemberStatus> status() {
      return hasEnded
          ? Optional.empty()
          : Optional.of(new MemberStatus(1, "FOLLOWER", "CLOSED", 0, 3, 1_120, 1_024, 7, 2));
    }

    @Override
    public RetentionStats retention() {
      SnapshotStats snapshots = new SnapshotStats(2, 0, 5, 900, 250_000_000, 0, 0, 0);
      return new RetentionStats(snapshots, 512, 1_500, 2, 608, 2_048, 0, new TreeSet<>(), 0);
    }

    @Override
    public MirrorStats mirror() {
      return new MirrorStats(MirrorState.OUT, 6, 10, 1, 2, 1);
    }

    @Override
    public Optional<EngineStats> engine() {
      return hasEnded ? Optional.empty() : Optional.of(queue.stats());
    }

    @Override
    public ProposalStats proposals() {
      return new ProposalStats(12, 3, 4, 1_500_000_000);
    }

    @Override
    public ClockStats clock() {
      return new ClockStats(-250, 2);
    }

    @Override
    public long leaderAheadMs() {
      return -61_500;
    }

    @Override
    public double diskUsableBytes() {
      return 4_096;
    }
  }
}
