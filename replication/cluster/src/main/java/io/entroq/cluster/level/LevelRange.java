package io.entroq.cluster.level;

import io.entroq.engine.state.Levels;

/**
 * The behavior levels that a build supports.
 *
 * @param min the oldest, from 1
 * @param max the newest
 */
public record LevelRange(int min, int max) {
  public LevelRange {
    if (min < 1 || max < min) {
      throw new IllegalArgumentException("levels %d to %d".formatted(min, max));
    }
  }

  /** The levels of this build. */
  public static LevelRange ofThisBuild() {
    return new LevelRange(Levels.MIN, Levels.highest());
  }

  public boolean has(int level) {
    return level >= min && level <= max;
  }

  @Override
  public String toString() {
    return min == max ? String.valueOf(min) : min + " to " + max;
  }
}
