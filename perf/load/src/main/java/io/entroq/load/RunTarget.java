package io.entroq.load;

import io.entroq.load.ledger.Balance;
import java.time.Duration;

/** A target as a run sees it: with what comes before and after the work of the callers. */
interface RunTarget {
  /** Prepares the queues, before the callers begin. */
  void prepare();

  /** Opens the session of a caller, on its thread. */
  LoadSession open(int caller) throws Exception;

  /**
   * How long callers go on claiming after the run until all that was inserted is committed. Zero:
   * not at all, since {@link #check} looks at what remains, and every claim of a batch gets one.
   */
  Duration drain();

  /** Accounts for the tasks, after the callers have ended. */
  Balance check(Totals totals);

  /** What the names of its queues begin with. */
  String queuePrefix();
}
