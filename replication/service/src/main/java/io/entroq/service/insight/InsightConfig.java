package io.entroq.service.insight;

import io.entroq.service.insight.sweep.SweepColumns;
import io.entroq.service.limit.Limit;

/**
 * How much insight remembers.
 *
 * @param sweepQueuesMax of how many queues the figures are read
 * @param rateQueuesMax of how many queues events are counted over time
 */
public record InsightConfig(int sweepQueuesMax, int rateQueuesMax) {
  /** An eighth of the heap at most, for either. */
  private static final int HEAP_PARTS = 8;

  /** A queue of a look: its figures and its name, twice while one look replaces another. */
  private static final int SWEEP_BYTES = 2 * (SweepColumns.BYTES_PER_QUEUE + 64);

  /** The standard limits, or what an eighth of the heap can hold. */
  public static InsightConfig ofHeap(long heapBytes) {
    long part = heapBytes / HEAP_PARTS;
    return new InsightConfig(
        (int) Math.min(Limit.SWEEP_QUEUES.standard(), part / SWEEP_BYTES),
        (int) Math.min(Limit.RATE_QUEUES.standard(), part / RateSeries.BYTES_MAX));
  }
}
