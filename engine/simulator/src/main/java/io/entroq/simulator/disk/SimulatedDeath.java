package io.entroq.simulator.disk;

/**
 * Ends a process. Thrown where the process dies, and by all its later calls to the disk, so
 * catching it inside the process does not help.
 */
public final class SimulatedDeath extends Error {
  private static final long serialVersionUID = 1L;

  public SimulatedDeath(String where) {
    super("the process is gone: " + where);
  }
}
