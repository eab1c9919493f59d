package io.entroq.engine.policy;

import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.QueuesToServe;
import io.entroq.engine.queue.WatchIndex;

/** Which task is in front of a queue in strict order: it was started, and is not done. */
public final class StrictFronts {

  private final QueueStore queues;
  private final WatchIndex watch;
  private final QueuesToServe toServe;
  private final RuleRecords records;

  StrictFronts(QueueStore queues, WatchIndex watch, QueuesToServe toServe, RuleRecords records) {
    this.queues = queues;
    this.watch = watch;
    this.toServe = toServe;
    this.records = records;
  }

  /** In strict order, the task before which no other starts, or {@link Slab#NONE}. */
  public int of(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? Slab.NONE : records.slab.getInt(rules, RuleRecords.FRONT);
  }

  /** Sets the task before which no other starts. Its id stands for it in the digest. */
  public void set(int queue, int task, long idHigh, long idLow) {
    replace(queue, task, Mix.key(idHigh, idLow));
  }

  /** Forgets that a task is in front, if it is. */
  public void drop(int queue, int task) {
    if (of(queue) == task) {
      replace(queue, Slab.NONE, 0);
      if (queues.firstWaiter(queue) != Slab.NONE) {
        // Others may start now: as after the end of a flight.
        toServe.add(queue);
      }
    }
  }

  private void replace(int queue, int task, long hash) {
    int rules = queues.rules(queue);
    if (records.slab.getInt(rules, RuleRecords.FRONT) != task) {
      records.beforeChange(queue, rules);
      records.slab.putInt(rules, RuleRecords.FRONT, task);
      records.slab.putLong(rules, RuleRecords.FRONT_HASH, hash);
      records.afterChange(queue, rules);
      watch.update(queue);
    }
  }
}
