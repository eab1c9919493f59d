package io.entroq.simulator.virtual;

import java.util.Arrays;

/**
 * Virtual time and the events scheduled in it, ordered by time, then by when they were scheduled.
 * One thread.
 *
 * <p>A heap in arrays with four children per entry. A world spends much of its time here; this
 * touches half as many entries as a binary heap and allocates nothing.
 */
public final class EventQueue {
  private static final int BRANCHES_SHIFT = 2;
  private static final int BRANCHES = 1 << BRANCHES_SHIFT;

  private long[] times = new long[256];
  private long[] numbers = new long[256];
  private Event[] events = new Event[256];
  private int size;
  private long nowNs;
  private long scheduled;

  /** Something that happens at one moment. An exception ends the world. */
  @FunctionalInterface
  public interface Event {
    void happen();
  }

  /** Nanoseconds since the world began. */
  public long nowNs() {
    return nowNs;
  }

  /** Schedules an event so many nanoseconds from now, 0 or more. */
  public void in(long delayNs, Event event) {
    at(nowNs + delayNs, event);
  }

  /** Schedules an event at a time, or now if that has passed. */
  public void at(long timeNs, Event event) {
    if (size == times.length) {
      grow();
    }
    rise(size++, Math.max(timeNs, nowNs), scheduled++, event);
  }

  /** The time of the next event, or {@link Long#MAX_VALUE}. */
  public long nextNs() {
    return size == 0 ? Long.MAX_VALUE : times[0];
  }

  /** Advances time to the next event and runs it; false if there is none. */
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
      // The newest event never goes before others of the same time.
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
