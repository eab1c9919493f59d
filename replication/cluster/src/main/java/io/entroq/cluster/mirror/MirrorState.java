package io.entroq.cluster.mirror;

/** What a mirror is at. */
public enum MirrorState {
  /** There is none. */
  OFF,
  /** What it holds is being compared with the records that come; nothing is written. */
  PROVING,
  /** Each record that is applied is written down. */
  FOLLOWING,
  /**
   * It has dropped out, and begins anew when it can. What it holds on the disk is old, or no more.
   */
  OUT
}
