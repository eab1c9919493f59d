package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number and the bytes of running calls of one kind. No connection or address gets more
 * than its share; further calls wait. Any thread.
 *
 * <p>A call takes no lock if there is room and no other call waits.
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

  /** At least the size of the queue: it includes calls that are about to enter. */
  private volatile int waitingCount;

  /** The number of {@link #admit} calls since the running one began; 0 if none is running. */
  private final AtomicInteger admissions = new AtomicInteger();

  /**
   * @param bytes may be shared with other limits
   * @param isHeldUntilDelivered whether a call counts until its response has been sent, rather than
   *     until the response is complete
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

  /** Starts a call, queues it, or refuses it. */
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
      // Counted before looking for room, so that a call that ends in between sees a waiting call.
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
    // The first call in the queue may have found no room while this call held part of it.
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

  /** Refuses a call; the message shows how much running calls and its origin use. */
  private void refuse(AdmissionTicket<?> ticket, Limit limit, String why) {
    Origin origin = ticket.origin();
    String share =
        origin == Origin.NONE
            ? ""
            : ("This connection has %d of these calls and this address %d; they may use half and"
                    + " three quarters of what others leave. ")
                .formatted(calls.taken(origin), calls.taken(origin.address()));
    ticket.fail(
        limit.refusal(
            ("%s. %,d of at most %,d calls run, with %,d of at most %,d bytes. %sNothing was done."
                    + " Try again later")
                .formatted(why, calls.taken(), calls.max(), bytes.taken(), bytes.max(), share)));
  }

  /**
   * Removes a call from the queue.
   *
   * @return whether it was waiting
   */
  boolean withdraw(AdmissionTicket<?> ticket) {
    boolean wasWaiting;
    synchronized (waiting) {
      wasWaiting = waiting.remove(ticket);
      if (wasWaiting) {
        waitingCount--;
        queue.leave(ticket);
      }
    }
    if (wasWaiting) {
      // The next one may need less room.
      admit();
    }
    return wasWaiting;
  }

  /** Gives back a call's slot; call {@link #admit} afterwards. */
  void leave(AdmissionTicket<?> ticket) {
    calls.give(ticket.origin(), 1);
  }

  /** Starts as many waiting calls as there is room for. */
  void admit() {
    if (waitingCount == 0 || admissions.getAndIncrement() != 0) {
      return;
    }
    // A loop rather than recursion: a call that ends at once makes room for the next one.
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
      // A bug; the calls behind this one must still be admitted.
      LOG.error("A call failed on admission because of an internal error.", t);
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
