package io.entroq.engine.request;

/**
 * An identity for waiting claims: one of the engine's, used by one claim after another, or one that
 * a caller brings along for a single claim.
 *
 * <p>With one open number at a time everything below it has been answered, so each claim also
 * acknowledges the one before it, and the state keeps one receipt per lane. A lane belongs to
 * whoever took it from {@link Lanes}.
 */
public final class Lane {
  /** In place of the number of an answer that nobody takes. */
  private static final long NOBODY = -1;

  private final long clientHigh;
  private final long clientLow;
  private final boolean isCallers;
  private long number;

  /** Number of the newest claim in the log; the engine's thread, or who has its answer. */
  private long loggedNumber;

  /**
   * Number of the newest claim whose answer has arrived, as far as can be told here: whoever gives
   * the lane back.
   */
  private volatile long arrivedNumber;

  // Of whoever has the engine's seat.
  private long answeredNumber;
  private long quietNumber;
  private boolean isLookedFor;

  public Lane(long clientHigh, long clientLow) {
    this(clientHigh, clientLow, 0, false);
  }

  private Lane(long clientHigh, long clientLow, long number, boolean isCallers) {
    this.clientHigh = clientHigh;
    this.clientLow = clientLow;
    this.number = number;
    this.isCallers = isCallers;
  }

  /** The identity of a caller who numbers his requests himself, for one of them. */
  public static Lane ofCaller(long clientHigh, long clientLow, long number) {
    Lane lane = new Lane(clientHigh, clientLow, number, true);
    // He may have asked before, and what waits or was assigned is under this number in any case.
    lane.logged(number);
    return lane;
  }

  /** Whether the identity is not the engine's: then others may ask under it as well. */
  public boolean isCallers() {
    return isCallers;
  }

  /** Whether both stand for one and the same request. */
  public boolean isSameRequest(Lane other) {
    return clientHigh == other.clientHigh && clientLow == other.clientLow && number == other.number;
  }

  public long clientHigh() {
    return clientHigh;
  }

  public long clientLow() {
    return clientLow;
  }

  /** Number of the present claim, or of the newest one; 0 before the first. */
  public long number() {
    return number;
  }

  /** Takes the number for the next claim. */
  public void next() {
    number++;
  }

  /**
   * The number was never logged, so the next claim has to use it: the state accepts no gap at 1.
   */
  public void takeBack() {
    number--;
  }

  public long loggedNumber() {
    return loggedNumber;
  }

  public void logged(long newest) {
    loggedNumber = newest;
  }

  /** The answer to the newest claim has arrived, or it has none. */
  void arrived() {
    arrivedNumber = number;
  }

  /**
   * Whoever was to get the answer is gone, or it will not be asked for under this lane. Only one
   * that is not used again.
   */
  public void abandon() {
    arrivedNumber = NOBODY;
  }

  // What the DeliveryAcks note.

  /** The newest claim has been answered with tasks. */
  void answered() {
    answeredNumber = number;
  }

  /** Whether the answer that was noted has arrived. */
  boolean hasArrived() {
    return arrivedNumber == answeredNumber;
  }

  /** Whether nobody takes the answer that was noted, or another claim has come behind it. */
  boolean isOverEarly() {
    return arrivedNumber == NOBODY || loggedNumber != answeredNumber;
  }

  /**
   * Nothing has come behind the answer that was noted.
   *
   * @return whether this was said of it before
   */
  boolean quiet() {
    boolean wasQuiet = quietNumber == answeredNumber;
    quietNumber = answeredNumber;
    return wasQuiet;
  }

  boolean isLookedFor() {
    return isLookedFor;
  }

  void lookFor(boolean isOn) {
    isLookedFor = isOn;
  }
}
