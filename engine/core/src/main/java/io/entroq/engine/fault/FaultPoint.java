package io.entroq.engine.fault;

/**
 * The points at which a crash reveals most. In production nothing happens at them; see {@link
 * FaultHook}.
 */
public enum FaultPoint {
  /** The state is recovered and a run has been started; it is still empty. */
  BEFORE_FIRST_COMMANDS,
  /** The mark of a clean close is removed; the record that makes it outdated is not written yet. */
  AFTER_CLOSED_MARK_REMOVED,
  /** A command is checked; it is neither in the log nor in the state. */
  AFTER_PREPARE_BEFORE_APPEND,
  /** A segment has its first record; the previous one is not truncated to its length yet. */
  AFTER_ROLL,
  /** A command is in the log, but not in the state. */
  AFTER_APPEND_BEFORE_COMMIT,
  /** A command is in log and state; its reply has not been sent. */
  AFTER_COMMIT_BEFORE_REPLY,
  /** Records are about to be forced. */
  BEFORE_FORCE,
  /** Records are forced; the replies that waited for it have not been sent. */
  AFTER_FORCE_BEFORE_RELEASE,
  /** A state is frozen; nothing of its snapshot is on disk. */
  BEFORE_SNAPSHOT,
  /** A snapshot and the log up to it are on disk; the snapshot does not have its final name. */
  BEFORE_SNAPSHOT_NAMED,
  /** A snapshot is published; what it makes obsolete is still there. */
  AFTER_SNAPSHOT_NAMED,
  /** Older snapshots are removed; the log that only they needed is still there. */
  AFTER_SNAPSHOTS_REMOVED,
  /** Everything that a snapshot makes obsolete is removed. */
  AFTER_LOG_REMOVED,
  /** The log is closed and its last segment truncated; the mark of a clean close is missing. */
  BEFORE_CLOSED_MARK
}
