package io.entroq.cluster.level;

import io.entroq.engine.state.Levels;

/**
 * The behaviour levels that a build supports.
 *
 * @param min the oldest, from 1
 * @param max the newest
 */
public record LevelRange(int min, int max) {
  /** From the oldest to the newest. */
  public LevelRange {
    if (min < 1 || max < min) {
      throw new IllegalArgumentException("levels %d to %d".formatted(min, max));
    }
  }

  /** Those of this build. */
  public static LevelRange ofThisBuild() {
    return new LevelRange(Levels.MIN, Levels.highest());
  }

  /** Whether a level is among them. */
  public boolean has(int level) {
    return level >= min && level <= max;
  }

  @Override
  public String toString() {
    return min == max ? String.valueOf(min) : min + " to " + max;
  }
}
