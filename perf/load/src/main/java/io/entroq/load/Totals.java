package io.entroq.load;

/**
 * What callers have done.
 *
 * @param inserted how many tasks they have inserted, the backlog left out
 * @param claimed how many they have claimed
 * @param deleted how many they have deleted
 * @param cycles how many cycles they have ended, those of the warm-up included
 * @param measuredCycles how many of them ended within the time that is measured
 * @param measuredTasks how many tasks those deleted
 */
public record Totals(
    long inserted,
    long claimed,
    long deleted,
    long cycles,
    long measuredCycles,
    long measuredTasks) {
  /** Nothing. */
  static final Totals NONE = new Totals(0, 0, 0, 0, 0, 0);

  /** Both together. */
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
