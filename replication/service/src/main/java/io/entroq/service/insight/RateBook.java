package io.entroq.service.insight;

import io.entroq.service.insight.sweep.SweepColumns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Events by queue: totals of many queues, and points over time of the busiest ones and of all
 * together. Every ten seconds a queue that is twice as busy as the least busy one that has points
 * takes its place. Memory is bounded. Not thread-safe.
 */
final class RateBook {
  /** Of missing pieces, the newest are remembered. */
  private static final int GAPS_MAX = 100;

  private static final int DEAD_QUEUES_MAX = 1_000;
  private static final int CHOICE_S = 10;

  /** When there are too many queues, so many stay. */
  private static final double KEPT_PART = 0.9;

  /**
   * A time in which events may have been missed.
   *
   * @param fromMs the last time before it
   * @param untilMs the first time after it
   */
  record Gap(long fromMs, long untilMs) {}

  private final int queuesMax;
  private final int seriesMax;
  private final NameTable queues = new NameTable();
  private final RateEntry all = new RateEntry(new byte[0]);
  private final List<RateEntry> touched = new ArrayList<>();
  private final List<RateEntry> deadQueues = new ArrayList<>();
  private final Deque<Gap> gaps = new ArrayDeque<>();
  private int series;
  private long second;

  /**
   * @param queuesMax how many queues are known at most
   * @param seriesMax how many of them have points
   */
  RateBook(int queuesMax, int seriesMax) {
    this.queuesMax = queuesMax;
    this.seriesMax = seriesMax;
    all.series = new RateSeries();
  }

  /** Goes on to a second since the epoch; time never goes back. */
  void second(long now) {
    if (now > second) {
      endSecond();
      boolean isChoice = now / CHOICE_S > second / CHOICE_S;
      second = now;
      if (isChoice && series >= seriesMax) {
        choose();
      }
    }
  }

  /** Takes all that has happened into account. Called before anything is read. */
  void endSecond() {
    for (RateEntry entry : touched) {
      if (entry.isForgotten) {
        continue;
      }
      if (entry.series == null && entry != all && series < seriesMax) {
        series++;
        entry.series = new RateSeries();
      }
      entry.end(second);
    }
    touched.clear();
  }

  long second() {
    return second;
  }

  /** The entry of a queue, which is added if it is not known. */
  RateEntry entry(DirectBuffer buffer, int offset, int length) {
    RateEntry entry = queues.find(buffer, offset, length);
    if (entry == null) {
      if (queues.size() >= queuesMax) {
        evict();
      }
      byte[] name = new byte[length];
      buffer.getBytes(offset, name);
      entry = new RateEntry(name);
      queues.add(entry);
      if (SweepColumns.isNamedDead(name, 0, length)) {
        markDead(entry);
      }
    }
    return entry;
  }

  RateEntry entry(String queue) {
    byte[] name = queue.getBytes(StandardCharsets.UTF_8);
    return entry(new UnsafeBuffer(name), 0, name.length);
  }

  /** The entry of a queue; null if it is not known. */
  RateEntry find(String queue) {
    byte[] name = queue.getBytes(StandardCharsets.UTF_8);
    return queues.find(new UnsafeBuffer(name), 0, name.length);
  }

  /** All queues together. */
  RateEntry all() {
    return all;
  }

  int size() {
    return queues.size();
  }

  /** From now on it is known that tasks come here that have failed for good. */
  void markDead(RateEntry entry) {
    entry.isDead = true;
    if (entry.trend == null && deadQueues.size() < DEAD_QUEUES_MAX) {
      entry.trend = new DeadTrend();
      deadQueues.add(entry);
    }
  }

  /** Dead queues whose growth is known. */
  List<RateEntry> deadQueues() {
    return deadQueues;
  }

  void count(RateEntry queue, Event event) {
    touch(queue);
    queue.now[event.ordinal()]++;
    touch(all);
    all.now[event.ordinal()]++;
  }

  private void touch(RateEntry entry) {
    if (!entry.isTouched) {
      entry.isTouched = true;
      touched.add(entry);
    }
  }

  /** A task came to a queue, or left it. */
  void grow(RateEntry queue, int tasks) {
    if (queue.trend != null) {
      queue.trend.add(minute(), tasks);
    }
  }

  long minute() {
    return second / RateStep.MINUTE.seconds();
  }

  /** Gives points to queues that have become busy, and takes them from those that are not. */
  private void choose() {
    Comparator<RateEntry> byActivity = byActivity();
    List<RateEntry> holders = new ArrayList<>();
    forEachSeries(holders::add);
    if (holders.isEmpty()) {
      return;
    }
    holders.sort(byActivity);
    double least = holders.get(0).rank;
    List<RateEntry> others = new ArrayList<>();
    queues.forEach(
        entry -> {
          if (entry.series == null && entry.rank > 2 * least) {
            others.add(entry);
          }
        });
    others.sort(byActivity.reversed());
    for (int i = 0; i < Math.min(holders.size(), others.size()); i++) {
      RateEntry loser = holders.get(i);
      RateEntry winner = others.get(i);
      if (winner.rank <= 2 * loser.rank) {
        return;
      }
      loser.series = null;
      loser.failures = null;
      winner.series = new RateSeries();
    }
  }

  /** Forgets the queues in which least happens. */
  private void evict() {
    endSecond();
    List<RateEntry> idle = new ArrayList<>();
    queues.forEach(
        entry -> {
          if (entry.trend == null) {
            idle.add(entry);
          }
        });
    idle.sort(byActivity());
    int surplus = queues.size() - (int) (queuesMax * KEPT_PART);
    Set<RateEntry> gone = new HashSet<>(idle.subList(0, Math.min(surplus, idle.size())));
    gone.forEach(this::forget);
    queues.retain(entry -> !gone.contains(entry));
  }

  private void forget(RateEntry entry) {
    entry.isForgotten = true;
    series -= entry.series == null ? 0 : 1;
  }

  /** Events may have been missed in between. */
  void addGap(long fromMs, long untilMs) {
    if (gaps.size() == GAPS_MAX) {
      gaps.remove();
    }
    gaps.add(new Gap(fromMs, untilMs));
  }

  List<Gap> gaps() {
    return List.copyOf(gaps);
  }

  /** The queues that have points. */
  void forEachSeries(Consumer<RateEntry> each) {
    queues.forEach(
        entry -> {
          if (entry.series != null) {
            each.accept(entry);
          }
        });
  }

  /** The busiest queues, in no order. */
  Collection<RateEntry> busiest(int max) {
    PriorityQueue<RateEntry> found = new PriorityQueue<>(byActivity());
    queues.forEach(
        entry -> {
          found.add(entry);
          if (found.size() > max) {
            found.remove();
          }
        });
    return found;
  }

  /** Compares how much happens at present. */
  private Comparator<RateEntry> byActivity() {
    queues.forEach(entry -> entry.rank = entry.activity(second));
    return Comparator.comparingDouble(entry -> entry.rank);
  }
}
