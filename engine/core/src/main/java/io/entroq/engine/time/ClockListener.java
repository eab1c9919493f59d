package io.entroq.engine.time;

/** Is notified when log time deviates from the wall clock. */
@FunctionalInterface
public interface ClockListener {
  /**
   * Called each time the difference grows above a second, on the applying thread; must not block.
   *
   * @param aheadMs wall clock minus log clock, in milliseconds; negative if the wall clock is
   *     behind
   */
  void onDeviation(long aheadMs);

  /**
   * Called when log time has skipped time for which the machine was suspended, on the applying
   * thread; must not block.
   *
   * @param skippedMs in milliseconds, above a second
   */
  default void onSuspension(long skippedMs) {}
}
