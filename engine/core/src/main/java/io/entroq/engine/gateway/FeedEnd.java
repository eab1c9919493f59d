package io.entroq.engine.gateway;

/**
 * Why a reader has ended.
 *
 * @param text what to tell the user, in one line
 */
public record FeedEnd(Reason reason, String text) {
  /** Each asks for something else from the user. */
  public enum Reason {
    /** The position is no longer kept. */
    OUT_OF_RANGE,
    /** The history cannot be read here at present: elsewhere, or later. */
    AWAY,
    /** The log does not reach the position. */
    FUTURE,
    /** The position is of another log, or of a past that was lost. */
    OTHER_LOG,
    /** The history cannot be read: too many readers do so, or its state is too large. */
    EXHAUSTED,
    /** The reader has taken nothing for too long while history was read for it. */
    SLOW,
    /** All that was asked for has been shown. */
    COMPLETE,
    /** The history or the engine has failed. */
    FAULT,
    /** The engine has been closed. */
    CLOSED
  }
}
