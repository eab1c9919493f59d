package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how many calls of one kind run, and their bytes. No connection and no address has more
 * than its share; further calls wait. Any thread.
 *
 * <p>A call that finds room, and nobody waiting, takes no lock.
 */
final class ConcurrencyLimit {
  private static final Logger LOG = LoggerFactory.getLogger(ConcurrencyLimit.class);

  private final Budget calls;
  private final Budget bytes;
  private final AdmissionTicket.Kind kind;
  private final boolean isHeldUntilDelivered;
  private final WaitQueue queue;

  /** Guarded by itself. */
  private final FairQueue waiting = new FairQueue();

  /** At least the size of the queue: also counts calls that are about to enter it. */
  private volatile int waitingCount;

  /** How often {@link #admit} was called while one call of it runs. */
  private final AtomicInteger admissions = new AtomicInteger();

  /**
   * @param calls how many run
   * @param bytes may be shared with other limits
   * @param kind of their responses
   * @param isHeldUntilDelivered whether a call counts until its response has left, and not only
   *     until there is one
   */
  ConcurrencyLimit(
      Budget calls,
      Budget bytes,
      AdmissionTicket.Kind kind,
      boolean isHeldUntilDelivered,
      WaitQueue queue) {
    this.calls = calls;
    this.bytes = bytes;
    this.kind = kind;
    this.isHeldUntilDelivered = isHeldUntilDelivered;
    this.queue = queue;
  }

  AdmissionTicket.Kind kind() {
    return kind;
  }

  boolean isHeldUntilDelivered() {
    return isHeldUntilDelivered;
  }

  Budget bytes() {
    return bytes;
  }

  /** Starts a call now or later, or refuses it. */
  void enter(AdmissionTicket<?> ticket) {
    if (waitingCount == 0 && take(ticket) == Budget.Outcome.TAKEN) {
      ticket.start();
    } else {
      enqueue(ticket);
    }
  }

  private void enqueue(AdmissionTicket<?> ticket) {
    boolean isAdmitted;
    WaitQueue.Full full = null;
    synchronized (waiting) {
      // Counted before it looks for room: a call that ends in between sees that somebody waits.
      isAdmitted = waitingCount++ == 0 && take(ticket) == Budget.Outcome.TAKEN;
      if (!isAdmitted) {
        full = queue.enter(ticket);
      }
      if (!isAdmitted && full == null) {
        waiting.add(ticket);
      } else {
        waitingCount--;
      }
    }
    if (isAdmitted) {
      ticket.start();
      return;
    }
    if (full == null) {
      ticket.expireBy(
          queue.timer().schedule(() -> expire(ticket), waitNanos(ticket), TimeUnit.NANOSECONDS));
    } else {
      refuse(ticket, full.limit(), full.reason());
    }
    // The first in the queue may have found no room while this call held a part of it.
    admit();
  }

  private long waitNanos(AdmissionTicket<?> ticket) {
    return ticket.deadlineNanos().isEmpty()
        ? queue.waitMaxNanos()
        : Math.min(queue.waitMaxNanos(), ticket.deadlineNanos().getAsLong() - System.nanoTime());
  }

  private void expire(AdmissionTicket<?> ticket) {
    if (withdraw(ticket)) {
      refuse(
          ticket,
          Limit.QUEUE_WAIT,
          "the call was not admitted within its deadline, or %,d ms"
              .formatted(TimeUnit.NANOSECONDS.toMillis(queue.waitMaxNanos())));
    }
  }

  /** Refuses a call for one limit, and says what the calls in front of it have. */
  private void refuse(AdmissionTicket<?> ticket, Limit limit, String why) {
    Origin origin = ticket.origin();
    String share =
        origin == Origin.NONE
            ? ""
            : ("This connection has %d of these calls and this address %d; they may have a half and"
                    + " three quarters of what others leave. ")
                .formatted(calls.taken(origin), calls.taken(origin.address()));
    ticket.fail(
        limit.refusal(
            ("%s. %,d of at most %,d calls run, with %,d of at most %,d bytes. %sNothing was done."
                    + " Try again later")
                .formatted(why, calls.taken(), calls.max(), bytes.taken(), bytes.max(), share)));
  }

  /**
   * Stops a call from waiting.
   *
   * @return whether it waited
   */
  boolean withdraw(AdmissionTicket<?> ticket) {
    boolean hasWaited;
    synchronized (waiting) {
      hasWaited = waiting.remove(ticket);
      if (hasWaited) {
        waitingCount--;
        queue.leave(ticket);
      }
    }
    if (hasWaited) {
      // The next one may need less room.
      admit();
    }
    return hasWaited;
  }

  /** A call no longer counts; call {@link #admit} after that. */
  void leave(AdmissionTicket<?> ticket) {
    calls.give(ticket.origin(), 1);
  }

  /** Starts as many of the calls that wait as there is room for. */
  void admit() {
    if (waitingCount == 0 || admissions.getAndIncrement() != 0) {
      return;
    }
    // A call that ends at once makes room for the next one: a loop, where recursion could be deep.
    int seen = 1;
    do {
      for (AdmissionTicket<?> next = next(); next != null; next = next()) {
        start(next);
      }
      seen = admissions.addAndGet(-seen);
    } while (seen != 0);
  }

  private static void start(AdmissionTicket<?> ticket) {
    try {
      ticket.start();
    } catch (Throwable t) {
      // Not expected; the calls behind it must be admitted all the same, now and later.
      LOG.error("A call met a fault of this server when it was admitted.", t);
    }
  }

  private AdmissionTicket<?> next() {
    synchronized (waiting) {
      AdmissionTicket<?> ticket = waiting.poll(this::take);
      if (ticket != null) {
        waitingCount--;
        queue.leave(ticket);
      }
      return ticket;
    }
  }

  private Budget.Outcome take(AdmissionTicket<?> ticket) {
    Budget.Outcome outcome = calls.take(ticket.origin(), 1, 0);
    if (outcome == Budget.Outcome.TAKEN) {
      outcome = bytes.take(ticket.origin(), ticket.bytes(), 0);
      if (outcome != Budget.Outcome.TAKEN) {
        calls.give(ticket.origin(), 1);
      }
    }
    return outcome;
  }

  int running() {
    return Math.toIntExact(calls.taken());
  }

  int waiting() {
    return waitingCount;
  }
}
