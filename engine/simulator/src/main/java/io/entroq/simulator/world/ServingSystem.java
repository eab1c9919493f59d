package io.entroq.simulator.world;

import io.entroq.simulator.call.Service;
import io.entroq.simulator.check.Ledger;

/** What serves the clients of a world, with its faults. One thread, one use. */
interface ServingSystem {
  /** Where requests go. */
  Service service();

  /** What watches it. */
  Ledger ledger();

  /** Starts it. */
  void open();

  /** From now on it gets into trouble. */
  void startTrouble();

  /** Ends all trouble that it is in; there is none from now on. */
  void endTrouble();

  /** Counts everything, if it is there to be counted. */
  void count();

  /** Some time after all trouble: fails if it is not all there, or has something to do. */
  void requireAtRest();

  /** Ends it in order, and starts it again after a while; only where it is all there. */
  void restart();

  /** Gives back its memory; for the end of a world. */
  void switchOff();
}
