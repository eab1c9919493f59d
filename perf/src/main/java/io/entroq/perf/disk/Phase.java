package io.entroq.perf.disk;

/** The phases of a run, in order. */
enum Phase {
  /** Tasks are inserted. */
  GROWTH,
  /** Tasks are replaced. */
  CHURN,
  /** Tasks are deleted. */
  DRAIN,
  /** There are no tasks, and consumers wait. */
  IDLE,
  SECOND_GROWTH,
  SECOND_CHURN
}
