package io.entroq.engine.task;

/**
 * What the writes of a task tell about the work on it. In flight, which is what limits count, are
 * {@link #HELD} and {@link #SPOKEN}. Always {@link #NONE} below behavior level 8.
 */
public final class Holds {

  /** Nobody works on it. */
  public static final int NONE = 0;

  /** Claimed with a lease; its holder has only renewed it since. */
  public static final int HELD = 1;

  /** In flight, and its holder has written to it: if the arrival time comes, that is no lapse. */
  public static final int SPOKEN = 2;

  /**
   * Ready, because a lease ended without a word; not written since, so the holder may come back.
   */
  public static final int LAPSED = 3;

  /** Work on it has failed, and it waits to be tried again. */
  public static final int RESTING = 4;

  private Holds() {}

  /** Whether somebody works on a task, as far as its writes tell. */
  public static boolean isInFlight(int hold) {
    return hold == HELD || hold == SPOKEN;
  }
}
