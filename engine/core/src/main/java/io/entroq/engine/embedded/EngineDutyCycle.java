package io.entroq.engine.embedded;

import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestIntake;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.EngineLifecycle;
import java.util.concurrent.TimeUnit;

/**
 * What there is to do in an engine, in pieces that do not take long; whoever has the {@link
 * EngineOwnership}.
 */
final class EngineDutyCycle {
  /**
   * Batches of a guest before it tells of the answers. All that has come goes into as few of its
   * messages as can be: if answers to what came together left apart, the next requests would come
   * apart, and those after them more so.
   */
  private static final int GUEST_BATCHES_MAX = 8;

  /** By so much two looks at one deadline may differ. */
  private static final long SLACK_NS = TimeUnit.MICROSECONDS.toNanos(50);

  /** In place of a time, in nanoseconds since {@link #beginNs}, that does not come. */
  private static final long NEVER = Long.MAX_VALUE;

  private final SlotQueue requests;
  private final RequestIntake intake;
  private final RequestExecutor executor;
  private final ReplyGate gate;
  private final EngineLifecycle state;

  private final long beginNs = System.nanoTime();

  /** When the engine must run though there is no request; written by its owner. */
  private volatile long dueNs = NEVER;

  /** When the engine's thread wakes by itself, if it sleeps; that thread. */
  private volatile long wakesNs = NEVER;

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
   * Takes a batch of requests, lets due things happen, goes on with pages.
   *
   * @return how much was done; 0: there was nothing to do
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
  void leave() {
    noteDue();
  }

  /**
   * The engine's thread is about to sleep, and may not own the engine: borrowed threads may have
   * done what was due, and have set when it is next.
   *
   * @return for how long at most, in nanoseconds; {@link Long#MAX_VALUE}: until it is woken
   */
  long nanosToSleep() {
    long wakes;
    do {
      wakes = dueNs;
      wakesNs = wakes;
      // Set before the check that counts: a thread that finds something due sooner reads it later.
    } while (dueNs < wakes);
    return wakes == NEVER ? Long.MAX_VALUE : Math.max(0, wakes - passedNs());
  }

  /**
   * Does what there is instead of the engine's thread, which sleeps; wakes it for everything else
   * there is to do.
   */
  void doAsGuest() {
    try {
      if (!state.isOpen() || gate.isFull()) {
        requests.wakeup().signal();
        return;
      }
      executor.keepHouse();
      int batches = 0;
      do {
        doBatch();
        batches++;
      } while (batches < GUEST_BATCHES_MAX
          && !requests.isEmpty()
          && !gate.isFull()
          && state.isOpen());
      ringIfDueSooner();
    } catch (Throwable t) {
      state.fail(t);
      requests.wakeup().signal();
    }
  }

  /** Something may be due before the engine's thread wakes by itself. */
  private void ringIfDueSooner() {
    long due = noteDue();
    if (due < wakesNs - SLACK_NS) {
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
