package io.entroq.server.demo.chaos;

import java.util.concurrent.atomic.LongAdder;

/** Counts the failures of the workers in this process. Any thread. */
public final class ChaosCounters {
  final LongAdder crashes = new LongAdder();
  final LongAdder hangs = new LongAdder();
  final LongAdder lateCommitsRefused = new LongAdder();

  public long crashes() {
    return crashes.sum();
  }

  /** Workers that hung past their lease. */
  public long hangs() {
    return hangs.sum();
  }

  /** Hung workers whose late commit was refused. */
  public long lateCommitsRefused() {
    return lateCommitsRefused.sum();
  }
}
