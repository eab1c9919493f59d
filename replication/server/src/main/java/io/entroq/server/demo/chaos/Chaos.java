package io.entroq.server.demo.chaos;

import io.entroq.api.Task;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * Decides which workers crash or hang. The decision depends only on the seed, the task and its
 * number of claims, not on threads or timing. Immutable; any thread.
 */
public final class Chaos {
  /** Later claims of a task are spared, so that every task is done eventually. */
  private static final int CHAOTIC_CLAIMS_MAX = 8;

  private final long seed;
  private final double crashPercent;
  private final double hangPercent;
  private final ToLongFunction<Task> key;

  /**
   * @param crashPercent percentage of claims that end in a crash
   * @param hangPercent percentage of claims that end in a hang; the sum of both is at most 100
   * @param key maps a task to a number that is the same in every run of the job
   */
  public Chaos(long seed, double crashPercent, double hangPercent, ToLongFunction<Task> key) {
    this.seed = seed;
    this.crashPercent = crashPercent;
    this.hangPercent = hangPercent;
    this.key = key;
  }

  /** The fate of the worker that has claimed this task. */
  Fate fate(Task task) {
    if (task.claims() > CHAOTIC_CLAIMS_MAX) {
      return Fate.NONE;
    }
    long drawSeed = mix(seed + mix(key.applyAsLong(task) + mix(task.claims())));
    double draw = 100 * new SplittableRandom(drawSeed).nextDouble();
    if (draw < crashPercent) {
      return Fate.CRASH;
    }
    return draw < crashPercent + hangPercent ? Fate.HANG : Fate.NONE;
  }

  /** Spreads adjacent numbers apart: the finalizer of MurmurHash3. */
  private static long mix(long number) {
    long mixed = (number ^ number >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
