package io.entroq.load;

import io.entroq.api.Claim;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskRef;
import java.time.Duration;
import java.util.List;

/**
 * TaskSource, claims and deletes tasks, one call after the other, until the run is over or a call
 * fails. On a thread of its own.
 *
 * <p>Before each of its claims a caller has inserted as many tasks as it claims, and so have all
 * others: there are always enough.
 */
final class Caller {
  /** Longer than any call takes: a lease that ends would make two of one task. */
  private static final Duration LEASE = Duration.ofHours(1);

  private final EntroQ queue;
  private final LoadClock clock;
  private final RunSchedule schedule;
  private final Pacer pacer;
  private final TaskSource inserts;
  private final TaskLedger ledger;
  private final LatencyRecorder.Shard latencies;
  private final int batch;
  private final List<String> names;
  private final Claim[] claims;
  private final CallerCounters counters = new CallerCounters();
  private volatile Operation present = Operation.INSERT;

  /**
   * @param names the queues that it works on, one after the other
   */
  Caller(
      EntroQ queue,
      LoadClock clock,
      RunSchedule schedule,
      Pacer pacer,
      TaskSource inserts,
      TaskLedger ledger,
      LatencyRecorder.Shard latencies,
      int batch,
      List<String> names) {
    this.queue = queue;
    this.clock = clock;
    this.schedule = schedule;
    this.pacer = pacer;
    this.inserts = inserts;
    this.ledger = ledger;
    this.latencies = latencies;
    this.batch = batch;
    this.names = names;
    this.claims = names.stream().map(this::claim).toArray(Claim[]::new);
  }

  private Claim claim(String name) {
    return Claim.from(name).withLease(LEASE).withLimit(batch);
  }

  CallerCounters counters() {
    return counters;
  }

  /** What it is at, or was when it failed. */
  Operation present() {
    return present;
  }

  /**
   * Does cycle after cycle.
   *
   * @throws RuntimeException if a call fails
   */
  void run() {
    int at = 0;
    while (true) {
      // Made before the cycle is due: what the caller itself costs is not measured.
      Modification insertion = inserts.next(names.get(at), batch);
      long dueNs = pacer.next();
      if (dueNs == Pacer.ENDED) {
        return;
      }
      cycle(insertion, claims[at], dueNs);
      at = at + 1 < claims.length ? at + 1 : 0;
    }
  }

  private void cycle(Modification insertion, Claim claim, long dueNs) {
    long lateNs = pacer.isOpen() ? clock.nanoTime() - dueNs : 0;
    present = Operation.INSERT;
    inserts.run(insertion);
    long insertedNs = clock.nanoTime();
    counters.countInserted(batch);

    present = Operation.CLAIM;
    List<Task> tasks = queue.tryClaimMany(claim);
    long claimedNs = clock.nanoTime();
    counters.countClaimed(tasks.size());

    present = Operation.DELETE;
    Modification deletion = deletion(tasks);
    long deleteNs = clock.nanoTime();
    long endNs = deleteNs;
    if (!tasks.isEmpty()) {
      delete(deletion, tasks);
      endNs = clock.nanoTime();
    }
    boolean isMeasured = schedule.isMeasured(endNs) && !schedule.isOver(endNs);
    counters.countCycle(tasks.size(), isMeasured);
    if (schedule.isMeasured(dueNs)) {
      latencies.record(Operation.INSERT, insertedNs - dueNs);
      latencies.record(Operation.CLAIM, claimedNs - insertedNs);
      latencies.record(Operation.DELETE, endNs - deleteNs);
      latencies.record(Operation.CYCLE, endNs - dueNs);
      if (pacer.isOpen()) {
        latencies.record(Operation.LATE, lateNs);
      }
    }
  }

  private static Modification deletion(List<Task> tasks) {
    if (tasks.size() == 1) {
      return Modification.delete(tasks.get(0));
    }
    TaskRef[] refs = new TaskRef[tasks.size()];
    for (int i = 0; i < refs.length; i++) {
      refs[i] = tasks.get(i).ref();
    }
    return Modification.delete(refs);
  }

  private void delete(Modification deletion, List<Task> tasks) {
    boolean isAnswered = false;
    try {
      ModifyResult result = queue.modify(deletion);
      isAnswered = !(result instanceof ModifyResult.OutcomeUnknown);
      result.orThrow();
    } finally {
      if (!isAnswered) {
        ledger.leaveOpen(tasks.size());
      }
    }
    counters.countDeleted(tasks.size());
    for (Task task : tasks) {
      ledger.settle(task);
    }
  }
}
