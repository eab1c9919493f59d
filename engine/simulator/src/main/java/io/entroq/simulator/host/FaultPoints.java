package io.entroq.simulator.host;

import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.simulator.disk.SimulatedDeath;
import io.entroq.simulator.fault.Faults;

/** Kills the engine's process at a fault point. One thread. */
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

  /** Kills the process when it reaches this point for the n-th time from now. */
  void arm(FaultPoint point, int times) {
    armed = point;
    left = times;
  }

  /** Cancels the order and forgets whether it has killed. */
  void disarm() {
    armed = null;
    hasKilled = false;
  }

  /** Whether the process has died at a fault point. */
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
