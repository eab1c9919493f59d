package io.entroq.engine.recovery;

import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.TornTail;

/**
 * Where a recovered log ends and how to go on.
 *
 * @param sequence the last record replayed; 0: the log is empty and begins with a genesis record
 * @param logTimeMs its log time
 * @param forcedSequence the last record known to be on the disk
 * @param logTag the tag of the log, 0 if it is empty
 */
public record RecoveredLog(
    long sequence, long logTimeMs, long forcedSequence, int logTag, ScanReport report) {
  public boolean isEmpty() {
    return sequence == 0;
  }

  /**
   * The torn tail that the first record of the new run must name as cut, null if none. An empty log
   * needs no such record: its genesis says the same.
   */
  public TornTail cut() {
    return isEmpty() ? null : report.tornTail();
  }
}
