package io.entroq.engine.embedded;

import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestIntake;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.EngineLifecycle;
import java.util.concurrent.TimeUnit;

/**
 * The engine's work, in short pieces. On the thread that holds the {@link EngineOwnership}, unless
 * a method says otherwise.
 */
final class EngineDutyCycle {
  /**
   * Batches that a borrowed thread executes before it sends replies. Replies to requests that
   * arrived together should leave together: otherwise the next requests arrive apart, and later
   * ones even more so.
   */
  private static final int BORROWED_BATCHES_MAX = 8;

  /** How much two readings of one deadline may differ. */
  private static final long SLACK_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /** A time in nanoseconds since {@link #beginNs} that never comes. */
  private static final long NEVER = Long.MAX_VALUE;

  private final SlotQueue requests;
  private final RequestIntake intake;
  private final RequestExecutor executor;
  private final ReplyGate gate;
  private final EngineLifecycle state;

  private final long beginNs = System.nanoTime();

  /** When the engine must run even without a request; written by its owner. */
  private volatile long dueNs = NEVER;

  /** When the sleeping engine's thread wakes by itself; written by that thread. */
  private volatile long wakeNs = NEVER;

  EngineDutyCycle(
      SlotQueue requests,
      RequestIntake intake,
      RequestExecutor executor,
      ReplyGate gate,
      EngineLifecycle state) {
    this.requests = requests;
    this.intake = intake;
    this.executor = executor;
    this.gate = gate;
    this.state = state;
  }

  /**
   * Executes a batch of requests, does what is due, and continues reads.
   *
   * @return how much was done; 0 if there was nothing to do
   */
  int doBatch() {
    int done = intake.takeBatch();
    if (done == 0 && executor.isTickDue()) {
      executor.tick();
      done = 1;
    }
    done += executor.pollReads();
    if (executor.acknowledgeArrived()) {
      done++;
    }
    if (done > 0) {
      gate.onBatch();
    }
    return done;
  }

  /** The engine's thread is about to give up ownership. */
  void beforeLeaving() {
    noteDue();
  }

  /**
   * The engine's thread is about to sleep and may not own the engine. Borrowed threads may have
   * done what was due and set the next time.
   *
   * @return how long to sleep at most, in nanoseconds; {@link Long#MAX_VALUE}: until it is woken
   */
  long nanosToSleep() {
    long wake;
    do {
      wake = dueNs;
      wakeNs = wake;
      // Set before the check: a thread that finds something due sooner reads wakeNs after it has
      // set dueNs.
    } while (dueNs < wake);
    return wake == NEVER ? Long.MAX_VALUE : Math.max(0, wake - passedNs());
  }

  /**
   * Works in place of the engine's thread, which sleeps. Wakes it if the engine is closing, waits
   * for a force, or has something due before that thread wakes by itself.
   */
  void doOnBorrowedThread() {
    try {
      if (!state.isOpen() || gate.isFull()) {
        requests.wakeup().signal();
        return;
      }
      executor.doHousekeeping();
      int batches = 0;
      do {
        doBatch();
        batches++;
      } while (batches < BORROWED_BATCHES_MAX
          && !requests.isEmpty()
          && !gate.isFull()
          && state.isOpen());
      wakeIfDueSooner();
    } catch (Throwable t) {
      state.fail(t);
      requests.wakeup().signal();
    }
  }

  private void wakeIfDueSooner() {
    long due = noteDue();
    if (due < wakeNs - SLACK_NS) {
      requests.wakeup().signal();
    }
  }

  private long noteDue() {
    long nanos = executor.nanosUntilDue();
    long passed = passedNs();
    long due = nanos < NEVER - passed ? passed + nanos : NEVER;
    if (Math.abs(due - dueNs) > SLACK_NS) {
      dueNs = due;
    }
    return due;
  }

  private long passedNs() {
    return System.nanoTime() - beginNs;
  }
}
