package io.entroq.engine.policy;

import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.queue.WatchIndex;

/**
 * What the outcomes of work on its tasks do to a queue with rules: failures in a row pause it, and
 * leases that lapsed and tasks that died are counted.
 */
public final class Outcomes {

  private final QueueStore queues;
  private final WatchIndex watch;
  private final RuleRecords records;

  Outcomes(QueueStore queues, WatchIndex watch, RuleRecords records) {
    this.queues = queues;
    this.watch = watch;
    this.records = records;
  }

  /**
   * Counts a failure; the last of a number of them in a row pauses the queue.
   *
   * @param most how many in a row are too many
   * @param pausedUntilMs until when the queue then pauses
   * @return whether it pauses now
   */
  public boolean failed(int queue, int most, long pausedUntilMs) {
    int rules = queues.rules(queue);
    records.beforeChange(queue, rules);
    int inARow = records.slab.getInt(rules, RuleRecords.FAILURES) + 1;
    boolean breaks = inARow >= most;
    records.slab.putInt(rules, RuleRecords.FAILURES, breaks ? 0 : inARow);
    if (breaks) {
      records.slab.putLong(rules, RuleRecords.BREAKER_END, pausedUntilMs);
    }
    records.afterChange(queue, rules);
    watch.update(queue);
    return breaks;
  }

  /** Ends a row of failures. */
  public void succeeded(int queue) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && records.slab.getInt(rules, RuleRecords.FAILURES) > 0) {
      records.beforeChange(queue, rules);
      records.slab.putInt(rules, RuleRecords.FAILURES, 0);
      records.afterChange(queue, rules);
    }
  }

  /**
   * Counts a lease that ended without a word, once. It stays counted if its holder comes back late,
   * or if its claim is given back.
   */
  public void countLapse(int queue) {
    count(queue, RuleRecords.LAPSED);
  }

  /** Counts a task that the server moved away or deleted. */
  public void countDead(int queue) {
    count(queue, RuleRecords.DEAD);
  }

  private void count(int queue, int field) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE) {
      records.beforeChange(queue, rules);
      records.slab.putLong(rules, field, records.slab.getLong(rules, field) + 1);
      records.afterChange(queue, rules);
    }
  }

  /** How many leases of tasks of a queue have lapsed since it has a policy. */
  public long lapsed(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? 0 : records.slab.getLong(rules, RuleRecords.LAPSED);
  }

  /** How many tasks of a queue have died since it has a policy. */
  public long dead(int queue) {
    int rules = queues.rules(queue);
    return rules == Slab.NONE ? 0 : records.slab.getLong(rules, RuleRecords.DEAD);
  }
}
