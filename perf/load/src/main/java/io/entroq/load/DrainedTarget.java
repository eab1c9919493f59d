package io.entroq.load;

import io.entroq.load.ledger.Balance;
import io.entroq.load.ledger.TaskLedger;
import java.time.Duration;

/**
 * A queue that cannot list its tasks. Callers claim the remaining tasks after the run, and what
 * they do not receive is lost.
 */
record DrainedTarget(LoadTarget target, Duration drain, TaskLedger ledger) implements RunTarget {
  @Override
  public void prepare() {}

  @Override
  public LoadSession open(int caller) throws Exception {
    return target.open(caller);
  }

  @Override
  public Balance check(Totals totals) {
    return new Balance(
        ledger.inserted(),
        totals.claimed(),
        totals.deleted(),
        0,
        0,
        ledger.lost(),
        ledger.doubled(),
        ledger.unknown(),
        true);
  }

  @Override
  public String queuePrefix() {
    return "";
  }
}
