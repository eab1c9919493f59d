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
 * The log of a cluster: a leader takes entries in, those of open sessions that are meant for him;
 * they get their places some time later, and it keeps them until no member needs them any more.
 * What has a place in it keeps that for ever; what has none yet may be lost with the leader. Each
 * entry has the time of whoever took it in, so times go back where leaders' clocks differ. One
 * thread.
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
   * An empty log that nobody leads.
   *
   * @param leaderMs what the leader's clock says, in milliseconds since the epoch
   * @param listener hears of each entry that has got its place
   */
  OrderedLog(
      EventQueue events, SeededRandom random, LongSupplier leaderMs, Consumer<Entry> listener) {
    this.events = events;
    this.commits = random.fork("commits");
    this.leaderMs = leaderMs;
    this.listener = listener;
  }

  /** The leader takes something in; it is lost if there is none, or he is not the one it is for. */
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

  /** The sessions that are open, the oldest first. */
  List<Session> sessions() {
    return List.copyOf(sessions);
  }

  /** Nobody leads any more; of what has no place yet the next leader has the beginning, or none. */
  void interrupt() {
    isLed = false;
    int kept = commits.below(waiting.size() + 1);
    while (waiting.size() > kept) {
      waiting.removeLast().lose();
    }
  }

  /** Somebody leads. */
  void resume() {
    term++;
    isLed = true;
    if (!waiting.isEmpty()) {
      commitSoon();
    }
  }

  /** Whether somebody leads. */
  boolean isLed() {
    return isLed;
  }

  /** Which leader it is, or was, from 1. */
  long term() {
    return term;
  }

  /** The newest entry that has its place; 0 if there is none. */
  long last() {
    return before + entries.size();
  }

  /** The oldest entry that is kept, or the next one. */
  long first() {
    return before + 1;
  }

  /** An entry that has its place and is kept. */
  Entry get(long index) {
    return entries.get(Math.toIntExact(index - before - 1));
  }

  /** Nobody needs what is older any more. */
  void forgetBefore(long index) {
    int count = Math.toIntExact(Math.max(0, index - before - 1));
    entries.subList(0, count).clear();
    before += count;
  }
}
