package io.entroq.load;

/**
 * The totals of callers.
 *
 * @param inserted tasks, without the backlog
 * @param claimed tasks
 * @param deleted tasks
 * @param cycles ended, including those of the warm-up
 * @param measuredCycles that ended within the measured time
 * @param measuredTasks that those deleted
 */
public record Totals(
    long inserted,
    long claimed,
    long deleted,
    long cycles,
    long measuredCycles,
    long measuredTasks) {
  static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);

  Totals plus(Totals other) {
    return new Totals(
        inserted + other.inserted,
        claimed + other.claimed,
        deleted + other.deleted,
        cycles + other.cycles,
        measuredCycles + other.measuredCycles,
        measuredTasks + other.measuredTasks);
  }
}
