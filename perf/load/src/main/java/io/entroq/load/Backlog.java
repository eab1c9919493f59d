package io.entroq.load;

import io.entroq.api.Modification;
import java.util.function.BooleanSupplier;

/** Tasks that are there before the callers begin, spread evenly over the queues. */
final class Backlog {
  private static final int COMMAND_BYTES = 1 << 20;

  private final QueueNames names;
  private final TaskSource inserts;
  private final int batch;

  Backlog(QueueNames names, TaskSource inserts, int valueBytes) {
    this.names = names;
    this.inserts = inserts;
    this.batch = Math.max(1, Math.min(LoadConfig.batchMax(valueBytes), COMMAND_BYTES / valueBytes));
  }

  /**
   * TaskSource them.
   *
   * @param isInterrupted whether to leave it at those that are there
   */
  void load(long total, LoadListener view, BooleanSupplier isInterrupted) {
    long tasks = 0;
    while (tasks < total && !isInterrupted.getAsBoolean()) {
      Modification next = inserts.next(names::ofBacklog, (int) Math.min(batch, total - tasks));
      inserts.run(next);
      tasks += next.inserts().size();
      view.loading(tasks, total);
    }
  }
}
