package io.entroq.load;

import io.entroq.load.ledger.TaskLedger;
import io.entroq.load.ledger.TaskSource;
import java.util.List;

/**
 * Inserts, claims and commits tasks, one call after the other, until the run is over or a call
 * fails. Has a thread of its own.
 *
 * <p>Before each claim a caller has inserted as many tasks as it claims. All others do the same, so
 * there are always enough.
 */
final class Caller {
  private final RunTarget target;
  private final LoadClock clock;
  private final RunSchedule schedule;
  private final Pacer pacer;
  private final Drain drain;
  private final TaskSource source;
  private final TaskLedger ledger;
  private final LatencyRecorder.Shard latencies;
  private final int number;
  private final int batch;
  private final CallerCounters counters = new CallerCounters();
  private volatile String step = "open";
  private long debt;

  Caller(
      RunTarget target,
      LoadClock clock,
      RunSchedule schedule,
      Pacer pacer,
      Drain drain,
      TaskSource source,
      TaskLedger ledger,
      LatencyRecorder.Shard latencies,
      int number,
      int batch) {
    this.target = target;
    this.clock = clock;
    this.schedule = schedule;
    this.pacer = pacer;
    this.drain = drain;
    this.source = source;
    this.ledger = ledger;
    this.latencies = latencies;
    this.number = number;
    this.batch = batch;
  }

  CallerCounters counters() {
    return counters;
  }

  /** The current step, or the one that failed, for messages. */
  String step() {
    return step;
  }

  /** Opens the session on this caller's thread. */
  LoadSession open() throws Exception {
    return target.open(number);
  }

  /**
   * Runs cycles.
   *
   * @throws Exception if a call fails
   */
  void run(LoadSession session) throws Exception {
    while (true) {
      // Before the cycle is due: the caller's own cost is not measured.
      List<byte[]> values = source.next(batch);
      session.prepareInsert(values);
      long dueNs = pacer.next();
      if (dueNs == Pacer.ENDED) {
        break;
      }
      cycle(session, values, dueNs);
    }
    drain.insertedAll(debt);
    while (drain.isWanted() && !drain.isOver()) {
      long before = debt;
      claimAndCommit(session, clock.nanoTime(), false);
      drain.committed((int) (before - debt));
    }
  }

  private void cycle(LoadSession session, List<byte[]> values, long dueNs) throws Exception {
    boolean isMeasured = schedule.isMeasured(dueNs);
    long lateNs = pacer.isOpen() ? clock.nanoTime() - dueNs : 0;
    at(Operation.INSERT);
    source.begin(batch);
    session.insert(values);
    source.acknowledge();
    final long insertedNs = clock.nanoTime();
    counters.countInserted(batch);
    debt += batch;
    long endNs = insertedNs;
    do {
      endNs = claimAndCommit(session, endNs, isMeasured);
    } while (drain.isWanted() && debt >= batch && !schedule.isOver(endNs));
    counters.countCycle(isCounted(endNs));
    if (isMeasured) {
      latencies.record(Operation.INSERT, insertedNs - dueNs);
      latencies.record(Operation.CYCLE, endNs - dueNs);
      if (pacer.isOpen()) {
        latencies.record(Operation.LATE, lateNs);
      }
    }
  }

  private void at(Operation operation) {
    step = operation.lower();
  }

  private boolean isCounted(long endNs) {
    return schedule.isMeasured(endNs) && !schedule.isOver(endNs);
  }

  /** Returns when it ended. */
  private long claimAndCommit(LoadSession session, long startNs, boolean isMeasured)
      throws Exception {
    at(Operation.CLAIM);
    List<byte[]> tasks = session.claim(batch);
    final long claimedNs = clock.nanoTime();
    counters.countClaimed(tasks.size());
    if (isMeasured) {
      latencies.record(Operation.CLAIM, claimedNs - startNs);
    }
    if (tasks.isEmpty()) {
      return claimedNs;
    }
    at(Operation.DELETE);
    session.prepareCommit();
    final long commitNs = clock.nanoTime();
    session.commit();
    final long endNs = clock.nanoTime();
    if (isMeasured) {
      latencies.record(Operation.DELETE, endNs - commitNs);
    }
    counters.countDeleted(tasks.size(), isCounted(endNs));
    debt -= tasks.size();
    for (byte[] task : tasks) {
      ledger.settle(task);
    }
    return endNs;
  }
}
