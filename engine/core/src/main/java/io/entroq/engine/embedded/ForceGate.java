package io.entroq.engine.embedded;

import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.fault.FaultHook;
import io.entroq.engine.fault.FaultPoint;
import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.ForceStats;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.runtime.WakeupSignal;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Holds replies back at durability {@code DISK}. Its thread forces everything appended so far, then
 * releases the replies that the force covers, and so on.
 */
final class ForceGate implements ReplyGate {
  private final CommandLog log;
  private final long unforcedBytesMax;
  private final OneToOneConcurrentArrayQueue<RequestSlot> waiting;
  private final Completer completer;
  private final EngineLifecycle state;
  private final WakeupSignal engineWakeup;
  private final FaultHook faults;
  private final long yieldNs;
  private final AdaptiveYield yields;
  private final WakeupSignal wakeup = new WakeupSignal();
  private final GroupCommitDelay pace = new GroupCommitDelay();
  private final Thread thread;
  private volatile boolean isStopping;

  /** Whether the engine may wait for a force. */
  private volatile boolean wasFull;

  /**
   * @param slotsMax at least the number of slots that can be outstanding
   * @param engineWakeup signaled after each force, for an engine that waits for it
   * @param yieldNs how long to look for work before sleeping, in nanoseconds
   */
  ForceGate(
      CommandLog log,
      long unforcedBytesMax,
      int slotsMax,
      Completer completer,
      EngineLifecycle state,
      WakeupSignal engineWakeup,
      long yieldNs,
      AdaptiveYield yields,
      FaultHook faults) {
    this.log = log;
    this.unforcedBytesMax = unforcedBytesMax;
    this.waiting = new OneToOneConcurrentArrayQueue<>(slotsMax);
    this.completer = completer;
    this.state = state;
    this.engineWakeup = engineWakeup;
    this.yieldNs = yieldNs;
    this.yields = yields;
    this.faults = faults;
    this.thread = new Thread(this::run, "entroq-force");
    thread.setDaemon(true);
  }

  ForceGate start() {
    thread.start();
    return this;
  }

  @Override
  public void pass(RequestSlot slot) {
    if (slot.sequenceSeen <= log.forcedSequence() && waiting.isEmpty()) {
      completer.complete(slot, RequestOutcome.REPLIED, null);
    } else if (!waiting.offer(slot)) {
      throw new IllegalStateException(
          "more than "
              + waiting.capacity()
              + " replies wait for a force; the limits on requests should prevent that");
    }
  }

  @Override
  public void onBatch() {
    if (hasWork()) {
      wakeup.signal();
    }
  }

  @Override
  public boolean isFull() {
    if (unforcedBytes() <= unforcedBytesMax) {
      return false;
    }
    // Set before the second check, so that a force in between signals.
    wasFull = true;
    return unforcedBytes() > unforcedBytesMax;
  }

  private long unforcedBytes() {
    return log.appendedBytes() - log.forcedBytes();
  }

  @Override
  public long delayNs() {
    return pace.forceNs();
  }

  @Override
  public ForceStats forces() {
    return pace.forces();
  }

  @Override
  public void stop() {
    isStopping = true;
    wakeup.signal();
    ThroughInterrupts.await(thread::join);
    for (RequestSlot slot = waiting.poll(); slot != null; slot = waiting.poll()) {
      completer.complete(slot, RequestOutcome.UNKNOWN, state.failure());
    }
  }

  private boolean hasWork() {
    return log.appendedSequence() > log.forcedSequence() || !waiting.isEmpty();
  }

  private void run() {
    try {
      while (state.failure() == null) {
        if (hasWork()) {
          awaitOthers();
          forceAndRelease();
        } else if (isStopping) {
          return;
        } else if (pace.sinceReleasedNs() < yieldNs && yields.areShort()) {
          yields.pass();
        } else {
          sleep();
        }
      }
    } catch (Throwable t) {
      // Never retry a failed force: what is on disk is unknown from then on.
      state.fail(t);
    } finally {
      engineWakeup.signal();
    }
  }

  private void awaitOthers() {
    while (pace.isTooEarly(waiting.size()) && yields.areShort() && !isStopping && !isFull()) {
      yields.pass();
    }
  }

  private void forceAndRelease() {
    if (log.appendedSequence() > log.forcedSequence()) {
      faults.reached(FaultPoint.BEFORE_FORCE);
      long startNs = System.nanoTime();
      log.force();
      pace.onForced(System.nanoTime() - startNs);
      faults.reached(FaultPoint.AFTER_FORCE_BEFORE_RELEASE);
    }
    long forced = log.forcedSequence();
    // Full, so that the load of wasFull cannot be reordered before the store of the forced bytes.
    VarHandle.fullFence();
    if (wasFull) {
      wasFull = false;
      engineWakeup.signal();
    }
    int released = 0;
    RequestSlot slot = waiting.peek();
    while (slot != null && slot.sequenceSeen <= forced) {
      waiting.poll();
      completer.complete(slot, RequestOutcome.REPLIED, null);
      released++;
      slot = waiting.peek();
    }
    pace.onReleased(released, waiting.size());
  }

  private void sleep() {
    wakeup.arm();
    if (hasWork() || isStopping || state.failure() != null) {
      wakeup.disarm();
    } else {
      wakeup.sleep(Long.MAX_VALUE);
    }
  }
}
