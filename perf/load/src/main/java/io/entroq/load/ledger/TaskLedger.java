package io.entroq.load.ledger;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/** The state of all tasks of a run. Any thread, without locks. */
public final class TaskLedger {
  private final TaskTags tags;
  private final SourceLedger[] ledgers;
  private final LongAdder doubled = new LongAdder();
  private final LongAdder unknown = new LongAdder();
  private final LongAdder uncertain = new LongAdder();

  /**
   * @param sources the number of sources that insert tasks
   */
  public TaskLedger(TaskTags tags, int sources) {
    this.tags = tags;
    this.ledgers = new SourceLedger[sources];
    Arrays.setAll(ledgers, source -> new SourceLedger());
  }

  SourceLedger of(int source) {
    return ledgers[source];
  }

  /** Settles a task that was deleted or remains at the end. Each may be settled once. */
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

  /** Records tasks whose deletion has an unknown outcome. */
  public void leaveOpen(int tasks) {
    uncertain.add(tasks);
  }

  /** Tasks that the queue acknowledged. */
  public long inserted() {
    return sum(SourceLedger::inserted);
  }

  /** Tasks that were settled more than once. */
  public long doubled() {
    return doubled.sum();
  }

  /** Tasks that were never inserted. */
  public long unknown() {
    return unknown.sum();
  }

  /**
   * Tasks that are neither deleted nor remaining, once remaining tasks are settled. Tasks of calls
   * with an unknown outcome do not count.
   */
  public long lost() {
    long explained = sum(SourceLedger::unanswered) + uncertain.sum();
    return Math.max(0, sum(SourceLedger::unsettled) - explained);
  }

  private long sum(ToLongFunction<SourceLedger> figure) {
    return Arrays.stream(ledgers).mapToLong(figure).sum();
  }
}
