package io.entroq.jdbc;

import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.jdbc.BatchRelay.BatchResult;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Brings the rows of an {@link Outbox} to a queue, each once, oldest first, on a thread of its own.
 * Any number may run on an outbox at once: they take turns by batches.
 *
 * <p>While database or queue are away it waits, 0.1 to 10 s, and tries again. While a queue is
 * full, its rows wait, and those of other queues go on. A row that can never become a task is
 * {@linkplain Outbox#setAside set aside}. {@link #status()} says why rows wait. Methods are for any
 * thread.
 */
public final class Relay implements AutoCloseable {
  static final Logger LOG = System.getLogger(Relay.class.getName());

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final int CONFLICT_PAUSE_MS = 10;
  private static final int CONFLICT_DOUBLINGS = 5;

  /** A driver that hangs must not hang whoever closes. */
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final Connector database;
  private final BatchRelay batches;
  private final Duration pollInterval;
  private final Thread thread;
  private final Semaphore wakeUp = new Semaphore(0);
  private volatile boolean isClosed;
  private volatile boolean isDraining;
  private volatile Optional<String> problem = Optional.empty();

  /** For the thread. */
  private Duration pause = FIRST_PAUSE;

  private int conflictsInARow;

  private Relay(Builder builder) {
    database = builder.database;
    pollInterval = builder.pollInterval;
    batches =
        new BatchRelay(builder.table, builder.queue, builder.batchRows, LastBatch.VERSION_MAX);
    thread = new Thread(this::run, "entroq-relay-" + builder.table.name());
    thread.setDaemon(true);
  }

  /** Configures a relay and starts it. Not thread-safe. */
  public static final class Builder {
    private static final int BATCH_ROWS_MAX = 1_000;
    private static final Duration INTERVAL_MIN = Duration.ofMillis(10);
    private static final Duration INTERVAL_MAX = Duration.ofHours(1);

    private final OutboxTable table;
    private final Connector database;
    private final EntroQ queue;
    private int batchRows = 100;
    private Duration pollInterval = Duration.ofSeconds(1);

    Builder(OutboxTable table, Connector database, EntroQ queue) {
      this.table = table;
      this.database = Objects.requireNonNull(database, "database");
      this.queue = Objects.requireNonNull(queue, "queue");
    }

    /** Rows of a batch, 1 to 1,000; 100 by default. A batch has about 1 MiB at most. */
    public Builder batchRows(int rows) {
      if (rows < 1 || rows > BATCH_ROWS_MAX) {
        throw new IllegalArgumentException(
            "batchRows must be 1 to " + BATCH_ROWS_MAX + ", is " + rows);
      }
      batchRows = rows;
      return this;
    }

    /**
     * How often to look for rows of which nobody has told: 10 ms to 1 hour; 1 second by default.
     */
    public Builder pollInterval(Duration interval) {
      if (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0) {
        throw new IllegalArgumentException(
            "pollInterval must be %s to %s, is %s".formatted(INTERVAL_MIN, INTERVAL_MAX, interval));
      }
      pollInterval = interval;
      return this;
    }

    /** Starts a relay with a thread. */
    public Relay start() {
      Relay relay = new Relay(this);
      relay.thread.start();
      return relay;
    }
  }

  /** Looks for rows now. Call it after a commit; it returns at once. */
  public void wake() {
    if (wakeUp.availablePermits() == 0) {
      wakeUp.release();
    }
  }

  /** What it has done, and why rows wait. */
  public RelayStatus status() {
    return new RelayStatus(
        batches.relayed(), batches.conflicts(), problem, thread.isAlive() && !isClosed);
  }

  /**
   * Ends it after the batch that is being relayed, for which it waits, but 10 s at most. What is
   * left is for other relays, or the next one.
   */
  @Override
  public void close() {
    isClosed = true;
    wakeUp.release();
    boolean unused = awaitEnd(CLOSE_WAIT);
  }

  /**
   * Relays what has been committed before this call, and ends. Rows that have to wait, for example
   * because the queue is away, are left for other relays, or the next one.
   *
   * @param timeout after which it ends as by {@link #close()}; zero or more
   * @return whether it ended in time
   */
  public boolean close(Duration timeout) {
    isDraining = true;
    wakeUp.release();
    boolean isInTime = awaitEnd(timeout);
    close();
    return isInTime;
  }

  /** An interrupt of the caller ends the wait early. */
  private boolean awaitEnd(Duration timeout) {
    try {
      TimeUnit.MILLISECONDS.timedJoin(thread, TimeUnit.MILLISECONDS.convert(timeout));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  private void run() {
    try {
      boolean isLast = false;
      while (!isClosed && !isLast) {
        // Before it looks, as what was committed by then is to be found.
        boolean drains = isDraining;
        Duration wait = relayAll();
        // After a conflict, nobody knows whether the other relay has seen all rows.
        isLast = drains && conflictsInARow == 0;
        if (!isLast) {
          await(wait);
        }
      }
    } catch (InterruptedException e) {
      problem = Optional.of("its thread was interrupted");
    } catch (EntroQException.Closed e) {
      report("ends: the queue is closed; start another relay with an open one", e);
    }
  }

  /** Relays what there is, and returns how long to wait then. */
  private Duration relayAll() throws InterruptedException {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      // Each statement must see what was committed before, and rows that are gone lock no gap.
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      BatchResult result = BatchResult.MORE;
      while (result == BatchResult.MORE && !isClosed) {
        result = batches.relay(connection);
        pause = FIRST_PAUSE;
        conflictsInARow = result == BatchResult.CONFLICT ? conflictsInARow + 1 : 0;
        reportHeld();
      }
      return result == BatchResult.CONFLICT ? conflictPause() : Duration.ZERO;
    } catch (EntroQException.Closed e) {
      throw e;
    } catch (SQLException | RuntimeException | Error e) {
      // An Error too: without this thread rows would wait for ever.
      report("waits, and tries again: " + e.getMessage() + advice(e), e);
      conflictsInARow = 0;
      Duration wait = pause;
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
      return wait;
    }
  }

  /** The other relay goes on; this one looks again soon, as that may not have seen all rows. */
  private Duration conflictPause() {
    int mostMs = CONFLICT_PAUSE_MS << Math.min(conflictsInARow, CONFLICT_DOUBLINGS);
    return Duration.ofMillis(1 + ThreadLocalRandom.current().nextInt(mostMs));
  }

  private static String advice(Throwable e) {
    boolean isAboutTables =
        e instanceof SQLException failure
            && failure.getSQLState() != null
            && failure.getSQLState().startsWith("42");
    return isAboutTables
        ? "; create the tables with Outbox.createTables, or give the relay the right to them"
        : "";
  }

  private void reportHeld() {
    Optional<String> held = batches.problem();
    if (problem.isPresent() && held.isEmpty()) {
      LOG.log(Level.INFO, "goes on");
    }
    if (held.isPresent() && problem.isEmpty()) {
      LOG.log(Level.WARNING, "rows of a queue wait, and others go on: {0}", held.get());
    }
    problem = held;
  }

  private void report(String what, Throwable e) {
    if (!problem.equals(Optional.of(what))) {
      LOG.log(Level.WARNING, what, e);
    }
    problem = Optional.of(what);
  }

  /**
   * @param time zero until somebody wakes it or the poll interval is over; else so long, whoever
   *     wakes it
   */
  private void await(Duration time) throws InterruptedException {
    if (time.isZero() && !isDraining) {
      boolean isHeld = batches.problem().isPresent();
      long most = isHeld ? BatchRelay.HOLD.toMillis() : Long.MAX_VALUE;
      boolean unused =
          wakeUp.tryAcquire(Math.min(most, pollInterval.toMillis()), TimeUnit.MILLISECONDS);
      return;
    }
    long endNanos = System.nanoTime() + time.toNanos();
    // The pause after a conflict is short, and needed while it drains, too.
    while (!isClosed && (!isDraining || conflictsInARow > 0) && endNanos - System.nanoTime() > 0) {
      Thread.sleep(Math.min(CONFLICT_PAUSE_MS, time.toMillis()));
    }
  }
}
