package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import java.util.concurrent.ScheduledExecutorService;

/** The room and the timer that all waiting calls share, over all limits. Any thread. */
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

  /** The limit of the queue that has no room for a call. */
  record Full(Budget budget, Budget.Outcome outcome) {
    Limit limit() {
      return budget.limit();
    }

    String reason() {
      String subject =
          switch (outcome) {
            case CONNECTION_FULL -> "this connection has its share of the queue";
            case ADDRESS_FULL -> "this address has its share of the queue";
            default -> "the queue is full";
          };
      return "%s, which has %,d of at most %,d %s"
          .formatted(
              subject,
              budget.taken(),
              budget.max(),
              limit() == Limit.QUEUED_CALLS ? "calls" : "bytes of calls");
    }
  }

  /** Takes room for a call; returns null, or the limit that has no room. */
  Full enter(AdmissionTicket<?> ticket) {
    Budget.Outcome outcome =
        calls.max() == 0 ? Budget.Outcome.FULL : calls.take(ticket.origin(), 1, 0);
    if (outcome != Budget.Outcome.TAKEN) {
      return new Full(calls, outcome);
    }
    outcome = bytes.take(ticket.origin(), ticket.requestBytes(), 0);
    if (outcome != Budget.Outcome.TAKEN) {
      calls.give(ticket.origin(), 1);
      return new Full(bytes, outcome);
    }
    return null;
  }

  void leave(AdmissionTicket<?> ticket) {
    bytes.give(ticket.origin(), ticket.requestBytes());
    calls.give(ticket.origin(), 1);
  }

  long waitMaxNanos() {
    return waitMaxNanos;
  }

  ScheduledExecutorService timer() {
    return timer;
  }
}
