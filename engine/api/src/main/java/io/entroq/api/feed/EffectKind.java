package io.entroq.api.feed;

/** What happened. */
public enum EffectKind {
  /** A task is new. */
  INSERTED,
  /** A task was claimed. */
  CLAIMED,
  /** The lease of a task alone has changed. */
  RENEWED,
  /** A task was changed, in its queue. */
  CHANGED,
  /** A task was changed and is now in another queue. */
  MOVED,
  /** A task was deleted. */
  DELETED,
  /** A task was returned, because the caller that claimed it is gone or has cancelled. */
  GIVEN_BACK,
  /** Work on a task has failed; it stays in its queue, or {@link #DIED} follows. */
  FAILED,
  /** The engine moved a task to a dead queue, or to one for expired tasks. */
  DIED,
  /** A task was deleted because it expired. */
  EXPIRED,
  /** The lease of a task ended without a word about the work. */
  LAPSED,
  /** A task was deleted to make room in its queue. */
  DROPPED,
  /** The lease of a task was ended by somebody who need not hold it: the requester. */
  TAKEN_BACK,
  /** A doc is new. */
  DOC_INSERTED,
  /** A doc has new content. */
  DOC_CHANGED,
  /** A doc was deleted. */
  DOC_DELETED,
  /** A doc set was written, leased or claimed; follows the effects on its docs. */
  SET_WRITTEN,
  /** A doc set was removed, because too many sets had no docs. */
  SET_FORGOTTEN,
  /** The rules or the pause of a policy were written. */
  POLICY_WRITTEN,
  /** A policy was removed with its pause, or the pause of one without rules has ended. */
  POLICY_DELETED,
  /** Too many failures in a row have paused a queue. Precedes the effect of the last failure. */
  BREAKER_OPENED,
  /** Something that this version does not know. Shown, never asked for. */
  UNKNOWN
}
