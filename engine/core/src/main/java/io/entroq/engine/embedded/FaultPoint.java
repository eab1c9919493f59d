package io.entroq.engine.embedded;

/** Places where a crash would be most telling; tests arm them, otherwise nothing happens there. */
enum FaultPoint {
  /** A command has been checked; neither log nor state knows of it. */
  AFTER_PREPARE_BEFORE_APPEND,
  /** A command is in the log and not yet in the state. */
  AFTER_APPEND_BEFORE_COMMIT,
  /** A command is in log and state; its caller knows nothing. */
  AFTER_COMMIT_BEFORE_REPLY,
  /** Records are about to be forced. */
  BEFORE_FORCE,
  /** Records have been forced; the replies that waited for it have not left. */
  AFTER_FORCE_BEFORE_RELEASE;

  /** What a test does where a point is reached. */
  @FunctionalInterface
  interface Hook {
    /** The hook of every engine outside tests. */
    Hook NONE = point -> {};

    /** Called by the thread that reached the point; may throw or end the process. */
    void reached(FaultPoint point);
  }
}
