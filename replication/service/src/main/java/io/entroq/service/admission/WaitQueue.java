package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import java.util.concurrent.ScheduledExecutorService;

/** What all that wait for their turn share: the room for them, and the clock. Any thread. */
final class WaitQueue {
  private final Budget places;
  private final Budget bytes;
  private final long waitMaxNanos;
  private final ScheduledExecutorService timer;

  WaitQueue(AdmissionConfig config, ScheduledExecutorService timer) {
    places = new Budget(Limit.TURNS, config.turnsMax());
    bytes = new Budget(Limit.TURN_BYTES, config.turnBytesMax());
    waitMaxNanos = config.waitMax().toNanos();
    this.timer = timer;
  }

  /** Takes a place if there is one, and the origin has not its share of them. */
  Budget.Outcome enter(AdmissionTicket<?> turn) {
    Budget.Outcome outcome =
        places.max() == 0 ? Budget.Outcome.FULL : places.take(turn.origin(), 1, 0);
    if (outcome == Budget.Outcome.TAKEN) {
      outcome = bytes.take(turn.origin(), turn.requestBytes(), 0);
      if (outcome != Budget.Outcome.TAKEN) {
        places.give(turn.origin(), 1);
      }
    }
    return outcome;
  }

  void leave(AdmissionTicket<?> turn) {
    bytes.give(turn.origin(), turn.requestBytes());
    places.give(turn.origin(), 1);
  }

  long count() {
    return places.taken();
  }

  long max() {
    return places.max();
  }

  long waitMaxNanos() {
    return waitMaxNanos;
  }

  ScheduledExecutorService timer() {
    return timer;
  }
}
