package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogRun;

/**
 * Where a walk through the log begins.
 *
 * @param run null if the log has no place to begin with
 * @param segment index among the run's segments that are there
 * @param sequence the record that begins there
 * @param isLeading whether segments may be missing before it
 * @param trouble why the walk cannot begin there, null if it can
 */
record ScanStart(LogRun run, int segment, long sequence, boolean isLeading, String trouble) {
  /** At a segment that was looked at and begins with that record. */
  static ScanStart at(LogRun run, int segment, long sequence) {
    return new ScanStart(run, segment, sequence, true, null);
  }

  /** At the very beginning of a run. */
  static ScanStart of(LogRun run, long sequence) {
    return new ScanStart(run, 0, sequence, false, null);
  }

  /** Nowhere. */
  static ScanStart none(LogRun run, int segment, long sequence, String trouble) {
    return new ScanStart(run, segment, sequence, true, trouble);
  }

  /** Whether the record can be there, or behind: not if what the names say is all that is left. */
  boolean mayBegin(long record) {
    return isLeading
        ? sequence <= record
        : run.firstSequence() <= record && run.segments().get(0).number() == 0;
  }
}
