package io.entroq.load;

import io.entroq.load.ledger.Balance;
import java.util.Map;
import java.util.Optional;

/**
 * What came of a run.
 *
 * @param config what it was to do
 * @param queues what the names of its queues begin with
 * @param measuredNs how long was measured; 0 if it ended in the warm-up
 * @param totals what its callers have done
 * @param latencies how long it took
 * @param balance what became of the tasks
 * @param overdue how many cycles were due at the end that nobody had begun
 * @param overdueMost how many there were at most when that was looked at
 * @param isInterrupted whether it was ended before its time, or before all was checked
 * @param failure why it ended before its time, for people; empty if no call failed
 */
public record LoadResult(
    LoadConfig config,
    String queues,
    long measuredNs,
    Totals totals,
    Map<Operation, Percentiles> latencies,
    Balance balance,
    long overdue,
    long overdueMost,
    boolean isInterrupted,
    Optional<String> failure) {
  /** Whether no call failed and every task is accounted for. */
  public boolean isRight() {
    return failure.isEmpty() && balance.isRight();
  }

  /** Whether a call failed, or a task is not accounted for that should be. */
  public boolean isWrong() {
    return failure.isPresent() || balance.isWrong();
  }

  /** Cycles ended in a second of the time that was measured. */
  public double cyclesPerSecond() {
    return perSecond(totals.measuredCycles());
  }

  /** Tasks that went through the whole cycle in a second of the time that was measured. */
  public double tasksPerSecond() {
    return perSecond(totals.measuredTasks());
  }

  private double perSecond(long count) {
    return measuredNs == 0 ? 0 : count * 1e9 / measuredNs;
  }
}
