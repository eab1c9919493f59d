package io.entroq.engine.recovery;

import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.snapshot.Snapshot;
import java.util.List;

/**
 * What a cut would do.
 *
 * @param sequence the first discarded record
 * @param cutTimeMs log time of the record before it
 * @param report the log from a snapshot or its beginning
 * @param ahead snapshots that include discarded records, newest first
 */
public record RepairPlan(long sequence, long cutTimeMs, ScanReport report, List<Snapshot> ahead) {
  public RepairPlan {
    ahead = List.copyOf(ahead);
  }

  /** Whether the log is undamaged and ends there anyway. */
  public boolean isIdle() {
    return sequence == report.lastSequence() + 1
        && !report.isDamaged()
        && !report.isTorn()
        && ahead.isEmpty();
  }
}
