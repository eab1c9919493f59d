package io.entroq.load;

import io.entroq.load.ledger.Balance;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a run.
 *
 * @param config of the run
 * @param queues the prefix of the names of its queues
 * @param measuredNs the measured time; 0 if the run ended during the warm-up
 * @param totals of its callers
 * @param latencies by operation
 * @param balance accounts for the tasks
 * @param overdue cycles that were due at the end and had not begun
 * @param overdueMost the most of these at any time
 * @param isInterrupted whether the run or its check ended early
 * @param failure why it ended early, for users; empty if no call failed
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

  /** Whether a call failed or a task is missing or duplicated. */
  public boolean isWrong() {
    return failure.isPresent() || balance.isWrong();
  }

  public double cyclesPerSecond() {
    return perSecond(totals.measuredCycles());
  }

  /** Tasks through the whole cycle. */
  public double tasksPerSecond() {
    return perSecond(totals.measuredTasks());
  }

  private double perSecond(long count) {
    return measuredNs == 0 ? 0 : count * 1e9 / measuredNs;
  }
}
