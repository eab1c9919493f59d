package io.entroq.engine.local;

import io.entroq.engine.request.Completer;
import io.entroq.engine.request.EngineOwnership;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.ReplyGate;
import io.entroq.engine.request.ReplyThread;
import io.entroq.engine.request.RequestLimits;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.request.SlotPool;
import io.entroq.engine.request.SlotQueue;
import io.entroq.engine.runtime.AdaptiveYield;
import io.entroq.engine.runtime.EngineLifecycle;
import io.entroq.engine.time.LogClock;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The callers' side of an engine: limits, request queue, lanes, completion. Assembled the same way
 * for every engine. Neither starts nor stops threads.
 */
public final class CallerSide {
  private final EngineLifecycle lifecycle = new EngineLifecycle();
  private final CallerBounds bounds;
  private final int lanesMax;
  private final int slotsMax;
  private final RequestLimits limits;
  private final ReplyThread replyThread;
  private final SlotQueue requests;
  private final EngineOwnership ownership;
  private final Completer completer;
  private final Lanes lanes;

  /**
   * @param incarnation random, not 0: distinguishes this engine from every other
   */
  public CallerSide(CallerBounds bounds, long incarnation) {
    this.bounds = bounds;
    lanesMax = bounds.requestsMax() + bounds.waitingClaimsMax();
    // Each slot is in a queue once, and a claim once more when its caller gives up; if it had its
    // reply by then, another one may be on its way in its place.
    slotsMax = 3 * lanesMax;
    limits = new RequestLimits(bounds.requestsMax(), bounds.waitingClaimsMax(), bounds.bytesMax());
    replyThread = new ReplyThread(slotsMax);
    requests = new SlotQueue(slotsMax, this::endUntaken);
    ownership = new EngineOwnership(requests);
    completer = new Completer(limits, replyThread.replies(), ownership);
    lanes = new Lanes(incarnation, lanesMax);
  }

  /** Ends requests that the engine takes no more. */
  private void endUntaken(RequestSlot slot) {
    // One that was taken before is here because its caller gives up, which is all over by now.
    if (!slot.isTaken) {
      slot.isTaken = true;
      completer.complete(slot, RequestOutcome.NOT_STARTED, lifecycle.failure());
    }
  }

  /**
   * Where requests enter.
   *
   * @param gate holds replies back
   * @param clock for estimates only
   * @param logId the id of the log, null before its first record; any thread may ask
   * @param level the behavior level of the log, 0 before its first record; any thread may ask
   * @param lend lends the calling thread
   * @param nanoTime as {@link System#nanoTime()}
   */
  public Entrance entrance(
      ReplyGate gate,
      AdaptiveYield yields,
      LogClock clock,
      Supplier<UUID> logId,
      IntSupplier level,
      Consumer<Executor> lend,
      LongSupplier nanoTime) {
    Submitter submitter =
        new Submitter(
            lifecycle,
            limits,
            new SlotPool(lanesMax),
            requests,
            ownership,
            new ReplyWaitStrategy(gate, yields),
            bounds.roomTimeout(),
            bounds.limits().commandBytesMax(),
            replyThread);
    return new Entrance(
        submitter, lanes, clock, logId, level, lifecycle, lend, this::afterReplies, nanoTime);
  }

  /** See {@link ReplyThread#afterReplies}; also for a borrowed thread that completes requests. */
  private void afterReplies(Runnable work) {
    if (!ownership.afterReplies(work)) {
      replyThread.afterReplies(work);
    }
  }

  public EngineLifecycle lifecycle() {
    return lifecycle;
  }

  public RequestLimits limits() {
    return limits;
  }

  public ReplyThread replyThread() {
    return replyThread;
  }

  public SlotQueue requests() {
    return requests;
  }

  public EngineOwnership ownership() {
    return ownership;
  }

  public Completer completer() {
    return completer;
  }

  public Lanes lanes() {
    return lanes;
  }

  /** Most slots in flight at once, counting those in two queues twice. */
  public int slotsMax() {
    return slotsMax;
  }
}
