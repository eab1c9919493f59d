package io.entroq.engine.embedded;

import java.util.concurrent.TimeUnit;

/**
 * What there is to do in an engine, in pieces that do not take long; whoever has the {@link
 * EngineSeat}.
 */
final class EngineWork {
  /** Requests between two looks at the gate. */
  private static final int BATCH_MAX = 128;

  /**
   * Batches of a guest before it tells of the answers. All that has come goes into as few of its
   * messages as can be: if answers to what came together left apart, the next requests would come
   * apart, and those after them more so.
   */
  private static final int GUEST_BATCHES_MAX = 8;

  /** By so much two looks at one deadline may differ. */
  private static final long SLACK_NS = TimeUnit.MICROSECONDS.toNanos(50);

  private final SlotQueue requests;
  private final RequestExecutor executor;
  private final ReplyGate gate;
  private final EngineState state;

  /** Whether the engine's thread wakes by itself, if it sleeps, and when. */
  private boolean wakes;

  private long wakesNs;

  EngineWork(SlotQueue requests, RequestExecutor executor, ReplyGate gate, EngineState state) {
    this.requests = requests;
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
    int done = 0;
    RequestSlot slot = requests.poll();
    while (slot != null) {
      executor.take(slot);
      done++;
      slot = done < BATCH_MAX ? requests.poll() : null;
    }
    if (done == 0 && executor.isTickDue()) {
      executor.tick();
      done = 1;
    }
    if (executor.fillPages()) {
      done++;
    }
    if (executor.answerAwaiting()) {
      done++;
    }
    if (executor.acknowledgeArrived()) {
      done++;
    }
    if (done > 0) {
      gate.onBatch();
    }
    return done;
  }

  /**
   * The engine's thread is about to sleep.
   *
   * @return for how long at most, in nanoseconds
   */
  long nanosToSleep() {
    long nanos = executor.nanosUntilDue();
    wakes = nanos != Long.MAX_VALUE;
    wakesNs = System.nanoTime() + nanos;
    return nanos;
  }

  /**
   * Does what there is instead of the engine's thread, which sleeps; wakes it for everything else
   * there is to do.
   */
  void doAsGuest() {
    try {
      if (!state.isOpen() || gate.isFull()) {
        requests.bell().ring();
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
      requests.bell().ring();
    }
  }

  /** Something may be due before the engine's thread wakes by itself. */
  private void ringIfDueSooner() {
    long nanos = executor.nanosUntilDue();
    if (nanos == Long.MAX_VALUE) {
      return;
    }
    long dueNs = System.nanoTime() + nanos;
    if (!wakes || dueNs - wakesNs < -SLACK_NS) {
      wakes = true;
      wakesNs = dueNs;
      requests.bell().ring();
    }
  }
}
