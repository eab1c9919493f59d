package io.entroq.server.service.admission;

import io.entroq.server.service.edge.Refusal;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Room for calls of one sort: so many go on at a time, and the others wait behind each other. Any
 * thread.
 *
 * <p>A call that finds room, and nobody before it, takes no lock.
 */
final class Room {
  private static final Logger LOG = LoggerFactory.getLogger(Room.class);

  private final String sort;
  private final int max;
  private final ByteBudget bytes;
  private final boolean isHeldUntilDelivered;
  private final Line line;
  private final AtomicInteger underWay = new AtomicInteger();

  /** In the order in which they have come; changed under its lock. */
  private final Set<Turn<?>> waiting = new LinkedHashSet<>();

  /** As many as there are in it, or a few more that are on their way. */
  private volatile int waitingCount;

  /** How often somebody has asked to let calls go on, while one does. */
  private final AtomicInteger admissions = new AtomicInteger();

  /**
   * @param sort what these calls are, for people
   * @param bytes may be shared with other rooms
   * @param isHeldUntilDelivered whether a call has its place until its answer has left, and not
   *     only until there is one
   */
  Room(String sort, int max, ByteBudget bytes, boolean isHeldUntilDelivered, Line line) {
    this.sort = sort;
    this.max = max;
    this.bytes = bytes;
    this.isHeldUntilDelivered = isHeldUntilDelivered;
    this.line = line;
  }

  boolean isHeldUntilDelivered() {
    return isHeldUntilDelivered;
  }

  ByteBudget bytes() {
    return bytes;
  }

  /** Begins a call, now or when it is its turn, or refuses it. */
  void enter(Turn<?> turn) {
    if (waitingCount == 0 && tryTake(turn)) {
      turn.begin();
    } else {
      queue(turn);
    }
  }

  private void queue(Turn<?> turn) {
    boolean isFirst;
    boolean isIn;
    synchronized (waiting) {
      // Before it looks for room: whoever makes room looks for it afterwards.
      waitingCount++;
      isFirst = waiting.isEmpty() && tryTake(turn);
      isIn = !isFirst && line.tryEnter(turn.requestBytes());
      if (isIn) {
        waiting.add(turn);
      } else {
        waitingCount--;
      }
    }
    if (isFirst) {
      turn.begin();
      return;
    }
    if (isIn) {
      turn.limitTo(
          line.timer().schedule(() -> expire(turn), waitNanos(turn), TimeUnit.NANOSECONDS));
    } else {
      turn.fail(refusal("and the line is full"));
    }
    // Whoever is first may have found no room while this one had a part of it in its hand.
    admit();
  }

  private long waitNanos(Turn<?> turn) {
    return turn.deadlineNanos().isEmpty()
        ? line.waitMaxNanos()
        : Math.min(line.waitMaxNanos(), turn.deadlineNanos().getAsLong() - System.nanoTime());
  }

  private void expire(Turn<?> turn) {
    if (withdraw(turn)) {
      turn.fail(refusal("and it was not the call's turn in time"));
    }
  }

  private Refusal refusal(String what) {
    return Refusal.exhausted(
        ("%d %s are under way, of at most %d and %,d bytes, %s: %d calls wait, of at most %d. Nothing"
                + " was done. Try again later")
            .formatted(underWay.get(), sort, max, bytes.max(), what, line.count(), line.max()));
  }

  /**
   * Has a call wait no more.
   *
   * @return whether it has waited
   */
  boolean withdraw(Turn<?> turn) {
    boolean hasWaited;
    synchronized (waiting) {
      hasWaited = waiting.remove(turn);
      if (hasWaited) {
        waitingCount--;
        line.leave(turn.requestBytes());
      }
    }
    if (hasWaited) {
      // Whoever is behind it may need less room.
      admit();
    }
    return hasWaited;
  }

  /** A call does not need its place any more; {@link #admit} is to be called then. */
  void leave() {
    underWay.decrementAndGet();
  }

  /** Lets calls go on that wait, as many as there is room for. */
  void admit() {
    if (waitingCount == 0 || admissions.getAndIncrement() != 0) {
      return;
    }
    // One call that ends at once makes room for the next: in a loop, and not in a pile of calls.
    int seen = 1;
    do {
      for (Turn<?> next = next(); next != null; next = next()) {
        attempt(next);
      }
      seen = admissions.addAndGet(-seen);
    } while (seen != 0);
  }

  private static void attempt(Turn<?> turn) {
    try {
      turn.begin();
    } catch (Throwable t) {
      // It was not to throw. All the same there are others behind it, now and for ever.
      LOG.error("A call met a fault of this server when it was its turn.", t);
    }
  }

  private Turn<?> next() {
    synchronized (waiting) {
      Iterator<Turn<?>> turns = waiting.iterator();
      if (!turns.hasNext()) {
        return null;
      }
      Turn<?> turn = turns.next();
      if (!tryTake(turn)) {
        return null;
      }
      turns.remove();
      waitingCount--;
      line.leave(turn.requestBytes());
      return turn;
    }
  }

  private boolean tryTake(Turn<?> turn) {
    if (!tryTakePlace()) {
      return false;
    }
    if (!bytes.tryTake(turn.bytes())) {
      underWay.decrementAndGet();
      return false;
    }
    return true;
  }

  private boolean tryTakePlace() {
    int before;
    do {
      before = underWay.get();
      if (before >= max) {
        return false;
      }
    } while (!underWay.compareAndSet(before, before + 1));
    return true;
  }

  int underWay() {
    return underWay.get();
  }

  int waiting() {
    return waitingCount;
  }
}
