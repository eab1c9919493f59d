package io.entroq.api.worker;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The counters behind {@link WorkerMetrics}. Thread-safe. */
final class WorkerCounters {
  final LongAdder claimed = new LongAdder();
  final LongAdder lost = new LongAdder();
  final LongAdder unknown = new LongAdder();
  final LongAdder handlerFailures = new LongAdder();
  final LongAdder queueFailures = new LongAdder();
  final AtomicInteger running = new AtomicInteger();
  private final LongAdder done = new LongAdder();
  private final LongAdder retried = new LongAdder();
  private final LongAdder moved = new LongAdder();
  private final LongAdder quarantined = new LongAdder();
  private final LongAdder released = new LongAdder();

  void committed(Outcome outcome) {
    if (outcome instanceof Outcome.Retry) {
      retried.increment();
    } else if (outcome instanceof Outcome.Move) {
      moved.increment();
    } else if (outcome instanceof Outcome.Quarantine) {
      quarantined.increment();
    } else if (outcome instanceof Outcome.Release) {
      released.increment();
    } else {
      done.increment();
    }
  }

  WorkerMetrics snapshot() {
    return new WorkerMetrics(
        claimed.sum(),
        done.sum(),
        retried.sum(),
        moved.sum(),
        quarantined.sum(),
        released.sum(),
        lost.sum(),
        unknown.sum(),
        handlerFailures.sum(),
        queueFailures.sum(),
        running.get());
  }
}
