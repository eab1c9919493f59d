package io.entroq.load;

/**
 * The progress of a run.
 *
 * @param elapsedNs since the callers began
 * @param isMeasured whether the warm-up is over
 * @param cyclesPerSecond since the last sample
 * @param cycle latencies since the last sample, without the warm-up
 * @param totals since the callers began
 * @param pending tasks in the queues now
 * @param overdue cycles that are due and have not begun
 */
public record ProgressSample(
    long elapsedNs,
    boolean isMeasured,
    double cyclesPerSecond,
    Percentiles cycle,
    Totals totals,
    long pending,
    long overdue) {}
