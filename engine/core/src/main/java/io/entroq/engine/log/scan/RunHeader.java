package io.entroq.engine.log.scan;

import io.entroq.engine.log.LogRun;

/**
 * A run and what its first record says, zeros if that one is bad.
 *
 * @param isCut whether that is a cut which names the record before it as the last good one
 * @param cutRun number of the run in which that cut says the log ended; 0 if it names none
 */
record RunHeader(LogRun log, long sequence, int type, int logTag, boolean isCut, int cutRun) {
  boolean isReadable() {
    return sequence != 0;
  }

  /** Whether the first segment of the run is there and begins with a good record. */
  boolean isBegun() {
    return isReadable() && log.segments().get(0).number() == 0;
  }

  /** Whether the run begins with a cut of the log that has this tag. */
  boolean cuts(Integer tag) {
    return isCut && sequence == log.firstSequence() && tag != null && logTag == tag;
  }
}
