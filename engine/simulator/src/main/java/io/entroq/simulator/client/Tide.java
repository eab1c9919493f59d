package io.entroq.simulator.client;

import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;

/**
 * How many tasks there should be: now few, now many, now and then none at all, each for some
 * minutes.
 */
final class Tide implements Agenda.Event {
  private static final long MEAN_NS = 60_000_000_000L;

  private final Agenda agenda;
  private final Chance chance;
  private final int tasksMax;
  private int target;

  Tide(Agenda agenda, Chance chance, int tasksMax) {
    this.agenda = agenda;
    this.chance = chance;
    this.tasksMax = tasksMax;
    happen();
  }

  @Override
  public void happen() {
    target = draw();
    agenda.in(chance.waitNs(MEAN_NS), this);
  }

  private int draw() {
    int which = chance.below(100);
    if (which < 3) {
      return 0;
    }
    if (which < 25) {
      return chance.below(1 + tasksMax / 20);
    }
    return chance.below(1 + (which < 75 ? tasksMax / 4 : tasksMax));
  }

  /** Whether there should be no tasks for now. */
  boolean isEbb() {
    return target == 0;
  }

  /** In how many of a thousand turns tasks should be made, with so many of them there. */
  int producingPerMille(long openTasks) {
    if (target == 0) {
      return 0;
    }
    long lacking = target - openTasks;
    long perMille = 350 + lacking * 600 / (target / 2 + 20);
    return (int) Math.max(20, Math.min(900, perMille));
  }
}
