package io.entroq.cluster.mirror;

/** The state of a mirror. */
public enum MirrorState {
  /** No mirror is written. */
  OFF,
  /** Its content is being compared with the records that come; nothing is written. */
  PROVING,
  /** Each applied record is written. */
  FOLLOWING,
  /** It has dropped out and restarts when it can. Its content on disk is old or deleted. */
  OUT
}
