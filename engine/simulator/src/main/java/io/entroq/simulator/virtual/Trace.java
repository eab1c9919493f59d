package io.entroq.simulator.virtual;

import java.util.Locale;

/**
 * A hash of everything that happened in a world, in order. Equal runs have equal hashes. One
 * thread.
 */
public final class Trace {
  private long hash;
  private long steps;

  public void add(long what) {
    hash = SeededRandom.mix(hash ^ what) + steps;
    steps++;
  }

  /** How many values were added. */
  public long steps() {
    return steps;
  }

  /** 16 hexadecimal digits. */
  public String hex() {
    return String.format(Locale.ROOT, "%016x", hash);
  }
}
