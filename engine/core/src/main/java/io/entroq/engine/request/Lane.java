package io.entroq.engine.request;

/**
 * An identity for claims: one of the engine's, used by one claim after another, or a caller's own,
 * used for a single claim.
 *
 * <p>A lane has one open claim at a time, so each claim also acknowledges the one before it, and
 * the state keeps one receipt per lane. A lane belongs to the caller that took it from {@link
 * Lanes}.
 */
public final class Lane {
  /** Replaces the number of a discarded answer. */
  private static final long NOBODY = -1;

  private final long clientHigh;
  private final long clientLow;
  private final boolean isCallers;
  private long number;

  /** Number of the newest claim in the log; the engine's thread, or the holder of its answer. */
  private long loggedNumber;

  /**
   * Number of the newest claim whose answer is known to have arrived; set by the thread that
   * returns the lane.
   */
  private volatile long arrivedNumber;

  // For the owner of the engine.
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

  /** The identity of a caller that numbers its requests itself, for one request. */
  public static Lane ofCaller(long clientHigh, long clientLow, long number) {
    Lane lane = new Lane(clientHigh, clientLow, number, true);
    // The caller may retry the request; its claim has this number either way.
    lane.logged(number);
    return lane;
  }

  /** Whether the identity is a caller's own: others may send requests under it as well. */
  public boolean isCallers() {
    return isCallers;
  }

  /** Whether both identify the same request. */
  public boolean isSameRequest(Lane other) {
    return clientHigh == other.clientHigh && clientLow == other.clientLow && number == other.number;
  }

  public long clientHigh() {
    return clientHigh;
  }

  public long clientLow() {
    return clientLow;
  }

  /** Number of the current claim, or of the newest one; 0 before the first. */
  public long number() {
    return number;
  }

  /** Takes the number for the next claim. */
  public void next() {
    number++;
  }

  /** The number was never logged. The next claim must reuse it: the state accepts no gap at 1. */
  public void takeBack() {
    number--;
  }

  public long loggedNumber() {
    return loggedNumber;
  }

  public void logged(long newest) {
    loggedNumber = newest;
  }

  /** The answer to the newest claim has arrived, or there is none. */
  void arrived() {
    arrivedNumber = number;
  }

  /** The caller is gone or will not retry under this lane. The lane is not used again. */
  public void abandon() {
    arrivedNumber = NOBODY;
  }

  // Bookkeeping of DeliveryAcks.

  /** The newest claim has been answered with tasks. */
  void answered() {
    answeredNumber = number;
  }

  /** Whether the noted answer has arrived. */
  boolean hasArrived() {
    return arrivedNumber == answeredNumber;
  }

  /** Whether the noted answer was discarded or another claim has followed it. */
  boolean isOverEarly() {
    return arrivedNumber == NOBODY || loggedNumber != answeredNumber;
  }

  /**
   * Nothing has followed the noted answer.
   *
   * @return whether this was already so in the last scan
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
