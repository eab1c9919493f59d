package io.entroq.simulator.hunt;

/** Who puts the commands of a hunt in order, and with what right. */
public enum Feeding {
  /**
   * As the embedded engine does: ticks before anything that is due, every command is prepared
   * first, and what changes nothing is answered without a record.
   */
  PREPARED,

  /** As a cluster does: every command has a record already. */
  LOGGED
}
