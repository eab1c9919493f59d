package io.entroq.engine.time;

/** Hears when the log clock and the wall clock have come apart. */
@FunctionalInterface
public interface ClockListener {
  /**
   * The difference has grown above a second; called once each time that it does, on the thread that
   * feeds the state machine, so it must not block.
   *
   * @param aheadMs wall clock minus log clock, in milliseconds; negative if the wall clock is
   *     behind
   */
  void onDeviation(long aheadMs);
}
