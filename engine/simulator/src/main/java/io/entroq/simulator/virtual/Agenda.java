package io.entroq.simulator.virtual;

import java.util.PriorityQueue;

/**
 * Virtual time, and what is to happen in it: in the order of time, and of what falls on one moment
 * the first that was asked for. One thread.
 */
public final class Agenda {
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private long nowNs;
  private long asked;

  /** Something that happens at a moment. What it throws ends the world. */
  @FunctionalInterface
  public interface Event {
    void happen();
  }

  private record Entry(long timeNs, long number, Event event) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = Long.compare(timeNs, other.timeNs);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  /** Nanoseconds since the world began; never goes back. */
  public long nowNs() {
    return nowNs;
  }

  /** Has the event happen so many nanoseconds from now, 0 or more. */
  public void in(long delayNs, Event event) {
    at(nowNs + delayNs, event);
  }

  /** Has the event happen at that time, or now if that has passed. */
  public void at(long timeNs, Event event) {
    entries.add(new Entry(Math.max(timeNs, nowNs), asked++, event));
  }

  /** The time of what happens next; {@link Long#MAX_VALUE} if nothing will. */
  public long nextNs() {
    Entry next = entries.peek();
    return next == null ? Long.MAX_VALUE : next.timeNs;
  }

  /** Lets time pass to what happens next, and lets it happen; false if there is nothing. */
  public boolean step() {
    Entry next = entries.poll();
    if (next == null) {
      return false;
    }
    nowNs = next.timeNs;
    next.event.happen();
    return true;
  }
}
