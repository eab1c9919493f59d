package io.entroq.engine.embedded;

import io.entroq.engine.request.EngineOwnership;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.concurrent.TimeUnit;

/**
 * The thread that owns the state: takes requests in batches, executes them, lets due things happen,
 * and sleeps when there is nothing to do.
 *
 * <p>After the last request it goes on looking for a while, because waking a thread costs tens of
 * microseconds; then it sleeps until a request or the next deadline. While it sleeps, threads that
 * are lent see to their requests themselves, and it does not stay awake for those.
 */
final class EngineThread implements Runnable {
  private final SlotQueue requests;
  private final EngineOwnership seat;
  private final EngineDutyCycle work;
  private final RequestExecutor executor;
  private final ReplyGate gate;
  private final EngineLifecycle state;
  private final AdaptiveYield yields;
  private final Runnable atEnd;
  private final long yieldNs;

  private long idleSinceNs;
  private boolean isIdle;
  private boolean isWorthWaiting;

  /**
   * @param yield how long to go on looking for requests before sleeping, in nanoseconds
   * @param atEnd what to do when no request will be taken any more, on this thread
   */
  EngineThread(
      SlotQueue requests,
      EngineOwnership seat,
      EngineDutyCycle work,
      RequestExecutor executor,
      ReplyGate gate,
      EngineLifecycle state,
      long yield,
      AdaptiveYield yields,
      Runnable atEnd) {
    this.requests = requests;
    this.seat = seat;
    this.work = work;
    this.executor = executor;
    this.gate = gate;
    this.state = state;
    this.yieldNs = yield;
    this.yields = yields;
    this.atEnd = atEnd;
  }

  @Override
  public void run() {
    seat.take();
    try {
      while (state.failure() == null) {
        executor.keepHouse();
        if (gate.isFull()) {
          awaitGate();
        } else if (work.doBatch() > 0) {
          isIdle = false;
          // Callers that got their replies would else wait until the kernel ends this turn.
          if (yields.areShort()) {
            yields.pass();
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
      // Still the owner, and it stays that for good.
      atEnd.run();
    }
  }

  private void awaitGate() {
    WakeupSignal wakeup = requests.wakeup();
    wakeup.arm();
    if (gate.isFull() && state.failure() == null) {
      wakeup.sleep(TimeUnit.MILLISECONDS.toNanos(100));
    } else {
      wakeup.disarm();
    }
  }

  private void idle() {
    long nowNs = System.nanoTime();
    if (!isIdle) {
      isIdle = true;
      idleSinceNs = nowNs;
    }
    if (nowNs - idleSinceNs < yieldNs && yields.areShort() && isWorthWaiting()) {
      yields.pass();
      return;
    }
    sleep();
  }

  private boolean isWorthWaiting() {
    if (seat.isWorthWaiting()) {
      isWorthWaiting = true;
    }
    return isWorthWaiting;
  }

  private void sleep() {
    WakeupSignal wakeup = requests.wakeup();
    wakeup.answerCalls();
    wakeup.arm();
    boolean hasHouseToKeep = executor.hasHouseToKeep();
    work.leave();
    seat.leave();
    if (!hasHouseToKeep) {
      sleepWhileOthersDo(wakeup);
    }
    wakeup.disarm();
    seat.take();
  }

  /** Sleeps until there is work that borrowed threads do not do. */
  private void sleepWhileOthersDo(WakeupSignal wakeup) {
    long nanos = work.nanosToSleep();
    while (nanos > 0 && requests.isEmpty() && !wakeup.isCalled() && state.isOpen()) {
      wakeup.sleep(nanos);
      // Requests seldom come alone: keep looking for a while before sleeping again.
      isIdle = false;
      isWorthWaiting = false;
      wakeup.arm();
      nanos = work.nanosToSleep();
    }
  }
}
