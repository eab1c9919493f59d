package io.entroq.engine.memory;

/** The source of every random choice, seeded by the first record of the log; part of the state. */
public final class DeterministicRandom {

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private long state;

  public void seed(long seed) {
    state = seed;
  }

  /** Determines all further draws. */
  public long state() {
    return state;
  }

  /** Draws 64 bits. */
  public long next() {
    state += STEP;
    return Mix.mix(state);
  }

  /** The next result of {@link #next}, without drawing it. */
  public long peek() {
    return Mix.mix(state + STEP);
  }

  public static boolean isHeads(long draw) {
    return draw < 0;
  }

  /**
   * The number in a draw, independent of its coin: from 0 to the next power of two above {@code
   * bound - 1}. It depends only on the magnitude of the bound, so it usually stays the same while
   * the bound changes a little.
   */
  public static int candidate(long draw, int bound) {
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(bound - 1);
    return (int) (((draw << 1) >>> 1) >>> (Long.SIZE - 1 - bits));
  }

  /** A uniform number from 0 to {@code bound} - 1; {@code bound} is above 0. */
  public int below(int bound) {
    return below(next(), bound);
  }

  /** Like {@link #below(int)}, starting with a given draw. */
  public int below(long draw, int bound) {
    int number = candidate(draw, bound);
    while (number >= bound) {
      number = candidate(next(), bound);
    }
    return number;
  }
}
