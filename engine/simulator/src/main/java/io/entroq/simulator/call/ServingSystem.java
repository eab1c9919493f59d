package io.entroq.simulator.call;

/** An engine or a cluster that serves the clients of a world. One thread, one use. */
public interface ServingSystem extends Service {
  /** Starts it. */
  void open();

  /** Compares its whole state with the ledger's, if it is up. */
  void count();

  /**
   * Throws a violation unless it is up and has answered everything; some time after the last fault.
   */
  void requireAtRest();

  /** Closes it, and opens it again after a while; only while it is up. */
  void restart();

  /** Frees its memory; for the end of a world. */
  void switchOff();
}
