package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.SnapshotReports;
import io.entroq.cluster.service.StateDigest;
import java.util.concurrent.TimeUnit;

/** Says which snapshot this member holds until that has come out of the log. Upkeep thread. */
final class SnapshotAnnouncer {
  /** What has not come out by then is said again. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);

  private final UpkeepTarget member;
  private final SnapshotReports reports;
  private long toldPosition = SnapshotReports.NONE;
  private long toldNs;

  SnapshotAnnouncer(UpkeepTarget member, SnapshotReports reports) {
    this.member = member;
    this.reports = reports;
  }

  /**
   * @param position of the newest snapshot
   */
  void announce(long position) {
    SnapshotReports.Held held = reports.held();
    StateDigest digest = held.digests().get(position);
    if (digest == null || held.positions().get(member.memberId()) >= position) {
      return;
    }
    long nowNs = System.nanoTime();
    if (toldPosition != position || nowNs - toldNs > RETRY_NS) {
      toldPosition = position;
      toldNs = nowNs;
      member.tell(new SnapshotReport(member.memberId(), position, digest));
    }
  }
}
