package io.entroq.engine.embedded;

import io.entroq.engine.request.EngineOwnership;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.concurrent.TimeUnit;

/**
 * The thread that owns the state: executes requests in batches, does what is due, and sleeps when
 * there is nothing to do.
 *
 * <p>After the last request it polls for a while, because waking a thread costs tens of
 * microseconds. Then it sleeps until a request or the next deadline. While it sleeps, borrowed
 * threads execute their requests themselves, and it does not stay awake for those.
 */
final class EngineThread implements Runnable {
  private final SlotQueue requests;
  private final EngineOwnership ownership;
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
   * @param yield how long to poll for requests before sleeping, in nanoseconds
   * @param atEnd runs on this thread after the last request
   */
  EngineThread(
      SlotQueue requests,
      EngineOwnership ownership,
      EngineDutyCycle work,
      RequestExecutor executor,
      ReplyGate gate,
      EngineLifecycle state,
      long yield,
      AdaptiveYield yields,
      Runnable atEnd) {
    this.requests = requests;
    this.ownership = ownership;
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
    ownership.take();
    try {
      while (state.failure() == null) {
        executor.doHousekeeping();
        if (gate.isFull()) {
          awaitGate();
        } else if (work.doBatch() > 0) {
          isIdle = false;
          // Otherwise callers with replies would wait until this thread's time slice ends.
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
      // This thread is still the owner, and remains it.
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
    if (ownership.isWorthWaiting()) {
      isWorthWaiting = true;
    }
    return isWorthWaiting;
  }

  private void sleep() {
    WakeupSignal wakeup = requests.wakeup();
    wakeup.answerCalls();
    wakeup.arm();
    boolean isHousekeepingDue = executor.isHousekeepingDue();
    work.beforeLeaving();
    ownership.leave();
    if (!isHousekeepingDue) {
      sleepWhileOthersDo(wakeup);
    }
    wakeup.disarm();
    ownership.take();
  }

  /** Sleeps until there is work that borrowed threads do not do. */
  private void sleepWhileOthersDo(WakeupSignal wakeup) {
    long nanos = work.nanosToSleep();
    while (nanos > 0 && requests.isEmpty() && !wakeup.isCalled() && state.isOpen()) {
      wakeup.sleep(nanos);
      // Requests rarely come alone: poll for a while before sleeping again.
      isIdle = false;
      isWorthWaiting = false;
      wakeup.arm();
      nanos = work.nanosToSleep();
    }
  }
}
