package io.entroq.engine.embedded;

import io.entroq.engine.log.CommandLog;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * The gate of level {@code DISK}: a thread of its own forces the log, one force at a time with
 * everything that was appended before it began, and then lets go the replies that it covers.
 */
final class ForceGate implements ReplyGate {
  private final CommandLog log;
  private final long unforcedBytesMax;
  private final OneToOneConcurrentArrayQueue<RequestSlot> waiting;
  private final Completer completer;
  private final EngineState state;
  private final Doorbell engineBell;
  private final FaultPoint.Hook faults;
  private final Doorbell bell = new Doorbell();
  private final Thread thread;
  private volatile boolean isStopping;

  /**
   * @param slotsMax at least as many slots as can be outstanding
   * @param engineBell rung after each force, for an engine that waits for it
   */
  ForceGate(
      CommandLog log,
      long unforcedBytesMax,
      int slotsMax,
      Completer completer,
      EngineState state,
      Doorbell engineBell,
      FaultPoint.Hook faults) {
    this.log = log;
    this.unforcedBytesMax = unforcedBytesMax;
    this.waiting = new OneToOneConcurrentArrayQueue<>(slotsMax);
    this.completer = completer;
    this.state = state;
    this.engineBell = engineBell;
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
      completer.complete(slot, Ending.REPLIED, null);
    } else if (!waiting.offer(slot)) {
      throw new IllegalStateException(
          "more than " + waiting.capacity() + " replies wait for a force; its bounds do not hold");
    }
  }

  @Override
  public void onBatch() {
    if (hasWork()) {
      bell.ring();
    }
  }

  @Override
  public boolean isFull() {
    return log.appendedBytes() - log.forcedBytes() > unforcedBytesMax;
  }

  @Override
  public void stop() {
    isStopping = true;
    bell.ring();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    for (RequestSlot slot = waiting.poll(); slot != null; slot = waiting.poll()) {
      completer.complete(slot, Ending.UNKNOWN, state.failure());
    }
  }

  private boolean hasWork() {
    return log.appendedSequence() > log.forcedSequence() || !waiting.isEmpty();
  }

  private void run() {
    try {
      while (state.failure() == null) {
        if (hasWork()) {
          forceAndRelease();
        } else if (isStopping) {
          return;
        } else {
          sleep();
        }
      }
    } catch (Throwable t) {
      // A failed force is never tried again: what the disk holds is not known any more.
      state.fail(t);
    } finally {
      engineBell.ring();
    }
  }

  private void forceAndRelease() {
    if (log.appendedSequence() > log.forcedSequence()) {
      faults.reached(FaultPoint.BEFORE_FORCE);
      log.force();
      faults.reached(FaultPoint.AFTER_FORCE_BEFORE_RELEASE);
    }
    long forced = log.forcedSequence();
    engineBell.ring();
    RequestSlot slot = waiting.peek();
    while (slot != null && slot.sequenceSeen <= forced) {
      waiting.poll();
      completer.complete(slot, Ending.REPLIED, null);
      slot = waiting.peek();
    }
  }

  private void sleep() {
    bell.arm();
    if (hasWork() || isStopping || state.failure() != null) {
      bell.disarm();
    } else {
      bell.sleep(Long.MAX_VALUE);
    }
  }
}
