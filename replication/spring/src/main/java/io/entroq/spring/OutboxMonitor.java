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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What metrics and the endpoint show of outboxes. Thread-safe. */
final class OutboxMonitor {
  /** To count rows takes the longer, the more there are. */
  private static final Duration AGE_MAX = Duration.ofSeconds(10);

  /** How long a caller waits for a look, from its beginning: a database may be away for longer. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(1);

  /** What is known for longer is not shown while a look takes its time. */
  private static final Duration STALE_AGE_MAX = Duration.ofSeconds(60);

  private final Map<String, State> states = new TreeMap<>();

  /**
   * @param outboxes by the names of their beans
   */
  OutboxMonitor(Map<String, TransactionalOutbox> outboxes) {
    this(outboxes, AGE_MAX);
  }

  /**
   * For tests.
   *
   * @param ageMax how old what was found in the database may be before the next look
   */
  OutboxMonitor(Map<String, TransactionalOutbox> outboxes, Duration ageMax) {
    outboxes.forEach((name, outbox) -> states.put(name, new State(name, outbox, ageMax)));
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

  /**
   * What a look into the database has found.
   *
   * @param lag null if it failed
   * @param failure null if it did not
   * @param endNanos when it was over
   */
  private record Look(@Nullable OutboxLag lag, @Nullable String failure, long endNanos) {
    boolean isYounger(Duration age) {
      return System.nanoTime() - endNanos < age.toNanos();
    }
  }

  /** An outbox, and what is known of it. */
  static final class State {
    private final String name;
    private final TransactionalOutbox outbox;
    private final Duration ageMax;
    private final ReentrantLock lock = new ReentrantLock();

    /** The last one that is over; null before the first. */
    private volatile @Nullable Look known;

    /** The last one that has begun; null before the first. Guarded by the lock. */
    private @Nullable CompletableFuture<Look> newest;

    private long begunNanos;

    private State(String name, TransactionalOutbox outbox, Duration ageMax) {
      this.name = name;
      this.outbox = outbox;
      this.ageMax = ageMax;
    }

    String name() {
      return name;
    }

    /** Empty if the database is away. */
    Optional<OutboxLag> lag() {
      return Optional.ofNullable(look().lag());
    }

    long relayed() {
      return outbox.relayStatus().map(RelayStatus::relayed).orElse(0L);
    }

    /** What is known, after a short wait if it is old. */
    private Look look() {
      CompletableFuture<Look> look;
      long waitNanos;
      lock.lock();
      try {
        Look last = known;
        boolean isOld = last == null || !last.isYounger(ageMax);
        if (newest == null || (newest.isDone() && isOld)) {
          begunNanos = System.nanoTime();
          newest = CompletableFuture.supplyAsync(this::lookNow, this::startThread);
        }
        look = newest;
        waitNanos = begunNanos + WAIT_MAX.toNanos() - System.nanoTime();
      } finally {
        lock.unlock();
      }
      try {
        return look.get(Math.max(0, waitNanos), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return old();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return old();
      } catch (ExecutionException e) {
        return new Look(null, String.valueOf(e.getCause()), System.nanoTime());
      }
    }

    private Look old() {
      Look last = known;
      return last != null && last.isYounger(STALE_AGE_MAX)
          ? last
          : new Look(null, "the database has not answered yet", System.nanoTime());
    }

    /** Of its own, as a pool without connections may keep it for long. */
    private void startThread(Runnable action) {
      Thread thread = new Thread(action, "entroq-outbox-" + name);
      thread.setDaemon(true);
      thread.start();
    }

    private Look lookNow() {
      Look look;
      try {
        look = new Look(outbox.lag(), null, System.nanoTime());
      } catch (SQLException | RuntimeException e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        look = new Look(null, message, System.nanoTime());
      }
      known = look;
      return look;
    }

    private Report report() {
      Look look = look();
      OutboxLag lag = look.lag();
      Optional<RelayStatus> relay = outbox.relayStatus();
      return new Report(
          name,
          lag == null ? null : lag.waiting(),
          lag == null ? null : lag.oldest().toMillis(),
          lag == null ? null : lag.setAside(),
          relayed(),
          outbox.isRunning(),
          relay.flatMap(RelayStatus::problem).orElse(look.failure()));
    }
  }
}
