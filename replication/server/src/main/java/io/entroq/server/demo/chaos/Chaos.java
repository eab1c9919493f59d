package io.entroq.server.demo.chaos;

import io.entroq.api.Task;
import java.util.SplittableRandom;
import java.util.function.ToLongFunction;

/**
 * Draws what befalls workers. The draw depends on the seed, the task and how often it was handed
 * out already, not on which thread asks when. Immutable; any thread.
 */
public final class Chaos {
  /** From this hand-out on nothing befalls a task, so that every one is done in the end. */
  private static final int HAND_OUTS_MAX = 8;

  private final long seed;
  private final double crashPercent;
  private final double hangPercent;
  private final ToLongFunction<Task> key;

  /**
   * Makes a source of chaos.
   *
   * @param crashPercent share of hand-outs that end in a crash, 0 to 100
   * @param hangPercent share of hand-outs that end in a hang, 0 to 100; both together up to 100
   * @param key a number for each task that is the same whenever the job is done
   */
  public Chaos(long seed, double crashPercent, double hangPercent, ToLongFunction<Task> key) {
    this.seed = seed;
    this.crashPercent = crashPercent;
    this.hangPercent = hangPercent;
    this.key = key;
  }

  /** What befalls the worker that was handed this task. */
  Fate fate(Task task) {
    if (task.claims() > HAND_OUTS_MAX) {
      return Fate.CALM;
    }
    long drawSeed = mix(seed + mix(key.applyAsLong(task) + mix(task.claims())));
    double draw = 100 * new SplittableRandom(drawSeed).nextDouble();
    if (draw < crashPercent) {
      return Fate.CRASH;
    }
    return draw < crashPercent + hangPercent ? Fate.HANG : Fate.CALM;
  }

  /** Spreads neighbouring numbers apart: the finalizer of MurmurHash3. */
  private static long mix(long number) {
    long mixed = (number ^ number >>> 33) * 0xFF51AFD7ED558CCDL;
    mixed = (mixed ^ mixed >>> 33) * 0xC4CEB9FE1A85EC53L;
    return mixed ^ mixed >>> 33;
  }
}
