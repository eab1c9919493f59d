package io.entroq.simulator.virtual;

import java.nio.charset.StandardCharsets;

/**
 * Random numbers from a seed, the same on every machine and JDK, which the JDK's generators do not
 * guarantee. Each part of a world forks a stream of its own, so that a part that draws more often
 * changes nothing for the others. One thread.
 */
public final class SeededRandom {
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private final long seed;
  private long state;

  public SeededRandom(long seed) {
    this.seed = seed;
    this.state = mix(seed + STEP);
  }

  /** A stream that depends on the seed of this one and on the name, and on nothing else. */
  public SeededRandom fork(String name) {
    long hash = seed;
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      hash = mix(hash * 31 + each);
    }
    return new SeededRandom(hash);
  }

  /** As {@link #fork(String)}, for the many of a kind. */
  public SeededRandom fork(String name, int index) {
    return new SeededRandom(mix(fork(name).seed + index * STEP));
  }

  /** Any number. */
  public long next() {
    state += STEP;
    return mix(state);
  }

  /** From 0 to below the bound, which is above 0. */
  public int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /** From the first to the last, both included. */
  public long between(long first, long last) {
    return first + Long.remainderUnsigned(next(), last - first + 1);
  }

  /** True once in so many. */
  public boolean oneIn(int times) {
    return below(times) == 0;
  }

  /** True so many times in a thousand. */
  public boolean permille(int times) {
    return below(1_000) < times;
  }

  /** Above 0, exponentially distributed: the time until what happens at random happens next. */
  public long waitNs(long meanNs) {
    double fraction = ((next() >>> 11) + 1) * 0x1.0p-53;
    return 1 + (long) (-StrictMath.log(fraction) * meanNs);
  }

  /** Scatters bits; a one-to-one mapping. */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
