package io.entroq.cluster.member;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Tells the operator that the wall clock has jumped. */
final class ClockWarning {
  private static final Logger LOGGER = System.getLogger(ClockWarning.class.getName());

  private ClockWarning() {}

  static void log(long wallAheadMs) {
    LOGGER.log(
        Level.WARNING,
        "The wall clock is {0} ms ahead of this member''s clock, which is drawn towards it slowly",
        wallAheadMs);
  }
}
