package io.entroq.server.bench;

import io.entroq.api.EntroQ;
import io.entroq.api.QueueQuery;
import io.entroq.api.QueueStats;
import io.entroq.api.TaskQuery;
import java.util.Collection;

/** Looks for what remains when all callers have ended. For one thread. */
final class Check {
  /** How many queues are asked for at once, so that the answer is never too long. */
  private static final int QUEUES_AT_ONCE = 1_000;

  private final EntroQ queue;
  private final QueueNames names;
  private final Ledger ledger;
  private final BenchView view;
  private long expected;
  private long counted;
  private long listed;

  Check(EntroQ queue, QueueNames names, Ledger ledger, BenchView view) {
    this.queue = queue;
    this.names = names;
    this.ledger = ledger;
    this.view = view;
  }

  /** Settles every task that is there. */
  Balance run(Totals totals) {
    expected = ledger.inserted() - totals.deleted();
    for (int from = 0; from < names.count(); from += QUEUES_AT_ONCE) {
      look(queue.queueStats(QueueQuery.named(names.slice(from, QUEUES_AT_ONCE))).values());
    }
    return new Balance(
        ledger.inserted(),
        totals.claimed(),
        totals.deleted(),
        listed,
        counted,
        ledger.lost(),
        ledger.doubled(),
        ledger.unknown());
  }

  private void look(Collection<QueueStats> present) {
    for (QueueStats stats : present) {
      counted += stats.tasks();
      queue.forEachTask(
          TaskQuery.in(stats.name()),
          task -> {
            ledger.settle(task);
            listed++;
            view.checking(listed, expected);
          });
    }
  }
}
