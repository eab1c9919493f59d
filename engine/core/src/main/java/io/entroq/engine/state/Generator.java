package io.entroq.engine.state;

import io.entroq.engine.memory.Mix;

/** The source of every choice: small, seeded by the log's first record, and part of the state. */
final class Generator {

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private long state;

  void seed(long seed) {
    state = seed;
  }

  long state() {
    return state;
  }

  private long next() {
    state += STEP;
    return Mix.mix(state);
  }

  /** Heads or tails. */
  boolean coin() {
    return next() < 0;
  }

  /** A number from 0 to bound - 1, bound above 0. */
  int below(int bound) {
    // 32 random bits scaled down: no value is preferred by more than bound / 2^32.
    return (int) (((next() >>> 32) * bound) >>> 32);
  }
}
