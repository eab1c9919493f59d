package io.entroq.console.login;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
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

  /** Whether something, such as an address, has failed too often to try again now. */
  synchronized boolean isBlocked(String key) {
    Deque<Long> recent = failures.get(key);
    if (recent == null) {
      return false;
    }
    long oldest = nanoClock.getAsLong() - WINDOW.toNanos();
    while (!recent.isEmpty() && recent.peekFirst() - oldest < 0) {
      recent.removeFirst();
    }
    if (recent.isEmpty()) {
      failures.remove(key);
    }
    return recent.size() >= FAILURES_MAX;
  }

  /** Remembers a failure. */
  synchronized void failed(String key) {
    Deque<Long> recent = failures.computeIfAbsent(key, first -> new ArrayDeque<>(FAILURES_MAX));
    if (recent.size() == FAILURES_MAX) {
      recent.removeFirst();
    }
    recent.addLast(nanoClock.getAsLong());
    if (failures.size() > ENTRIES_MAX) {
      Iterator<String> eldest = failures.keySet().iterator();
      eldest.next();
      eldest.remove();
    }
  }
}
