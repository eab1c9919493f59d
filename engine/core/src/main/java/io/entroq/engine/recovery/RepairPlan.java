package io.entroq.engine.recovery;

import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Snapshot;
import java.util.List;

/**
 * What a cut would do.
 *
 * @param sequence the first record that is given up
 * @param cutTimeMs log time of the record before it
 * @param report what the log holds, from a snapshot on or from its beginning
 * @param ahead the snapshots that hold records which are given up, the newest first
 */
public record RepairPlan(long sequence, long cutTimeMs, ScanReport report, List<Snapshot> ahead) {
  public RepairPlan {
    ahead = List.copyOf(ahead);
  }

  /** Whether the log is sound and ends there anyway. */
  public boolean isIdle() {
    return sequence == report.lastSequence() + 1
        && !report.isDamaged()
        && !report.isTorn()
        && ahead.isEmpty();
  }
}
