package io.entroq.console.login;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds how many wrong passwords one address, or one name, may try: five a minute. Any thread.
 *
 * <p>Somebody who knows a name can keep its user from logging in anew; that is the price for that
 * many addresses may not guess at one password together.
 */
final class LoginThrottle {
  static final int FAILURES_MAX = 5;
  static final Duration WINDOW = Duration.ofMinutes(1);

  /** Beyond, what has not failed for the longest time is forgotten. */
  private static final int ENTRIES_MAX = 10_000;

  private final LongSupplier nanoClock;
  private final Map<String, Deque<Long>> failures = new LinkedHashMap<>(16, 0.75f, true);

  LoginThrottle(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /**
   * Counts an attempt as a failure before it is known to be one, so that several at a time do not
   * pass together.
   *
   * @param keys what makes it, such as an address and a name; each of bounded length
   * @return false, and counts nothing, if one of them has failed too often to try again now
   */
  synchronized boolean begin(List<String> keys) {
    if (keys.stream().anyMatch(this::isBlocked)) {
      return false;
    }
    keys.forEach(this::add);
    return true;
  }

  private boolean isBlocked(String key) {
    Deque<Long> recent = failures.get(key);
    if (recent == null) {
      return false;
    }
    long oldest = nanoClock.getAsLong() - WINDOW.toNanos();
    while (!recent.isEmpty() && recent.peekFirst() - oldest < 0) {
      recent.removeFirst();
    }
    return recent.size() >= FAILURES_MAX;
  }

  private void add(String key) {
    failures
        .computeIfAbsent(key, first -> new ArrayDeque<>(FAILURES_MAX))
        .addLast(nanoClock.getAsLong());
    if (failures.size() > ENTRIES_MAX) {
      Iterator<String> eldest = failures.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }

  /** Takes back what {@link #begin} has counted: it was no failure. */
  synchronized void undo(List<String> keys) {
    for (String key : keys) {
      failures.computeIfPresent(
          key,
          (known, recent) -> {
            recent.pollLast();
            return recent.isEmpty() ? null : recent;
          });
    }
  }
}
