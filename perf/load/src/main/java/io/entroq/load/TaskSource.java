package io.entroq.load;

import io.entroq.api.Arrival;
import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import java.util.Optional;
import java.util.function.LongFunction;

/** TaskSource the tasks of one source, and writes them into its account. For one thread. */
final class TaskSource {
  private final EntroQ queue;
  private final TaskTags tags;
  private final SourceLedger account;
  private final int source;

  TaskSource(EntroQ queue, TaskTags tags, TaskLedger ledger, int source) {
    this.queue = queue;
    this.tags = tags;
    this.account = ledger.account(source);
    this.source = source;
  }

  /** Prepares the insertion of the next tasks. It counts for nothing until it is done. */
  Modification next(String name, int tasks) {
    return next(number -> name, tasks);
  }

  /**
   * Prepares the insertion of the next tasks.
   *
   * @param nameOf the queue that the task of a number goes to
   */
  Modification next(LongFunction<String> nameOf, int tasks) {
    long number = account.next();
    Insert[] inserts = new Insert[tasks];
    for (int i = 0; i < tasks; i++) {
      inserts[i] = insert(nameOf.apply(number + i), number + i);
    }
    return Modification.insert(inserts);
  }

  /**
   * Does what was prepared last.
   *
   * @throws io.entroq.api.EntroQException if it fails
   * @throws IllegalStateException if the answer tells of another number of tasks
   */
  void run(Modification prepared) {
    int tasks = prepared.inserts().size();
    account.begin(tasks);
    ModifyResult.Committed committed = queue.modify(prepared).orThrow();
    account.acknowledge();
    if (committed.inserted().size() != tasks) {
      throw new IllegalStateException(
          "%,d tasks were to be inserted, and the answer tells of %,d"
              .formatted(tasks, committed.inserted().size()));
    }
  }

  private Insert insert(String name, long number) {
    return new Insert(Optional.empty(), name, Arrival.now(), tags.value(source, number), 0, "");
  }
}
