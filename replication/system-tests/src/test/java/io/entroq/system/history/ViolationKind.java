package io.entroq.system.history;

/** The ways in which a queue can be wrong. */
public enum ViolationKind {
  /** An acknowledged effect is missing, or an existing version was rejected. */
  LOST,
  /** A version has two ends or two holders, or something follows a deletion. */
  DOUBLED,
  /** Something exists that no caller requested, or that was refused. */
  PHANTOM,
  /** An operation or a member makes no progress. */
  STUCK,
  /** A caller did not see its own write. */
  STALE,
  /** A member ended without a cause in the trial, or members differ. */
  ENDED,
  /** A member keeps more data than it should, or a mirror with another state. */
  LEFTOVER
}
