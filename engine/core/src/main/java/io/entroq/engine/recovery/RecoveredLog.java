package io.entroq.engine.recovery;

import io.entroq.engine.log.scan.ScanReport;
import io.entroq.engine.log.scan.TornTail;

/**
 * The end of a recovered log, where the engine continues.
 *
 * @param sequence the last record; 0 if the log is empty and needs a genesis record
 * @param logTimeMs its log time
 * @param forcedSequence the last record known to be on the disk
 * @param logTag the tag of the log; 0 if it is empty
 */
public record RecoveredLog(
    long sequence, long logTimeMs, long forcedSequence, int logTag, ScanReport report) {
  public boolean isEmpty() {
    return sequence == 0;
  }

  /**
   * The torn tail that the first record of the new run must cut; null if there is none. An empty
   * log needs no cut, because its genesis record implies it.
   */
  public TornTail cut() {
    return isEmpty() ? null : report.tornTail();
  }
}
