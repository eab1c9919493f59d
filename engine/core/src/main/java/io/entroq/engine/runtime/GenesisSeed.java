package io.entroq.engine.runtime;

import java.util.random.RandomGenerator;

/**
 * What a new log gets to begin with.
 *
 * @param logIdHigh upper half of the id that names the log
 * @param logIdLow lower half
 * @param seed of the generator behind every choice
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

  /** What every record of the log carries, to be told from those of other logs. */
  public int logTag() {
    return (int) logIdLow;
  }
}
