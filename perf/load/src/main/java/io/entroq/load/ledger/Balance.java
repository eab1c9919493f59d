package io.entroq.load.ledger;

/**
 * Accounts for the tasks of a run, including backlog and warm-up.
 *
 * @param inserted tasks that the queue acknowledged
 * @param claimed tasks
 * @param deleted tasks that the queue acknowledged
 * @param remaining tasks at the end by a listing, which may be incomplete
 * @param remainingByStatistics the same by the statistics of the queues
 * @param lost tasks that were inserted, and neither deleted nor remaining; meaningless if the
 *     listing is incomplete
 * @param doubled tasks that were deleted twice, or deleted and still remaining
 * @param unknown tasks that were claimed or listed, but never inserted
 * @param isComplete whether all remaining tasks were listed
 */
public record Balance(
    long inserted,
    long claimed,
    long deleted,
    long remaining,
    long remainingByStatistics,
    long lost,
    long doubled,
    long unknown,
    boolean isComplete) {
  public boolean isRight() {
    return isComplete && !isWrong();
  }

  /** Whether a fault was found. An incomplete balance may be neither right nor wrong. */
  public boolean isWrong() {
    return doubled > 0 || unknown > 0 || (isComplete && !addsUp());
  }

  private boolean addsUp() {
    return lost == 0 && remaining == remainingByStatistics && inserted == deleted + remaining;
  }
}
