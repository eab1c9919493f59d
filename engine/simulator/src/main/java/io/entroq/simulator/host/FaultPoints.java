package io.entroq.simulator.host;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.fault.Faults;

/** Lets the engine's process die at a named point. One thread. */
final class FaultPoints implements FaultHook {
  private final Runnable death;
  private final Faults faults;
  private FaultPoint armed;
  private int left;
  private boolean hasKilled;

  /**
   * @param death ends the process
   */
  FaultPoints(Runnable death, Faults faults) {
    this.death = death;
    this.faults = faults;
  }

  /** It dies where it comes to this point for the n-th time from now on. */
  void arm(FaultPoint point, int times) {
    armed = point;
    left = times;
  }

  /** Nobody dies of this any more; what has happened is forgotten. */
  void disarm() {
    armed = null;
    hasKilled = false;
  }

  /** Whether the process has died of this. */
  boolean hasKilled() {
    return hasKilled;
  }

  @Override
  public void reached(FaultPoint point) {
    if (point == armed && --left == 0) {
      hasKilled = true;
      faults.countDeathAt(point);
      death.run();
      throw new SimulatedDeath(point.name());
    }
  }
}
