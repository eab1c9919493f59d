package io.entroq.load;

/**
 * How a run stands.
 *
 * @param elapsedNs since the callers began
 * @param isMeasured whether the warm-up is over
 * @param cyclesPerSecond since the last sample
 * @param cycle how long cycles took that ended since the last sample; those of the warm-up are not
 *     among them
 * @param totals since the callers began
 * @param pending how many tasks there are in the queues now
 * @param overdue how many cycles are due that nobody has begun
 */
public record ProgressSample(
    long elapsedNs,
    boolean isMeasured,
    double cyclesPerSecond,
    Percentiles cycle,
    Totals totals,
    long pending,
    long overdue) {}
