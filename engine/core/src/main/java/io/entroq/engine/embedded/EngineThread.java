package io.entroq.engine.embedded;

import java.util.concurrent.TimeUnit;

/**
 * The thread that owns the state: takes requests in batches, executes them, lets due things happen,
 * and sleeps when there is nothing to do.
 *
 * <p>After the last request it goes on looking for a while, because waking a thread costs tens of
 * microseconds; then it sleeps until a request or the next deadline.
 */
final class EngineThread implements Runnable {
  /** Requests between two looks at the gate. */
  private static final int BATCH_MAX = 128;

  private final SlotQueue requests;
  private final RequestExecutor executor;
  private final ReplyGate gate;
  private final EngineState state;
  private final Turns turns;
  private final Runnable atEnd;
  private final long yieldNs;

  private long idleSinceNs;
  private boolean isIdle;

  /**
   * @param yield how long to go on looking for requests before sleeping, in nanoseconds
   * @param atEnd what to do when no request will be taken any more, on this thread
   */
  EngineThread(
      SlotQueue requests,
      RequestExecutor executor,
      ReplyGate gate,
      EngineState state,
      long yield,
      Turns turns,
      Runnable atEnd) {
    this.requests = requests;
    this.executor = executor;
    this.gate = gate;
    this.state = state;
    this.yieldNs = yield;
    this.turns = turns;
    this.atEnd = atEnd;
  }

  @Override
  public void run() {
    try {
      while (state.failure() == null) {
        executor.keepHouse();
        if (gate.isFull()) {
          awaitGate();
        } else if (work() > 0) {
          isIdle = false;
          // Callers that got their replies would else wait until the kernel ends this turn.
          if (turns.areShort()) {
            turns.pass();
          }
        } else if (state.isClosing()) {
          executor.endWaitingClaims();
          break;
        } else {
          idle();
        }
      }
    } catch (Throwable t) {
      state.fail(t);
    } finally {
      atEnd.run();
    }
  }

  private int work() {
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
    if (done > 0) {
      gate.onBatch();
    }
    return done;
  }

  private void awaitGate() {
    Doorbell bell = requests.bell();
    bell.arm();
    if (gate.isFull() && state.failure() == null) {
      bell.sleep(TimeUnit.MILLISECONDS.toNanos(100));
    } else {
      bell.disarm();
    }
  }

  private void idle() {
    long nowNs = System.nanoTime();
    if (!isIdle) {
      isIdle = true;
      idleSinceNs = nowNs;
    }
    if (nowNs - idleSinceNs < yieldNs && turns.areShort()) {
      turns.pass();
      return;
    }
    Doorbell bell = requests.bell();
    bell.arm();
    if (requests.isEmpty() && !executor.hasHouseToKeep() && state.isOpen()) {
      bell.sleep(executor.nanosUntilDue());
      // Whatever woke it is seldom alone: look on for a while before sleeping again.
      isIdle = false;
    } else {
      bell.disarm();
    }
  }
}
