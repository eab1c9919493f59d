package io.entroq.engine.memory;

/** The source of every random choice: seeded by the log's first record, and part of the state. */
public final class DeterministicRandom {

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private long state;

  public void seed(long seed) {
    state = seed;
  }

  /** What all further draws depend on. */
  public long state() {
    return state;
  }

  /** Draws 64 bits. */
  public long next() {
    state += STEP;
    return Mix.mix(state);
  }

  /** What {@link #next} will draw; draws nothing. */
  public long peek() {
    return Mix.mix(state + STEP);
  }

  /** The coin in a draw: heads or tails. */
  public static boolean isHeads(long draw) {
    return draw < 0;
  }

  /**
   * The number in a draw, beside its coin: from 0 to the next power of two above {@code bound - 1}.
   * Depends on the bound's size alone, so that it mostly stays what it is while the bound goes up
   * and down.
   */
  public static int candidate(long draw, int bound) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bound - 1);

    return (int) (((draw << 1) >>> 1) >>> (Long.SIZE - 1 - bits));
  }

  /** A number from 0 to bound - 1, all equally likely; bound above 0. */
  public int below(int bound) {
    return below(next(), bound);
  }

  /** The same, begun with a draw that was made already. */
  public int below(long draw, int bound) {
    int number = candidate(draw, bound);
    while (number >= bound) {
      number = candidate(next(), bound);
    }
    return number;
  }
}
