package io.entroq.engine.embedded;

/**
 * An identity for waiting claims: one of the engine's, used by one claim after another, or one that
 * a caller brings along for a single claim.
 *
 * <p>With one open number at a time everything below it has been answered, so each claim also
 * acknowledges the one before it, and the state keeps one receipt per lane. A lane belongs to
 * whoever took it from {@link Lanes}.
 */
final class Lane {
  private final long clientHigh;
  private final long clientLow;
  private final boolean isCallers;
  private long number;

  /** Number of the newest claim in the log; the engine's thread, or who has its answer. */
  private long loggedNumber;

  /** Number of the newest claim whose answer has arrived; whoever gives the lane back. */
  private volatile long arrivedNumber;

  Lane(long clientHigh, long clientLow) {
    this(clientHigh, clientLow, 0, false);
  }

  private Lane(long clientHigh, long clientLow, long number, boolean isCallers) {
    this.clientHigh = clientHigh;
    this.clientLow = clientLow;
    this.number = number;
    this.isCallers = isCallers;
  }

  /** The identity of a caller who numbers his requests himself, for one of them. */
  static Lane ofCaller(long clientHigh, long clientLow, long number) {
    Lane lane = new Lane(clientHigh, clientLow, number, true);
    // He may have asked before, and what waits or was assigned is under this number in any case.
    lane.logged(number);
    return lane;
  }

  /** Whether the identity is not the engine's: then others may ask under it as well. */
  boolean isCallers() {
    return isCallers;
  }

  /** Whether both stand for one and the same request. */
  boolean isSameRequest(Lane other) {
    return clientHigh == other.clientHigh && clientLow == other.clientLow && number == other.number;
  }

  long clientHigh() {
    return clientHigh;
  }

  long clientLow() {
    return clientLow;
  }

  /** Number of the present claim, or of the newest one; 0 before the first. */
  long number() {
    return number;
  }

  /** Takes the number for the next claim. */
  void next() {
    number++;
  }

  /**
   * The number was never logged, so the next claim has to use it: the state accepts no gap at 1.
   */
  void takeBack() {
    number--;
  }

  long loggedNumber() {
    return loggedNumber;
  }

  void logged(long newest) {
    loggedNumber = newest;
  }

  /** The answer to the newest claim has arrived, or it has none. */
  void arrived() {
    arrivedNumber = number;
  }

  /** Whether the answer to the newest claim in the log has arrived. */
  boolean hasArrived() {
    return arrivedNumber == loggedNumber;
  }
}
