package io.entroq.service.admission;

import io.entroq.service.limit.Budget;
import io.entroq.service.limit.Limit;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ConcurrencyLimit for calls of one sort: so many go on at a time, of which no connection and no
 * address has more than its share, and the others wait for their turn. Any thread.
 *
 * <p>A call that finds room, and nobody before it, takes no lock.
 */
final class ConcurrencyLimit {
  private static final Logger LOG = LoggerFactory.getLogger(ConcurrencyLimit.class);

  private final String sort;
  private final Budget places;
  private final Budget bytes;
  private final boolean isHeldUntilDelivered;
  private final WaitQueue line;

  /** Changed under its lock. */
  private final FairQueue waiting = new FairQueue();

  /** As many as there are in it, or a few more that are on their way. */
  private volatile int waitingCount;

  /** How often somebody has asked to let calls go on, while one does. */
  private final AtomicInteger admissions = new AtomicInteger();

  /**
   * @param sort what these calls are, for people
   * @param resource what of them is counted
   * @param max how many go on at a time
   * @param bytes may be shared with other rooms
   * @param isHeldUntilDelivered whether a call has its place until its answer has left, and not
   *     only until there is one
   */
  ConcurrencyLimit(
      String sort,
      Limit resource,
      int max,
      Budget bytes,
      boolean isHeldUntilDelivered,
      WaitQueue line) {
    this.sort = sort;
    places = new Budget(resource, max);
    this.bytes = bytes;
    this.isHeldUntilDelivered = isHeldUntilDelivered;
    this.line = line;
  }

  boolean isHeldUntilDelivered() {
    return isHeldUntilDelivered;
  }

  Budget bytes() {
    return bytes;
  }

  /** Begins a call, now or when it is its turn, or refuses it. */
  void enter(AdmissionTicket<?> turn) {
    if (waitingCount == 0 && take(turn) == Budget.Outcome.TAKEN) {
      turn.begin();
    } else {
      queue(turn);
    }
  }

  private void queue(AdmissionTicket<?> turn) {
    boolean isFirst;
    Budget.Outcome entry = Budget.Outcome.TAKEN;
    synchronized (waiting) {
      // Before it looks for room: whoever makes room looks for it afterwards.
      isFirst = waitingCount++ == 0 && take(turn) == Budget.Outcome.TAKEN;
      if (!isFirst) {
        entry = line.enter(turn);
      }
      if (!isFirst && entry == Budget.Outcome.TAKEN) {
        waiting.add(turn);
      } else {
        waitingCount--;
      }
    }
    if (isFirst) {
      turn.begin();
      return;
    }
    if (entry == Budget.Outcome.TAKEN) {
      turn.limitTo(
          line.timer().schedule(() -> expire(turn), waitNanos(turn), TimeUnit.NANOSECONDS));
    } else {
      turn.fail(refusal(turn.origin(), "and " + full(entry)));
    }
    // Whoever is first may have found no room while this one had a part of it in its hand.
    admit();
  }

  private static String full(Budget.Outcome outcome) {
    return switch (outcome) {
      case CONNECTION_FULL -> "this connection has its share of the line";
      case ADDRESS_FULL -> "this address has its share of the line";
      default -> "the line is full";
    };
  }

  private long waitNanos(AdmissionTicket<?> turn) {
    return turn.deadlineNanos().isEmpty()
        ? line.waitMaxNanos()
        : Math.min(line.waitMaxNanos(), turn.deadlineNanos().getAsLong() - System.nanoTime());
  }

  private void expire(AdmissionTicket<?> turn) {
    if (withdraw(turn)) {
      turn.fail(refusal(turn.origin(), "and it was not the call's turn in time"));
    }
  }

  private Refusal refusal(Origin origin, String what) {
    return Refusal.exhausted(
        ("%d %s are under way, of at most %d and %,d bytes, %s: %d calls wait, of at most %d. %s"
                + "Nothing was done. Try again later")
            .formatted(
                places.taken(),
                sort,
                places.max(),
                bytes.max(),
                what,
                line.count(),
                line.max(),
                own(origin)));
  }

  private String own(Origin origin) {
    return origin == Origin.NONE
        ? ""
        : ("This connection has %d of those under way and this address %d; they may have a half and"
                + " three quarters of what others leave. ")
            .formatted(places.taken(origin), places.taken(origin.address()));
  }

  /**
   * Has a call wait no more.
   *
   * @return whether it has waited
   */
  boolean withdraw(AdmissionTicket<?> turn) {
    boolean hasWaited;
    synchronized (waiting) {
      hasWaited = waiting.remove(turn);
      if (hasWaited) {
        waitingCount--;
        line.leave(turn);
      }
    }
    if (hasWaited) {
      // Whoever is behind it may need less room.
      admit();
    }
    return hasWaited;
  }

  /** A call does not need its place any more; {@link #admit} is to be called then. */
  void leave(AdmissionTicket<?> turn) {
    places.give(turn.origin(), 1);
  }

  /** Lets calls go on that wait, as many as there is room for. */
  void admit() {
    if (waitingCount == 0 || admissions.getAndIncrement() != 0) {
      return;
    }
    // One call that ends at once makes room for the next: in a loop, and not in a pile of calls.
    int seen = 1;
    do {
      for (AdmissionTicket<?> next = next(); next != null; next = next()) {
        attempt(next);
      }
      seen = admissions.addAndGet(-seen);
    } while (seen != 0);
  }

  private static void attempt(AdmissionTicket<?> turn) {
    try {
      turn.begin();
    } catch (Throwable t) {
      // It was not to throw. All the same there are others behind it, now and for ever.
      LOG.error("A call met a fault of this server when it was its turn.", t);
    }
  }

  private AdmissionTicket<?> next() {
    synchronized (waiting) {
      AdmissionTicket<?> turn = waiting.poll(this::take);
      if (turn != null) {
        waitingCount--;
        line.leave(turn);
      }
      return turn;
    }
  }

  private Budget.Outcome take(AdmissionTicket<?> turn) {
    Budget.Outcome outcome = places.take(turn.origin(), 1, 0);
    if (outcome == Budget.Outcome.TAKEN) {
      outcome = bytes.take(turn.origin(), turn.bytes(), 0);
      if (outcome != Budget.Outcome.TAKEN) {
        places.give(turn.origin(), 1);
      }
    }
    return outcome;
  }

  int underWay() {
    return Math.toIntExact(places.taken());
  }

  int waiting() {
    return waitingCount;
  }
}
