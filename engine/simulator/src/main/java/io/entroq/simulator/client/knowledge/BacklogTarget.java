package io.entroq.simulator.client.knowledge;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * The target number of tasks, which changes about every minute between few and many, and is
 * sometimes zero until the world is empty.
 */
public final class BacklogTarget implements EventQueue.Event {
  private static final long MEAN_NS = 60_000_000_000L;
  private static final int DRAINING_ONE_IN = 120;

  /** A target is low if it is so many times below the maximum. */
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

  /** How many of a thousand recent claims found nothing. */
  private int emptyPerMille;

  /**
   * @param drainingNsMin the shortest time with a target of zero
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

  /** Whether the target is zero. */
  public boolean isDraining() {
    return target == 0;
  }

  /**
   * A claim from all queues found nothing.
   *
   * @return whether that ends the draining
   */
  public boolean foundNothing() {
    if (!isDraining() || events.nowNs() < drainingSinceNs + drainingNsMin) {
      return false;
    }
    step();
    return true;
  }

  /** A claim that does not wait was answered. */
  public void claimed(boolean foundNothing) {
    emptyPerMille += ((foundNothing ? 1_000 : 0) - emptyPerMille) / SMOOTHING;
  }

  /** With a low target, some claims should wait or find nothing. */
  private int leastPerMille() {
    return target < tasksMax / LEAN ? emptyPerMille / 3 : emptyPerMille;
  }

  /** How many of a thousand actions should insert tasks, given the number of tasks. */
  public int producingPerMille(long openTasks) {
    if (isDraining()) {
      return 0;
    }
    long lacking = target - openTasks;
    long perMille = 350 + lacking * 600 / (target / 2 + 20);
    // Many tasks may all be held or not due.
    long least = openTasks < tasksMax ? leastPerMille() : LEAST_PER_MILLE;
    return (int) Math.max(least, Math.min(MOST_PER_MILLE, perMille));
  }
}
