package io.entroq.perf.disk;

/** What happens to the tasks, one after another. */
enum Phase {
  /** They become more. */
  GROWTH,
  /** Each one that goes is replaced. */
  CHURN,
  /** They go. */
  DRAIN,
  /** There are none, and consumers wait. */
  IDLE,
  /** They become more again. */
  SECOND_GROWTH,
  /** Each one that goes is replaced, again. */
  SECOND_CHURN
}
