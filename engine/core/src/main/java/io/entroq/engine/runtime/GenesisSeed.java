package io.entroq.engine.runtime;

import java.util.random.RandomGenerator;

/**
 * The start of a new log.
 *
 * @param logIdHigh upper half of the log's id
 * @param logIdLow lower half
 * @param seed of the state machine's random generator
 */
public record GenesisSeed(long logIdHigh, long logIdLow, long seed) {
  public static GenesisSeed random(RandomGenerator random) {
    long low = random.nextLong();
    while ((int) low == 0) {
      // A tag of 0 says that there is no log.
      low = random.nextLong();
    }
    return new GenesisSeed(random.nextLong(), low, random.nextLong());
  }

  /** Marks every record of the log, to distinguish it from those of other logs. */
  public int logTag() {
    return (int) logIdLow;
  }
}
