package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogRun;

/**
 * A run and its first record; zeros if that is bad.
 *
 * @param isCut whether it is a cut that names the previous record as the last good one
 * @param cutRun number of the run in which, according to the cut, the log ended; 0 if not named
 */
record RunHeader(LogRun log, long sequence, int type, int logTag, boolean isCut, int cutRun) {
  boolean isReadable() {
    return sequence != 0;
  }

  /** Whether the first segment exists and begins with a good record. */
  boolean isBegun() {
    return isReadable() && log.segments().get(0).number() == 0;
  }

  /** Whether the run begins with a cut of the log with this tag. */
  boolean cuts(Integer tag) {
    return isCut && sequence == log.firstSequence() && tag != null && logTag == tag;
  }
}
