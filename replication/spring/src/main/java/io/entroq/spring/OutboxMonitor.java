package io.entroq.spring;

import io.entroq.jdbc.OutboxLag;
import io.entroq.jdbc.RelayStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What metrics and the endpoint show of outboxes. Thread-safe. */
final class OutboxMonitor {
  /** To count rows takes the longer, the more there are. */
  private static final Duration LAG_AGE_MAX = Duration.ofSeconds(10);

  private final Map<String, State> states = new TreeMap<>();

  /**
   * @param outboxes by the names of their beans
   */
  OutboxMonitor(Map<String, TransactionalOutbox> outboxes) {
    outboxes.forEach((name, outbox) -> states.put(name, new State(name, outbox)));
  }

  Collection<State> states() {
    return states.values();
  }

  List<Report> reports() {
    return states.values().stream().map(State::report).toList();
  }

  /**
   * An outbox.
   *
   * @param name of its bean
   * @param waiting tasks that are not in the queue yet; null if the database is away
   * @param oldestMs for how long the oldest of them has waited; null if the database is away
   * @param setAside tasks that were refused and wait for somebody; null if the database is away
   * @param relayed tasks that this instance has brought to the queue
   * @param running whether this instance does so
   * @param problem why tasks wait; null if all is well
   */
  record Report(
      String name,
      @Nullable Long waiting,
      @Nullable Long oldestMs,
      @Nullable Long setAside,
      long relayed,
      boolean running,
      @Nullable String problem) {}

  /** An outbox, and what is known of it. */
  static final class State {
    private final String name;
    private final TransactionalOutbox outbox;
    private final ReentrantLock lock = new ReentrantLock();

    /** Of the last look; null if it failed. Guarded by the lock. */
    private @Nullable OutboxLag lag;

    private @Nullable String failure;
    private long lookedNanos;
    private boolean hasLooked;

    private State(String name, TransactionalOutbox outbox) {
      this.name = name;
      this.outbox = outbox;
    }

    String name() {
      return name;
    }

    /** Up to 10 s old; empty if the database is away. */
    Optional<OutboxLag> lag() {
      lock.lock();
      try {
        look();
        return Optional.ofNullable(lag);
      } finally {
        lock.unlock();
      }
    }

    long relayed() {
      return outbox.relayStatus().map(RelayStatus::relayed).orElse(0L);
    }

    private void look() {
      if (hasLooked && System.nanoTime() - lookedNanos < LAG_AGE_MAX.toNanos()) {
        return;
      }
      try {
        lag = outbox.lag();
        failure = null;
      } catch (SQLException e) {
        lag = null;
        failure = e.getMessage();
      }
      // After it, as a database that is away may take long to say so.
      lookedNanos = System.nanoTime();
      hasLooked = true;
    }

    private Report report() {
      lock.lock();
      try {
        look();
        Optional<RelayStatus> relay = outbox.relayStatus();
        return new Report(
            name,
            lag == null ? null : lag.waiting(),
            lag == null ? null : lag.oldest().toMillis(),
            lag == null ? null : lag.setAside(),
            relayed(),
            outbox.isRunning(),
            relay.flatMap(RelayStatus::problem).orElse(failure));
      } finally {
        lock.unlock();
      }
    }
  }
}
