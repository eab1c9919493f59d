package io.entroq.simulator.disk;

/**
 * Ends a process. Thrown where it dies, and by all that it asks of its disk from then on; whoever
 * catches it inside the process has caught nothing.
 */
public final class SimulatedDeath extends Error {
  private static final long serialVersionUID = 1L;

  /**
   * @param where what it was about
   */
  public SimulatedDeath(String where) {
    super("the process is gone: " + where);
  }
}
