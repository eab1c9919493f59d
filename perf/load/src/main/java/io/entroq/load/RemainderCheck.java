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

/** Looks for what remains when all callers have ended. For one thread. */
final class RemainderCheck {
  /** How many queues are asked for at once, so that the answer is never too long. */
  private static final int QUEUES_AT_ONCE = 1_000;

  /**
   * How long it goes on once the run is to end. Most checks are done by then, and there is time
   * left to print the result and to clean up before whoever waits loses patience.
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

  /** Settles every task that is there, or as many as there is time for. */
  Balance run(Totals totals) {
    expected = ledger.inserted() - totals.deleted();
    boolean isComplete = lookAtAll();
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

  private boolean lookAtAll() {
    try {
      for (int from = 0; from < names.count(); from += QUEUES_AT_ONCE) {
        requireTime();
        look(queue.queueStats(QueueQuery.named(names.slice(from, QUEUES_AT_ONCE))).values());
      }
      return true;
    } catch (OutOfTimeException e) {
      return false;
    }
  }

  private void look(Collection<QueueStats> present) {
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

  /** Ends a listing from within. */
  private static final class OutOfTimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfTimeException() {
      super("the run is to end", null, false, false);
    }
  }
}
