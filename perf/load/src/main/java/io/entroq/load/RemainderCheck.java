package io.entroq.load;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.TaskQuery;
import io.entroq.load.ledger.Balance;
import io.entroq.load.ledger.TaskLedger;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Checks the remaining tasks after all callers have ended. For one thread. */
final class RemainderCheck {
  /** Queues per request, which bounds the answer. */
  private static final int QUEUES_PER_REQUEST = 1_000;

  /**
   * How long an interrupted check continues. Most finish in that time, which leaves some to print
   * the result and clean up.
   */
  private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(5);

  private final EntroQ queue;
  private final QueueNames names;
  private final TaskLedger ledger;
  private final LoadListener view;
  private final LoadClock clock;
  private final BooleanSupplier isInterrupted;
  private long expected;
  private long counted;
  private long listed;
  private boolean isInGrace;
  private long graceEndNs;

  RemainderCheck(
      EntroQ queue,
      QueueNames names,
      TaskLedger ledger,
      LoadListener view,
      LoadClock clock,
      BooleanSupplier isInterrupted) {
    this.queue = queue;
    this.names = names;
    this.ledger = ledger;
    this.view = view;
    this.clock = clock;
    this.isInterrupted = isInterrupted;
  }

  /** Settles the remaining tasks, or as many as time permits. */
  Balance run(Totals totals) {
    expected = ledger.inserted() - totals.deleted();
    boolean isComplete = checkAll();
    return new Balance(
        ledger.inserted(),
        totals.claimed(),
        totals.deleted(),
        listed,
        counted,
        ledger.lost(),
        ledger.doubled(),
        ledger.unknown(),
        isComplete);
  }

  private boolean checkAll() {
    try {
      for (int from = 0; from < names.count(); from += QUEUES_PER_REQUEST) {
        requireTime();
        check(queue.queueStats(QueueQuery.named(names.slice(from, QUEUES_PER_REQUEST))).values());
      }
      return true;
    } catch (OutOfTimeException e) {
      return false;
    }
  }

  private void check(Collection<QueueStats> present) {
    for (QueueStats stats : present) {
      counted += stats.tasks();
      queue.forEachTask(
          TaskQuery.in(stats.name()),
          task -> {
            requireTime();
            ledger.settle(task.value().unwrap());
            listed++;
            view.checking(listed, expected);
          });
    }
  }

  private void requireTime() {
    if (!isInterrupted.getAsBoolean()) {
      return;
    }
    long nowNs = clock.nanoTime();
    if (!isInGrace) {
      isInGrace = true;
      graceEndNs = nowNs + GRACE_NS;
    }
    if (nowNs - graceEndNs >= 0) {
      throw new OutOfTimeException();
    }
  }

  /** Leaves a listing. */
  private static final class OutOfTimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfTimeException() {
      super("out of time", null, false, false);
    }
  }
}
