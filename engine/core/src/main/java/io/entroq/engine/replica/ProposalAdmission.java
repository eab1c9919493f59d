package io.entroq.engine.replica;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.ModifyDecoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.engine.request.Completer;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestOutcome;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.MemoryBound;
import io.entroq.engine.runtime.WakeupSignal;
import io.entroq.engine.space.SpaceGuard;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Admits or refuses commands for lack of disk space or memory before they are proposed. A committed
 * command is applied whatever it takes, so replicas may have different limits and need not agree on
 * refusals.
 *
 * <p>While memory is far from its limit, the proposing thread decides alone. Otherwise it asks the
 * applying thread, which sees the room that deleted tasks have left. Commands in flight count as if
 * they had been applied, and several times over, since other replicas may admit as much at the same
 * moment.
 */
final class ProposalAdmission {
  /** How many replicas may admit as much as this one without knowing of each other. */
  private static final long REPLICAS = 8;

  /** Decisions per call. */
  private static final int BATCH_MAX = 64;

  /** Cap on items; a state cannot have more. */
  private static final long ITEMS_MAX = 1 << 30;

  private final SpaceGuard space;
  private final LongSupplier nanoTime;
  private final Completer completer;
  private final WakeupSignal wakeup;
  private final OneToOneConcurrentArrayQueue<RequestSlot> asked;
  private final OneToOneConcurrentArrayQueue<RequestSlot> letIn;
  private final ModifyDecoder modify = new ModifyDecoder();

  /** Length of admitted Modifies that are not committed yet. */
  private final AtomicLong bytesUnderWay = new AtomicLong();

  /** Their inserts and changes that were promised the room of deleted items. */
  private final AtomicLong itemsUnderWay = new AtomicLong();

  private volatile MemoryBound memory;

  /**
   * @param space of the disk that this replica writes to; for the proposing thread
   * @param wakeup wakes the proposing thread
   * @param slotsMax capacity of the queues
   */
  ProposalAdmission(
      SpaceGuard space,
      LongSupplier nanoTime,
      Completer completer,
      WakeupSignal wakeup,
      int slotsMax) {
    this.space = space;
    this.nanoTime = nanoTime;
    this.completer = completer;
    this.wakeup = wakeup;
    asked = new OneToOneConcurrentArrayQueue<>(slotsMax);
    letIn = new OneToOneConcurrentArrayQueue<>(slotsMax);
  }

  /** Sets the memory limit of the state. Applying thread. */
  void bound(MemoryBound bound) {
    memory = bound;
  }

  /**
   * Admits a request for which there is surely room. Any other is decided later: it comes out of
   * {@link #takeAdmitted}, or its caller is refused. Proposing thread.
   *
   * @return whether it is admitted
   */
  boolean admits(RequestSlot slot) {
    slot.itemsPromised = 0;
    try {
      requireSpace(slot);
      requireReserve(slot);
    } catch (EntroQException.ResourceExhausted e) {
      completer.complete(slot, RequestOutcome.REFUSED, e);
      return false;
    }
    if (slot.kind != RequestKind.MODIFY) {
      return true;
    }
    if (isMemoryAmple() || (isReadable(slot) && MemoryBound.items(modify) == 0)) {
      bytesUnderWay.addAndGet(slot.commandLength);
      return true;
    }
    put(asked, slot);
    return false;
  }

  private boolean isMemoryAmple() {
    MemoryBound bound = memory;
    return bound == null || bound.isBelow(REPLICAS * bytesUnderWay.get());
  }

  private void requireSpace(RequestSlot slot) {
    if (slot.kind == RequestKind.CANCEL) {
      return;
    }
    int bytes = ProposalFrame.HEADER_BYTES + slot.commandLength;
    long nowMs = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong());
    if (!space.takesFromBudget(bytes, nowMs)) {
      space.requireForCaller(inserts(slot), bytes, nowMs);
    }
  }

  private void requireReserve(RequestSlot slot) {
    MemoryBound bound = memory;
    if (slot.kind == RequestKind.CLAIM_DOCS && bound != null) {
      bound.requireReserve(REPLICAS * bytesUnderWay.get());
    }
  }

  private boolean inserts(RequestSlot slot) {
    return slot.kind == RequestKind.MODIFY
        && isReadable(slot)
        && modify.insertCount() + modify.docInsertCount() > 0;
  }

  /** An unreadable one is refused where it is applied. */
  private boolean isReadable(RequestSlot slot) {
    try {
      modify.wrap(slot.command(), slot.commandOffset, slot.commandLength);
      return true;
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /** The disk's space; only its thread-safe methods may be called. */
  SpaceGuard space() {
    return space;
  }

  /** A request that was admitted later; null: no more. Proposing thread. */
  RequestSlot takeAdmitted() {
    return letIn.poll();
  }

  /** Whether {@link #takeAdmitted} has one. Proposing thread. */
  boolean hasAdmitted() {
    return !letIn.isEmpty();
  }

  /** Whether no request waits for a decision. Proposing thread. */
  boolean isEmpty() {
    // In this order: each is in one of them until it has its answer.
    return asked.isEmpty() && letIn.isEmpty();
  }

  /**
   * An admitted Modify is over, or will never be applied. Proposing thread.
   *
   * @param bytes its length
   * @param items for how many items it was promised room
   */
  void over(int bytes, int items) {
    if (bytes > 0) {
      bytesUnderWay.addAndGet(-bytes);
      itemsUnderWay.addAndGet(-items);
    }
  }

  /**
   * Decides on some of the requests that wait. Applying thread.
   *
   * @return how many
   */
  int decide() {
    int done = 0;
    for (RequestSlot slot = asked.peek(); slot != null && done < BATCH_MAX; slot = asked.peek()) {
      try {
        promise(slot);
        put(letIn, slot);
      } catch (MalformedMessageException | EntroQException.ResourceExhausted e) {
        completer.complete(slot, RequestOutcome.REFUSED, e);
      }
      RequestSlot unused = asked.poll();
      done++;
    }
    if (done > 0) {
      wakeup.signal();
    }
    return done;
  }

  private void promise(RequestSlot slot) {
    slot.itemsPromised =
        memory.requireBehind(
            REPLICAS * bytesUnderWay.get(),
            (int) Math.min(ITEMS_MAX, REPLICAS * (1 + itemsUnderWay.get())),
            slot.command(),
            slot.commandOffset,
            slot.commandLength);
    bytesUnderWay.addAndGet(slot.commandLength);
    itemsUnderWay.addAndGet(slot.itemsPromised);
  }

  /** Ends requests without a decision, after the other thread has ended. */
  void endUndecided(Throwable cause) {
    for (RequestSlot slot = asked.poll(); slot != null; slot = asked.poll()) {
      completer.complete(slot, RequestOutcome.NOT_STARTED, cause);
    }
  }

  private static void put(OneToOneConcurrentArrayQueue<RequestSlot> queue, RequestSlot slot) {
    if (!queue.offer(slot)) {
      throw new IllegalStateException("a queue between threads is full; its bounds do not hold");
    }
  }
}
