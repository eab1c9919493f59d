package io.entroq.load.ledger;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** What has become of all tasks of a run. Any thread, without locks. */
public final class TaskLedger {
  private final TaskTags tags;
  private final SourceLedger[] ledgers;
  private final LongAdder doubled = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder uncertain = new LongAdder();

  /**
   * @param sources how many there are that insert tasks
   */
  public TaskLedger(TaskTags tags, int sources) {
    this.tags = tags;
    this.ledgers = new SourceLedger[sources];
    Arrays.setAll(ledgers, source -> new SourceLedger());
  }

  /** Where a source enters what it inserts. */
  SourceLedger of(int source) {
    return ledgers[source];
  }

  /** A task is deleted, or is there at the end: either may be so of each task, and only once. */
  public void settle(byte[] value) {
    switch (settlement(value)) {
      case FIRST -> {}
      case AGAIN -> doubled.increment();
      case UNKNOWN -> unknown.increment();
    }
  }

  private SourceLedger.Settlement settlement(byte[] value) {
    if (!tags.isOn(value)) {
      return SourceLedger.Settlement.UNKNOWN;
    }
    int source = TaskTags.source(value);
    return source >= 0 && source < ledgers.length
        ? ledgers[source].settle(TaskTags.number(value))
        : SourceLedger.Settlement.UNKNOWN;
  }

  /** So many tasks may have been deleted or not, as the answer is missing. */
  public void leaveOpen(int tasks) {
    uncertain.add(tasks);
  }

  /** How many tasks the queue has said to have taken. */
  public long inserted() {
    return sum(SourceLedger::inserted);
  }

  /** How many tasks were settled more than once. */
  public long doubled() {
    return doubled.sum();
  }

  /** How many tasks turned up that nobody has inserted. */
  public long unknown() {
    return unknown.sum();
  }

  /**
   * How many tasks are neither deleted nor there, once those that are there have been settled too.
   * Where a call failed whose outcome is unknown, its tasks count as if that explained them.
   */
  public long lost() {
    long explained = sum(SourceLedger::unanswered) + uncertain.sum();
    return Math.max(0, sum(SourceLedger::unsettled) - explained);
  }

  private long sum(ToLongFunction<SourceLedger> figure) {
    return Arrays.stream(ledgers).mapToLong(figure).sum();
  }
}
