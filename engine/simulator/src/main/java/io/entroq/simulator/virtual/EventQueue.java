package io.entroq.simulator.virtual;

import java.util.Arrays;

/**
 * Virtual time and the events scheduled in it, by time and then in the order in which they were
 * scheduled. One thread.
 *
 * <p>A heap with four children per entry, in arrays. A world spends much of its time here; this
 * touches half as many places as a binary heap and allocates nothing.
 */
public final class EventQueue {
  private static final int BRANCHES_SHIFT = 2;
  private static final int BRANCHES = 1 << BRANCHES_SHIFT;

  private long[] times = new long[256];
  private long[] numbers = new long[256];
  private Event[] events = new Event[256];
  private int size;
  private long nowNs;
  private long asked;

  /** Something that happens at a moment. What it throws ends the world. */
  @FunctionalInterface
  public interface Event {
    void happen();
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
    if (size == times.length) {
      grow();
    }
    rise(size++, Math.max(timeNs, nowNs), asked++, event);
  }

  /** The time of what happens next; {@link Long#MAX_VALUE} if nothing will. */
  public long nextNs() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Lets time pass to what happens next, and lets it happen; false if there is nothing. */
  public boolean step() {
    if (size == 0) {
      return false;
    }
    nowNs = times[0];
    Event next = events[0];
    removeFirst();
    next.happen();
    return true;
  }

  private void removeFirst() {
    int last = --size;
    long time = times[last];
    long number = numbers[last];
    Event event = events[last];
    events[last] = null;
    if (last > 0) {
      sink(time, number, event);
    }
  }

  private void rise(int from, long time, long number, Event event) {
    int place = from;
    while (place > 0) {
      int above = (place - 1) >> BRANCHES_SHIFT;
      // What is asked for last never goes before what it shares a moment with.
      if (times[above] <= time) {
        break;
      }
      move(above, place);
      place = above;
    }
    put(place, time, number, event);
  }

  private void sink(long time, long number, Event event) {
    int place = 0;
    while (true) {
      int below = (place << BRANCHES_SHIFT) + 1;
      if (below >= size) {
        break;
      }
      int first = firstOf(below, Math.min(below + BRANCHES, size));
      if (!isBefore(times[first], numbers[first], time, number)) {
        break;
      }
      move(first, place);
      place = first;
    }
    put(place, time, number, event);
  }

  private int firstOf(int from, int to) {
    int first = from;
    for (int i = from + 1; i < to; i++) {
      if (isBefore(times[i], numbers[i], times[first], numbers[first])) {
        first = i;
      }
    }
    return first;
  }

  private static boolean isBefore(long time, long number, long otherTime, long otherNumber) {
    return time != otherTime ? time < otherTime : number < otherNumber;
  }

  private void move(int from, int to) {
    put(to, times[from], numbers[from], events[from]);
  }

  private void put(int place, long time, long number, Event event) {
    times[place] = time;
    numbers[place] = number;
    events[place] = event;
  }

  private void grow() {
    times = Arrays.copyOf(times, size * 2);
    numbers = Arrays.copyOf(numbers, size * 2);
    events = Arrays.copyOf(events, size * 2);
  }
}
