package io.entroq.load;

import io.entroq.load.ledger.Balance;
import java.time.Duration;

/** A target with its preparation and accounting. */
interface RunTarget {
  /** Prepares the queues before the callers begin. */
  void prepare();

  /** Opens the session of a caller on the caller's thread. */
  LoadSession open(int caller) throws Exception;

  /**
   * How long callers continue to claim after the run until all inserted tasks are committed. Zero
   * if {@link #check} finds the remaining tasks.
   */
  Duration drain();

  /** Accounts for the tasks after the callers have ended. */
  Balance check(Totals totals);

  /** The prefix of the names of its queues. */
  String queuePrefix();
}
