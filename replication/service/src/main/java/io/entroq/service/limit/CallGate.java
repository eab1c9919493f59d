package io.entroq.service.limit;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * Runs a limited number of calls at a time; the others wait. No connection or address gets more
 * than its share of the queue, and connections take turns. Any thread; does not block.
 */
public final class CallGate {
  private final int runningMax;
  private final Budget queued;
  private final Map<Origin, Queue<BooleanSupplier>> waiting = new LinkedHashMap<>();
  private int running;

  /**
   * @param runningMax calls that run at a time
   * @param waitingLimit the limit that waiting calls count against
   */
  public CallGate(int runningMax, Limit waitingLimit, int waitingMax) {
    this.runningMax = runningMax;
    queued = new Budget(waitingLimit, waitingMax);
  }

  /**
   * Starts a call, now or later.
   *
   * @param start starts the call; returns whether the call now runs, until {@link #leave}
   * @return false if too many calls wait
   */
  public boolean enter(Origin origin, BooleanSupplier start) {
    synchronized (this) {
      if (running == runningMax) {
        return await(origin, start);
      }
      running++;
    }
    if (!start.getAsBoolean()) {
      leave();
    }
    return true;
  }

  private boolean await(Origin origin, BooleanSupplier start) {
    if (!queued.tryTake(origin, 1, 0)) {
      return false;
    }
    return waiting.computeIfAbsent(origin, connection -> new ArrayDeque<>()).add(start);
  }

  /** Call once when a running call ends. */
  public void leave() {
    BooleanSupplier next = next();
    while (next != null && !next.getAsBoolean()) {
      next = next();
    }
  }

  /** The next waiting call; if there is none, frees the slot and returns null. */
  private synchronized BooleanSupplier next() {
    Iterator<Map.Entry<Origin, Queue<BooleanSupplier>>> connections = waiting.entrySet().iterator();
    if (!connections.hasNext()) {
      running--;
      return null;
    }
    Map.Entry<Origin, Queue<BooleanSupplier>> first = connections.next();
    Origin origin = first.getKey();
    Queue<BooleanSupplier> starts = first.getValue();
    connections.remove();
    BooleanSupplier next = starts.remove();
    if (!starts.isEmpty()) {
      waiting.put(origin, starts);
    }
    queued.give(origin, 1);
    return next;
  }
}
