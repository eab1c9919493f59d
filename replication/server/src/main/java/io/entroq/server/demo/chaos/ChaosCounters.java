package io.entroq.server.demo.chaos;

import java.util.concurrent.atomic.LongAdder;

/** What befell the workers of this process. Any thread. */
public final class ChaosCounters {
  final LongAdder crashes = new LongAdder();
  final LongAdder hangs = new LongAdder();
  final LongAdder lateCommitsRefused = new LongAdder();

  /** How many workers died. */
  public long crashes() {
    return crashes.sum();
  }

  /** How many hung past their lease. */
  public long hangs() {
    return hangs.sum();
  }

  /** How many of those tried to commit afterwards and were refused. */
  public long lateCommitsRefused() {
    return lateCommitsRefused.sum();
  }
}
