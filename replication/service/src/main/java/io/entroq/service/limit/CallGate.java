package io.entroq.service.limit;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/**
 * Lets a number of visitors in at a time, and lets others wait. No connection and no address takes
 * more than its share of the places to wait; connections take turns. Any thread; does not block.
 */
public final class CallGate {
  private final int insideMax;
  private final Budget places;
  private final Map<Origin, Queue<BooleanSupplier>> waiting = new LinkedHashMap<>();
  private int inside;

  /**
   * Nobody is inside.
   *
   * @param waitingLimit counts those who wait
   */
  public CallGate(int insideMax, Limit waitingLimit, int waitingMax) {
    this.insideMax = insideMax;
    places = new Budget(waitingLimit, waitingMax);
  }

  /**
   * Lets a visitor in, now or later.
   *
   * @param origin of the visitor
   * @param visitor called inside; returns whether it stays, until {@link #leave}
   * @return false if too many wait
   */
  public boolean enter(Origin origin, BooleanSupplier visitor) {
    synchronized (this) {
      if (inside == insideMax) {
        return await(origin, visitor);
      }
      inside++;
    }
    if (!visitor.getAsBoolean()) {
      leave();
    }
    return true;
  }

  private boolean await(Origin origin, BooleanSupplier visitor) {
    if (!places.tryTake(origin, 1, 0)) {
      return false;
    }
    return waiting.computeIfAbsent(origin, connection -> new ArrayDeque<>()).add(visitor);
  }

  /** A visitor that stayed leaves. */
  public void leave() {
    BooleanSupplier next = next();
    while (next != null && !next.getAsBoolean()) {
      next = next();
    }
  }

  /** The next visitor; null if there is none, and the place is free. */
  private synchronized BooleanSupplier next() {
    Iterator<Map.Entry<Origin, Queue<BooleanSupplier>>> connections = waiting.entrySet().iterator();
    if (!connections.hasNext()) {
      inside--;
      return null;
    }
    Map.Entry<Origin, Queue<BooleanSupplier>> first = connections.next();
    Origin origin = first.getKey();
    Queue<BooleanSupplier> visitors = first.getValue();
    connections.remove();
    BooleanSupplier next = visitors.remove();
    if (!visitors.isEmpty()) {
      waiting.put(origin, visitors);
    }
    places.give(origin, 1);
    return next;
  }
}
