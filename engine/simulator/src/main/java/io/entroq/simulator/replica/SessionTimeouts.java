package io.entroq.simulator.replica;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.HashMap;
import java.util.Map;

/** Closes sessions that have been silent for a while. One thread. */
final class SessionTimeouts {
  private static final long MILLISECOND = 1_000_000;
  private static final long PATIENCE_NS_LEAST = 500 * MILLISECOND;
  private static final long PATIENCE_NS_MOST = 10_000 * MILLISECOND;

  private final EventQueue events;
  private final SeededRandom random;
  private final OrderedLog log;

  /** When unused sessions are closed. */
  private final Map<Session, Long> due = new HashMap<>();

  /** The entries that close sessions. */
  private final Map<Session, Entry> closing = new HashMap<>();

  SessionTimeouts(EventQueue events, SeededRandom random, OrderedLog log) {
    this.events = events;
    this.random = random;
    this.log = log;
  }

  /** Checks all sessions. */
  void sweep() {
    due.keySet().removeIf(session -> session.isClosed());
    closing.keySet().removeIf(session -> session.isClosed());
    for (Session session : log.sessions()) {
      if (session.isUsed()) {
        due.remove(session);
      } else if (!due.containsKey(session)) {
        due.put(session, events.nowNs() + random.between(PATIENCE_NS_LEAST, PATIENCE_NS_MOST));
      } else if (due.get(session) <= events.nowNs()) {
        close(session);
      }
    }
  }

  /**
   * Closes the current session of an engine.
   *
   * @return false if it has none
   */
  boolean close(MemberLife life) {
    for (Session session : log.sessions()) {
      if (session.life() == life && session.isUsed()) {
        close(session);
        return true;
      }
    }
    return false;
  }

  private void close(Session session) {
    Entry last = closing.get(session);
    if (log.isLed() && (last == null || last.isLost())) {
      Entry entry = Entry.close(session);
      closing.put(session, entry);
      log.append(entry);
    }
  }
}
