package io.entroq.client;

import com.google.protobuf.ByteString;
import io.entroq.api.EntroQException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Numbers requests that are answered soon, many of which may be open at a time. Any thread.
 *
 * <p>A server knows a client by its first request, and does not take others before that; so the
 * first one goes alone. Whoever waits for a number does so no longer than for an answer.
 */
final class RequestWindow {
  /** As many as a server keeps receipts of. */
  static final int OPEN_MAX = 1_024;

  /** How many may wait for a number; a caller who has more is faster than his server. */
  static final int WAITING_MAX = 1 << 16;

  private final ByteString clientId;
  private final Timer timer;

  /** Of the numbers from {@code ackedBelow} on, those that have been answered. */
  private final BitSet answered = new BitSet(OPEN_MAX);

  /** Who has waited longest comes first; all of them wait equally long. */
  private final Queue<Applicant> waiting = new ArrayDeque<>();

  private long next = 1;
  private long ackedBelow = 1;
  private boolean isGranting;

  /** Whether somebody is going to look who has waited for too long. */
  private boolean isWatched;

  /**
   * @param timer has this look who has waited for too long
   */
  RequestWindow(ByteString clientId, Timer timer) {
    this.clientId = clientId;
    this.timer = timer;
  }

  ByteString clientId() {
    return clientId;
  }

  /** Gives a number to a request, at once or as soon as there is room, or refuses it. */
  void number(Applicant request) {
    long number = 0;
    boolean isFull = false;
    boolean isFirst = false;
    synchronized (this) {
      if (hasRoom()) {
        number = next++;
      } else if (waiting.size() >= WAITING_MAX) {
        isFull = true;
      } else {
        waiting.add(request);
        isFirst = !isWatched;
        isWatched = true;
      }
    }
    if (number > 0) {
      request.numbered(number);
    } else if (isFull) {
      request.refused(
          new EntroQException.ResourceExhausted(
              "%,d requests are under way and %,d wait. Nothing was done"
                  .formatted(OPEN_MAX, WAITING_MAX)));
    } else if (isFirst) {
      watch(request.deadlineNs());
    }
  }

  private void watch(long deadlineNs) {
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    timer.later(Math.max(1, remainingMs + 1), this::refuseOverdue);
  }

  private void refuseOverdue() {
    List<Applicant> overdue = new ArrayList<>();
    Applicant next;
    synchronized (this) {
      long nowNs = System.nanoTime();
      while (!waiting.isEmpty() && waiting.peek().deadlineNs() - nowNs <= 0) {
        overdue.add(waiting.remove());
      }
      next = waiting.peek();
      isWatched = next != null;
    }
    if (next != null) {
      watch(next.deadlineNs());
    }
    for (Applicant request : overdue) {
      request.refused(
          new EntroQException.Unavailable(
              "the server has not answered what was asked before. Nothing was done"));
    }
  }

  private boolean hasRoom() {
    long open = next - ackedBelow;
    return open == 0 || (ackedBelow > 1 && open < OPEN_MAX);
  }

  /** The replies to all numbers below this one have arrived, or nobody waits for them. */
  synchronized long ackedBelow() {
    return ackedBelow;
  }

  /**
   * The reply to a number has arrived, or nobody waits for it. Those who get its room and fail at
   * once come back here; then it is the first of these calls that goes on.
   */
  void answered(long number) {
    synchronized (this) {
      acknowledge(number);
      if (isGranting) {
        return;
      }
      isGranting = true;
    }
    while (true) {
      Applicant request;
      long given;
      synchronized (this) {
        if (waiting.isEmpty() || !hasRoom()) {
          isGranting = false;
          return;
        }
        request = waiting.remove();
        given = next++;
      }
      request.numbered(given);
    }
  }

  private void acknowledge(long number) {
    if (number < ackedBelow) {
      return;
    }
    answered.set((int) (number % OPEN_MAX));
    while (answered.get((int) (ackedBelow % OPEN_MAX))) {
      answered.clear((int) (ackedBelow % OPEN_MAX));
      ackedBelow++;
    }
  }

  /** A request that needs a number. */
  interface Applicant {
    /** Until when it can wait for one, by {@link System#nanoTime}. */
    long deadlineNs();

    /** It has got one, which has to be {@linkplain RequestWindow#answered answered}. */
    void numbered(long number);

    /** It gets none. */
    void refused(EntroQException reason);
  }

  /** Runs something small a while later. */
  @FunctionalInterface
  interface Timer {
    void later(long delayMs, Runnable work);
  }
}
