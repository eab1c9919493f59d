package io.entroq.simulator.model;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** All parked claims, by age and by queue. */
final class WaiterTable {
  private static final Comparator<Waiter> BY_DEADLINE =
      Comparator.comparingLong((Waiter waiter) -> waiter.claim().getDeadlineMs())
          .thenComparing(Waiter::sequence);

  private final TreeMap<Long, Waiter> byAge = new TreeMap<>();
  private final Map<String, TreeMap<Long, Waiter>> byQueue = new HashMap<>();

  void add(Waiter waiter) {
    byAge.put(waiter.sequence(), waiter);
    for (String queue : waiter.queues()) {
      byQueue.computeIfAbsent(queue, name -> new TreeMap<>()).put(waiter.sequence(), waiter);
    }
  }

  void remove(Waiter waiter) {
    byAge.remove(waiter.sequence());
    for (String queue : waiter.queues()) {
      byQueue.get(queue).remove(waiter.sequence());
      if (byQueue.get(queue).isEmpty()) {
        byQueue.remove(queue);
      }
    }
  }

  Waiter at(long sequence) {
    return byAge.get(sequence);
  }

  Collection<Waiter> all() {
    return Collections.unmodifiableCollection(byAge.values());
  }

  Set<String> queues() {
    return Collections.unmodifiableSet(byQueue.keySet());
  }

  boolean anyIn(String queue) {
    return byQueue.containsKey(queue);
  }

  Waiter oldestIn(String queue) {
    return byQueue.get(queue).firstEntry().getValue();
  }

  /** Those whose deadline has come, by deadline, then by age. */
  List<Waiter> dueBy(long nowMs) {
    List<Waiter> due = new ArrayList<>();
    for (Waiter waiter : byAge.values()) {
      if (waiter.hasDeadline() && waiter.claim().getDeadlineMs() <= nowMs) {
        due.add(waiter);
      }
    }
    due.sort(BY_DEADLINE);
    return due;
  }
}
