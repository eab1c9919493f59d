package io.entroq.console.screen;

import io.entroq.codec.wire.edge.QueueStats;

/** The figures of a queue. */
final class QueueWords {
  private QueueWords() {}

  /** Tasks that were claimed before and are neither available nor worked on. */
  static long resting(QueueStats stats) {
    return Math.max(0, stats.getNumClaimed() - stats.getInFlight());
  }
}
