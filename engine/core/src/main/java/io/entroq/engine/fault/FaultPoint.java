package io.entroq.engine.fault;

/**
 * Places where a crash would be most telling; whoever plays one arms them, otherwise nothing
 * happens there.
 */
public enum FaultPoint {
  /** The state is recovered and there is a run to go on in; nothing is in it. */
  BEFORE_FIRST_COMMANDS,
  /** The mark of an orderly end is gone, and the record that makes it untrue is not written. */
  AFTER_CLOSED_MARK_REMOVED,
  /** A command has been checked; neither log nor state knows of it. */
  AFTER_PREPARE_BEFORE_APPEND,
  /** A segment has its first record; the one before it is still longer than what stands in it. */
  AFTER_ROLL,
  /** A command is in the log and not yet in the state. */
  AFTER_APPEND_BEFORE_COMMIT,
  /** A command is in log and state; its caller knows nothing. */
  AFTER_COMMIT_BEFORE_REPLY,
  /** Records are about to be forced. */
  BEFORE_FORCE,
  /** Records have been forced; the replies that waited for it have not left. */
  AFTER_FORCE_BEFORE_RELEASE,
  /** A state is frozen; nothing of its snapshot is on the disk. */
  BEFORE_SNAPSHOT,
  /** All of a snapshot is on the disk, and the log up to it; it has not got its name. */
  BEFORE_SNAPSHOT_NAMED,
  /** A snapshot counts; what it makes superfluous is still there. */
  AFTER_SNAPSHOT_NAMED,
  /** Older snapshots are gone; the log that only they needed is still there. */
  AFTER_SNAPSHOTS_REMOVED,
  /** All that a snapshot makes superfluous is gone. */
  AFTER_LOG_REMOVED,
  /** The log is closed and the last segment ends behind its last record; no mark says so yet. */
  BEFORE_CLOSED_MARK
}
