package io.entroq.simulator.replica;

import io.entroq.simulator.virtual.EventQueue;
import io.entroq.simulator.virtual.SeededRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The log of a cluster. The leader accepts entries of open sessions that are meant for it; they are
 * committed some time later and kept until no member needs them. Committed entries are never lost;
 * others may be lost with the leader. Each entry has the time of the leader that accepted it, so
 * times go back where leaders' clocks differ. One thread.
 */
final class OrderedLog {
  private static final long MICROSECOND = 1_000;
  private static final long COMMIT_NS_LEAST = 50 * MICROSECOND;
  private static final long COMMIT_NS_MOST = 2_000 * MICROSECOND;

  private final EventQueue events;
  private final SeededRandom commits;
  private final LongSupplier leaderMs;
  private final Consumer<Entry> listener;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final List<Entry> entries = new ArrayList<>();
  private final Set<Session> sessions = new LinkedHashSet<>();
  private long before;
  private long term;
  private boolean isLed;

  /**
   * An empty log without a leader.
   *
   * @param leaderMs the leader's clock, in milliseconds since the epoch
   * @param listener learns of each committed entry
   */
  OrderedLog(
      EventQueue events, SeededRandom random, LongSupplier leaderMs, Consumer<Entry> listener) {
    this.events = events;
    this.commits = random.fork("commits");
    this.leaderMs = leaderMs;
    this.listener = listener;
  }

  /** Offers an entry to the leader. It is lost if there is none or it is meant for another term. */
  void append(Entry entry) {
    boolean isForAnother = entry.kind == Entry.Kind.PROPOSAL && entry.term != term;
    if (!isLed || isForAnother) {
      entry.lose();
      return;
    }
    entry.setTime(leaderMs.getAsLong());
    waiting.add(entry);
    if (waiting.size() == 1) {
      commitSoon();
    }
  }

  private void commitSoon() {
    long since = term;
    events.in(
        commits.between(COMMIT_NS_LEAST, COMMIT_NS_MOST),
        () -> {
          if (isLed && since == term) {
            commitAll();
          }
        });
  }

  private void commitAll() {
    for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
      if (isOfOpenSession(entry)) {
        commit(entry);
      } else {
        entry.lose();
      }
    }
  }

  private boolean isOfOpenSession(Entry entry) {
    return switch (entry.kind) {
      case OPEN -> !entry.session.isOpen() && !entry.session.isClosed();
      case PROPOSAL, CLOSE -> entry.session.isOpen();
      case TIMER -> true;
    };
  }

  private void commit(Entry entry) {
    entry.commit(last() + 1, events.nowNs());
    if (entry.kind == Entry.Kind.OPEN) {
      entry.session.open();
      sessions.add(entry.session);
    } else if (entry.kind == Entry.Kind.CLOSE) {
      entry.session.close();
      sessions.remove(entry.session);
      if (sessions.stream().noneMatch(entry.session::isOfSame)) {
        entry.markLast();
      }
    }
    entries.add(entry);
    listener.accept(entry);
  }

  /** The open sessions, the oldest first. */
  List<Session> sessions() {
    return List.copyOf(sessions);
  }

  /** The leader is gone. The next one has some first part of the uncommitted entries. */
  void interrupt() {
    isLed = false;
    int kept = commits.below(waiting.size() + 1);
    while (waiting.size() > kept) {
      waiting.removeLast().lose();
    }
  }

  /** There is a new leader. */
  void resume() {
    term++;
    isLed = true;
    if (!waiting.isEmpty()) {
      commitSoon();
    }
  }

  /** Whether there is a leader. */
  boolean isLed() {
    return isLed;
  }

  /** The number of the current or last leader, from 1. */
  long term() {
    return term;
  }

  /** The newest committed entry; 0 if there is none. */
  long last() {
    return before + entries.size();
  }

  /** The oldest entry that is kept, or the next entry. */
  long first() {
    return before + 1;
  }

  /** A committed entry that is kept. */
  Entry get(long index) {
    return entries.get(Math.toIntExact(index - before - 1));
  }

  /** Drops older entries. */
  void forgetBefore(long index) {
    int count = Math.toIntExact(Math.max(0, index - before - 1));
    entries.subList(0, count).clear();
    before += count;
  }
}
