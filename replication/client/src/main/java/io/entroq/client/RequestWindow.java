package io.entroq.client;

import com.google.protobuf.ByteString;
import io.entroq.api.EntroQException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Assigns request numbers under one client id, and limits the number of open requests. Any thread.
 *
 * <p>A server learns the client id from request 1 and refuses others before, so that one is sent
 * alone. A request waits for a number at most until its deadline.
 */
final class RequestWindow {
  /** A server keeps this many receipts for a client. */
  static final int OPEN_MAX = 1_024;

  /** The maximum number of requests that wait for a number. */
  static final int WAITING_MAX = 1 << 16;

  private final ByteString clientId;
  private final Timer timer;

  /** Released numbers from {@code ackedBelow} on, modulo {@link #OPEN_MAX}. */
  private final BitSet released = new BitSet(OPEN_MAX);

  /** In order of arrival. */
  private final Queue<NumberReceiver> waiting = new ArrayDeque<>();

  private long next = 1;
  private long ackedBelow = 1;
  private boolean isGranting;

  /** Whether a timer is set for the earliest deadline. */
  private boolean isTimerSet;

  /** That deadline. */
  private long timerNs;

  RequestWindow(ByteString clientId, Timer timer) {
    this.clientId = clientId;
    this.timer = timer;
  }

  ByteString clientId() {
    return clientId;
  }

  /** Assigns a number to a request, now or when one is free, or refuses it. */
  void acquire(NumberReceiver request) {
    long number = 0;
    boolean isFull = false;
    boolean isEarliest = false;
    synchronized (this) {
      if (hasRoom()) {
        number = next++;
      } else if (waiting.size() >= WAITING_MAX) {
        isFull = true;
      } else {
        waiting.add(request);
        isEarliest = !isTimerSet || request.deadlineNs() - timerNs < 0;
        if (isEarliest) {
          isTimerSet = true;
          timerNs = request.deadlineNs();
        }
      }
    }
    if (number > 0) {
      request.onNumber(number);
    } else if (isFull) {
      request.onRefused(
          new EntroQException.ResourceExhausted(
              "%,d requests are open and %,d wait. Nothing was done"
                  .formatted(OPEN_MAX, WAITING_MAX)));
    } else if (isEarliest) {
      setTimer(request.deadlineNs());
    }
  }

  private void setTimer(long deadlineNs) {
    long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
    timer.schedule(Math.max(1, remainingMs + 1), () -> refuseOverdue(deadlineNs));
  }

  /**
   * @param timedNs the deadline that the timer was set for
   */
  private void refuseOverdue(long timedNs) {
    List<NumberReceiver> overdue = new ArrayList<>();
    boolean isNextSet;
    long nextNs;
    synchronized (this) {
      long nowNs = System.nanoTime();
      if (!isTimerSet || timerNs != timedNs) {
        // Another one was set for an earlier deadline, and takes care of the rest.
        return;
      }
      for (NumberReceiver request : waiting) {
        if (request.deadlineNs() - nowNs <= 0) {
          overdue.add(request);
        }
      }
      waiting.removeAll(Set.copyOf(overdue));
      isTimerSet = false;
      for (NumberReceiver request : waiting) {
        if (!isTimerSet || request.deadlineNs() - timerNs < 0) {
          isTimerSet = true;
          timerNs = request.deadlineNs();
        }
      }
      isNextSet = isTimerSet;
      nextNs = timerNs;
    }
    if (isNextSet) {
      setTimer(nextNs);
    }
    for (NumberReceiver request : overdue) {
      request.onRefused(
          new EntroQException.Unavailable(
              "the server has not answered earlier requests in time. Nothing was done"));
    }
  }

  private boolean hasRoom() {
    long open = next - ackedBelow;
    return open == 0 || (ackedBelow > 1 && open < OPEN_MAX);
  }

  /** All numbers below this one are released; the server may drop their receipts. */
  synchronized long ackedBelow() {
    return ackedBelow;
  }

  /**
   * Releases a number whose reply has arrived or is no longer wanted, and assigns free numbers to
   * waiting requests. A request that fails at once calls this recursively; then only the outermost
   * call goes on.
   */
  void release(long number) {
    synchronized (this) {
      markReleased(number);
      if (isGranting) {
        return;
      }
      isGranting = true;
    }
    while (true) {
      NumberReceiver request;
      long assigned;
      synchronized (this) {
        if (waiting.isEmpty() || !hasRoom()) {
          isGranting = false;
          return;
        }
        request = waiting.remove();
        assigned = next++;
      }
      request.onNumber(assigned);
    }
  }

  private void markReleased(long number) {
    if (number < ackedBelow) {
      return;
    }
    released.set((int) (number % OPEN_MAX));
    while (released.get((int) (ackedBelow % OPEN_MAX))) {
      released.clear((int) (ackedBelow % OPEN_MAX));
      ackedBelow++;
    }
  }

  /** A request that needs a number. */
  interface NumberReceiver {
    /** The end of its wait, by {@link System#nanoTime}. */
    long deadlineNs();

    /** Called with a number that must be {@linkplain RequestWindow#release released}. */
    void onNumber(long number);

    /** Called if there is no number in time. */
    void onRefused(EntroQException reason);
  }

  /** Runs a short task after a delay. */
  @FunctionalInterface
  interface Timer {
    void schedule(long delayMs, Runnable work);
  }
}
