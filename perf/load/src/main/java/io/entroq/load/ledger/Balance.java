package io.entroq.load.ledger;

/**
 * What became of the tasks of a run, the backlog and the warm-up included.
 *
 * @param inserted how many tasks the queue has said to have taken
 * @param claimed how many it has given out
 * @param deleted how many it has said to have deleted
 * @param remaining how many are there at the end, by a listing; that far if it is not complete
 * @param remainingByStatistics the same, by the statistics of the queues
 * @param lost how many were inserted and are neither deleted nor there; without a meaning if the
 *     listing is not complete
 * @param doubled how many were deleted twice, or were deleted and are there all the same
 * @param unknown how many were given out or listed that nobody has inserted
 * @param isComplete whether all that remains was listed; not if the run was interrupted and that
 *     would have taken too long
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
  /** Whether every task is accounted for, once. */
  public boolean isRight() {
    return isComplete && !isWrong();
  }

  /** Whether a fault was found; an incomplete balance may be neither right nor wrong. */
  public boolean isWrong() {
    return doubled > 0 || unknown > 0 || (isComplete && !addsUp());
  }

  private boolean addsUp() {
    return lost == 0 && remaining == remainingByStatistics && inserted == deleted + remaining;
  }
}
