package io.entroq.simulator.virtual;

import java.nio.charset.StandardCharsets;

/**
 * Random numbers from a seed, the same on every machine and JDK, which the JDK's generators do not
 * guarantee. Each part of a world forks its own stream, so drawing more often in one part does not
 * affect the others. One thread.
 */
public final class SeededRandom {
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private final long seed;
  private long state;

  public SeededRandom(long seed) {
    this.seed = seed;
    this.state = mix(seed + STEP);
  }

  /** A stream that depends only on this seed and the name. */
  public SeededRandom fork(String name) {
    long hash = seed;
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      hash = mix(hash * 31 + each);
    }
    return new SeededRandom(hash);
  }

  /** As {@link #fork(String)}, for one of many of a kind. */
  public SeededRandom fork(String name, int index) {
    return new SeededRandom(mix(fork(name).seed + index * STEP));
  }

  public long next() {
    state += STEP;
    return mix(state);
  }

  /** A number from 0 to below the bound, which is above 0. */
  public int below(int bound) {
    return (int) (((next() >>> 32) * bound) >>> 32);
  }

  /** A number from the first to the last, inclusive. */
  public long between(long first, long last) {
    return first + Long.remainderUnsigned(next(), last - first + 1);
  }

  /** True with probability 1/times. */
  public boolean oneIn(int times) {
    return below(times) == 0;
  }

  /** True with probability times/1000. */
  public boolean permille(int times) {
    return below(1_000) < times;
  }

  /** An exponentially distributed time above 0, until the next random event. */
  public long waitNs(long meanNs) {
    double fraction = ((next() >>> 11) + 1) * 0x1.0p-53;
    return 1 + (long) (-StrictMath.log(fraction) * meanNs);
  }

  /** Mixes bits; a bijection. */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
