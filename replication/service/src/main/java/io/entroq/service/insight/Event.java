package io.entroq.service.insight;

/** What is counted of a task. The ordinals are indexes of counts. */
public enum Event {
  /** Inserted, or moved here. */
  INSERTED,
  CLAIMED,
  /** Work on it ended without a failure. */
  DONE,
  FAILED,
  LAPSED,
  /** It failed or lapsed too often, expired, made room, or was moved to a dead queue. */
  DEAD;

  static final int COUNT = values().length;
}
