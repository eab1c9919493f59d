package io.entroq.simulator.hunt;

import io.entroq.codec.wire.log.Genesis;
import io.entroq.engine.state.Levels;

/**
 * How a world begins.
 *
 * @param seed of the engine's generator
 * @param level the behaviour level that its log begins with
 * @param startMs time of the first record
 */
public record Beginning(long seed, int level, long startMs) {
  private static final int LEVELS = Levels.MAX - Levels.MIN + 1;

  /** The beginning for a seed, which chooses the level too. */
  public static Beginning of(long seed, long startMs) {
    // The lowest bit of a seed says how a hunt is fed: every level is fed both ways.
    int level = Levels.MIN + (int) Math.floorMod(seed >> 1, (long) LEVELS);
    return new Beginning(seed, level, startMs);
  }

  Genesis genesis() {
    return Genesis.newBuilder()
        .setLogIdHigh(seed)
        .setLogIdLow(~seed)
        .setSeed(seed)
        .setLevel(level)
        .setCreatedMs(startMs)
        .build();
  }
}
