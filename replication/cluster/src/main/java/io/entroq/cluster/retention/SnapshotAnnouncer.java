package io.entroq.cluster.retention;

import io.entroq.cluster.service.SnapshotReport;
import io.entroq.cluster.service.SnapshotReports;
import io.entroq.cluster.service.StateDigest;
import java.util.concurrent.TimeUnit;

/**
 * Announces this member's newest snapshot until the announcement comes out of the log. Upkeep
 * thread.
 */
final class SnapshotAnnouncer {
  /** Before a lost announcement is repeated. */
  private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(5);

  private final UpkeepTarget member;
  private final SnapshotReports reports;
  private long announcedPosition = SnapshotReports.NONE;
  private long announcedNs;

  SnapshotAnnouncer(UpkeepTarget member, SnapshotReports reports) {
    this.member = member;
    this.reports = reports;
  }

  void announce(long position) {
    SnapshotReports.Held held = reports.held();
    StateDigest digest = held.digests().get(position);
    if (digest == null || held.positions().get(member.memberId()) >= position) {
      return;
    }
    long nowNs = System.nanoTime();
    if (announcedPosition != position || nowNs - announcedNs > RETRY_NS) {
      announcedPosition = position;
      announcedNs = nowNs;
      member.send(new SnapshotReport(member.memberId(), position, digest));
    }
  }
}
