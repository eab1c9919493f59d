package io.entroq.simulator.fault;

/** A source of faults. */
public interface Trouble {
  void start();

  /** Repairs what is still broken, and injects nothing more. */
  void end();
}
