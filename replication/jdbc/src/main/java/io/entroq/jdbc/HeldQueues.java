package io.entroq.jdbc;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Queues that accept no tasks at present; their rows wait, and others go on. For one thread. */
final class HeldQueues {
  /** More would make a long statement; then all rows wait. */
  private static final int QUEUES_MAX = 100;

  private final Map<String, Hold> holds = new LinkedHashMap<>();

  /**
   * Until when a queue is left alone.
   *
   * @param endNanos in nanoseconds of the system
   * @param problem why
   */
  private record Hold(long endNanos, String problem) {}

  void hold(String queue, Duration time, String problem) {
    holds.put(queue, new Hold(System.nanoTime() + time.toNanos(), problem));
  }

  /** Those that are held now. */
  Set<String> names() {
    long now = System.nanoTime();
    holds.values().removeIf(hold -> hold.endNanos() - now <= 0);
    return holds.keySet();
  }

  boolean areTooMany() {
    return names().size() >= QUEUES_MAX;
  }

  Optional<String> problem() {
    return holds.values().stream().map(Hold::problem).findFirst();
  }
}
