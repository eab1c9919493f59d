package io.entroq.engine.replica;

/** What a member knows of its leader, which decides what becomes of reads. */
public enum Contact {
  /**
   * It leads, or a leader hears it or did so until a short time ago: its state is not known to lag
   * behind, and reads may see it.
   */
  LEADER,

  /** There is no leader now: reads wait for one. */
  ELECTION,

  /** Others have a leader, which does not hear this member: its callers should go to another. */
  CUT_OFF
}
