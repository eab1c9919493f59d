package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogRun;

/**
 * Where a scan starts.
 *
 * @param run null if the log has no run to start with
 * @param segment index among the run's existing segments
 * @param sequence the first record there
 * @param isLeading whether segments before it may be missing
 * @param trouble why the scan cannot start there; null if it can
 */
record ScanStart(LogRun run, int segment, long sequence, boolean isLeading, String trouble) {
  /** At a segment that begins with this record. */
  static ScanStart at(LogRun run, int segment, long sequence) {
    return new ScanStart(run, segment, sequence, true, null);
  }

  /** At the beginning of a run. */
  static ScanStart of(LogRun run, long sequence) {
    return new ScanStart(run, 0, sequence, false, null);
  }

  /** Impossible. */
  static ScanStart none(LogRun run, int segment, long sequence, String trouble) {
    return new ScanStart(run, segment, sequence, true, trouble);
  }

  /** Whether the record may be at or after the start. */
  boolean mayBegin(long record) {
    return isLeading
        ? sequence <= record
        : run.firstSequence() <= record && run.segments().get(0).number() == 0;
  }
}
