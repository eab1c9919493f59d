package io.entroq.engine.local;

import io.entroq.api.EntroQException;
import io.entroq.codec.wire.Times;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.request.EngineOwnership;
import io.entroq.engine.request.ReplyThread;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestLimits;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotPool;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.EngineLifecycle;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Submits requests to the engine: limits, slots, submission, waiting, and giving up. Any thread.
 */
public final class Submitter {
  private final EngineLifecycle state;
  private final RequestLimits limits;
  private final SlotPool pool;
  private final SlotQueue requests;
  private final EngineOwnership ownership;
  private final ReplyThread replyThread;
  private final ReplyWaitStrategy callerWait;
  private final long roomTimeoutNs;
  private final int commandBytesMax;

  /**
   * @param roomTimeout how long a caller waits for room before it is refused
   * @param commandBytesMax longest command, in bytes
   * @param replyThread never waits for room, as it is the thread that makes room
   */
  public Submitter(
      EngineLifecycle state,
      RequestLimits limits,
      SlotPool pool,
      SlotQueue requests,
      EngineOwnership ownership,
      ReplyWaitStrategy callerWait,
      Duration roomTimeout,
      int commandBytesMax,
      ReplyThread replyThread) {
    this.state = state;
    this.limits = limits;
    this.pool = pool;
    this.requests = requests;
    this.ownership = ownership;
    this.callerWait = callerWait;
    this.roomTimeoutNs = roomTimeout.toNanos();
    this.commandBytesMax = commandBytesMax;
    this.replyThread = replyThread;
  }

  /** The same, whose callers wait no longer for room than a time. */
  Submitter withRoomTimeout(Duration timeout) {
    long shorterNs = Math.min(roomTimeoutNs, TimeUnit.MILLISECONDS.toNanos(Times.toMs(timeout)));
    return new Submitter(
        state,
        limits,
        pool,
        requests,
        ownership,
        callerWait,
        Duration.ofNanos(shorterNs),
        commandBytesMax,
        replyThread);
  }

  /**
   * Takes a slot for a request of about {@code bytes}. Waits for room, even if interrupted.
   *
   * @throws EntroQException.ResourceExhausted if there is no room within the time
   * @throws EntroQException.Closed if the engine takes no requests
   */
  public RequestSlot acquire(RequestKind kind, boolean waits, long bytes) {
    long deadlineNs = System.nanoTime() + roomTimeoutNs;
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return acquire(kind, waits, bytes, deadlineNs - System.nanoTime());
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Takes a slot for a waiting claim.
   *
   * @param maxWaitNs how long the claim waits at most, including for room
   */
  RequestSlot acquireWaiting(long bytes, long maxWaitNs) throws InterruptedException {
    return acquire(RequestKind.CLAIM, true, bytes, Math.min(maxWaitNs, roomTimeoutNs));
  }

  /**
   * Takes a slot for a request of about {@code bytes}, without waiting.
   *
   * @throws EntroQException.ResourceExhausted if there is no room
   * @throws EntroQException.Closed if the engine takes no requests
   */
  RequestSlot acquireNow(RequestKind kind, boolean waits, long bytes) {
    checkOpen();
    if (!limits.acquireRequestNow(waits)) {
      throw new EntroQException.ResourceExhausted(limits.describeRequests(waits));
    }
    RequestSlot slot = pool.acquire(kind, waits);
    slot.isFromGateway = true;
    slot.home = ownership.caller();
    if (!limits.acquireBytesNow(slot, bytes)) {
      release(slot);
      throw new EntroQException.ResourceExhausted(limits.describeBytes(bytes));
    }
    return slot;
  }

  private RequestSlot acquire(RequestKind kind, boolean waits, long bytes, long timeoutNs)
      throws InterruptedException {
    long startNs = System.nanoTime();
    checkOpen();
    long patienceNs = replyThread.isCurrent() ? 0 : timeoutNs;
    if (!limits.acquireRequest(waits, patienceNs)) {
      throw new EntroQException.ResourceExhausted(limits.describeRequests(waits));
    }
    RequestSlot slot = pool.acquire(kind, waits);
    boolean isAcquired = false;
    try {
      long leftNs = Math.max(0, patienceNs - (System.nanoTime() - startNs));
      if (!limits.acquireBytes(slot, bytes, leftNs)) {
        throw new EntroQException.ResourceExhausted(limits.describeBytes(bytes));
      }
      checkOpen();
      isAcquired = true;
      return slot;
    } finally {
      if (!isAcquired) {
        release(slot);
      }
    }
  }

  /**
   * Refuses a command that is too long.
   *
   * @throws EntroQException.InvalidArgument if it is
   */
  void checkLength(long bytes) {
    GatewayLimits.requireLength(bytes, commandBytesMax);
  }

  /** Submits the slot, which is the engine's until it completes. */
  public void submit(RequestSlot slot) {
    requests.put(slot);
    ownership.call(slot);
  }

  /** Blocks until the slot completes; keeps the interrupt flag. */
  public void await(RequestSlot slot) {
    boolean interrupted = false;
    while (!slot.isDone()) {
      try {
        callerWait.await(slot);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Blocks until a waiting claim completes.
   *
   * @throws InterruptedException if the caller was interrupted first; the claim has been given up
   */
  void awaitWaiting(RequestSlot slot) throws InterruptedException {
    try {
      callerWait.await(slot);
    } catch (InterruptedException e) {
      if (giveUp(slot)) {
        throw e;
      }
      // The reply was faster: it is the caller's, and so is the interrupt.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Gives up a waiting claim: cancels it, and returns what it was assigned.
   *
   * @return false if it completed before; then the slot is the caller's
   */
  boolean giveUp(RequestSlot slot) {
    if (!slot.abandon()) {
      return false;
    }
    submit(slot);
    return true;
  }

  /**
   * Ends the wait of a claim under its caller's identity, which completes. Afterwards {@link
   * #leave} the slot instead of releasing it, since the engine has it twice.
   */
  void withdraw(RequestSlot slot) {
    submit(slot);
  }

  /**
   * Returns the tasks of a claim whose reply is discarded. Also call {@link #leave} once the slot
   * has completed: until then it may be in the reply queue.
   */
  void refuseReply(RequestSlot slot) {
    submit(slot);
  }

  /** Ends the use of a slot whose reply is discarded; the slot is not reused. */
  void leave(RequestSlot slot) {
    limits.release(slot);
  }

  /** Ends the use of a slot that is the caller's. */
  public void release(RequestSlot slot) {
    limits.release(slot);
    pool.release(slot);
  }

  private void checkOpen() {
    if (!state.isOpen()) {
      throw state.closed();
    }
  }
}
