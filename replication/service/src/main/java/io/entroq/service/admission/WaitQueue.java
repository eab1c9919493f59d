package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import java.util.concurrent.ScheduledExecutorService;

/** What all calls that wait to be admitted share: room to wait in, and a timer. Any thread. */
final class WaitQueue {
  private final Budget calls;
  private final Budget bytes;
  private final long waitMaxNanos;
  private final ScheduledExecutorService timer;

  WaitQueue(AdmissionConfig config, ScheduledExecutorService timer) {
    calls = new Budget(Limit.QUEUED_CALLS, config.queuedCallsMax());
    bytes = new Budget(Limit.QUEUED_BYTES, config.queuedBytesMax());
    waitMaxNanos = config.waitMax().toNanos();
    this.timer = timer;
  }

  /** Takes a place, unless there is none, or the origin has its share of them. */
  Budget.Outcome enter(AdmissionTicket<?> ticket) {
    Budget.Outcome outcome =
        calls.max() == 0 ? Budget.Outcome.FULL : calls.take(ticket.origin(), 1, 0);
    if (outcome == Budget.Outcome.TAKEN) {
      outcome = bytes.take(ticket.origin(), ticket.requestBytes(), 0);
      if (outcome != Budget.Outcome.TAKEN) {
        calls.give(ticket.origin(), 1);
      }
    }
    return outcome;
  }

  void leave(AdmissionTicket<?> ticket) {
    bytes.give(ticket.origin(), ticket.requestBytes());
    calls.give(ticket.origin(), 1);
  }

  /** Why a call was not let in. */
  String full(Budget.Outcome outcome) {
    String reason =
        switch (outcome) {
          case CONNECTION_FULL -> "this connection has its share of the queue";
          case ADDRESS_FULL -> "this address has its share of the queue";
          default -> "the queue is full";
        };
    return "%s (limit %s: %,d of at most %,d; limit %s: %,d of at most %,d)"
        .formatted(
            reason,
            calls.limit().label(),
            calls.taken(),
            calls.max(),
            bytes.limit().label(),
            bytes.taken(),
            bytes.max());
  }

  long waitMaxNanos() {
    return waitMaxNanos;
  }

  ScheduledExecutorService timer() {
    return timer;
  }
}
