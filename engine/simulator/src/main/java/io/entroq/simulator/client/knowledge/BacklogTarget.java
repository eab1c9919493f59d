package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * How many tasks there should be: few, then many, each for about a minute, and sometimes none,
 * until at last there are none.
 */
public final class BacklogTarget implements EventQueue.Event {
  private static final long MEAN_NS = 60_000_000_000L;
  private static final int DRAINING_ONE_IN = 120;

  /** There are few of them if there are so many times fewer than there may be. */
  private static final int LEAN = 20;

  private static final int SMOOTHING = 16;
  private static final int LEAST_PER_MILLE = 20;
  private static final int MOST_PER_MILLE = 900;

  private final EventQueue events;
  private final SeededRandom random;
  private final int tasksMax;
  private final long drainingNsMin;
  private int target;
  private long drainingSinceNs;

  /** Lately, how many of a thousand claims found nothing. */
  private int emptyPerMille;

  /**
   * @param drainingNsMin for how long there should be none at least
   */
  public BacklogTarget(EventQueue events, SeededRandom random, int tasksMax, long drainingNsMin) {
    this.events = events;
    this.random = random;
    this.tasksMax = tasksMax;
    this.drainingNsMin = drainingNsMin;
    step();
    events.in(random.waitNs(MEAN_NS), this);
  }

  @Override
  public void happen() {
    if (!isDraining()) {
      if (random.oneIn(DRAINING_ONE_IN)) {
        target = 0;
        drainingSinceNs = events.nowNs();
      } else {
        step();
      }
    }
    events.in(random.waitNs(MEAN_NS), this);
  }

  private void step() {
    int which = random.below(100);
    int most = which < 75 ? tasksMax / 4 : tasksMax;
    target = 1 + random.below(which < 25 ? 1 + tasksMax / LEAN : 1 + most);
  }

  /** Whether there should be no tasks for now. */
  public boolean isDraining() {
    return target == 0;
  }

  /**
   * Nothing was to be had anywhere.
   *
   * @return whether that is the end of an ebb
   */
  public boolean foundNothing() {
    if (!isDraining() || events.nowNs() < drainingSinceNs + drainingNsMin) {
      return false;
    }
    step();
    return true;
  }

  /** A worker's claim that did not wait has been answered. */
  public void claimed(boolean foundNothing) {
    emptyPerMille += ((foundNothing ? 1_000 : 0) - emptyPerMille) / SMOOTHING;
  }

  /** Where few are wanted some claims should wait, and some find nothing. */
  private int leastPerMille() {
    return target < tasksMax / LEAN ? emptyPerMille / 3 : emptyPerMille;
  }

  /** In how many of a thousand turns tasks should be made, with so many of them there. */
  public int producingPerMille(long openTasks) {
    if (isDraining()) {
      return 0;
    }
    long lacking = target - openTasks;
    long perMille = 350 + lacking * 600 / (target / 2 + 20);
    // There may be many, and all of them held or not due.
    long least = openTasks < tasksMax ? leastPerMille() : LEAST_PER_MILLE;
    return (int) Math.max(least, Math.min(MOST_PER_MILLE, perMille));
  }
}
