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
 * Lets in what callers of a replica ask, or refuses it for want of room here. A refusal comes
 * before a command is proposed: what has come out in order is applied whatever it takes, so
 * replicas may have different bounds and need not agree on who was refused.
 *
 * <p>While memory is far from used up the proposing thread decides alone. Else it asks the applying
 * one, which can see what room deleted tasks have left. Commands that are under way count as if
 * they had been done, and several times, since others may let in as much at the same moment.
 */
final class ProposalAdmission {
  /** So many replicas may let in as much as this one without having heard of each other's. */
  private static final long REPLICAS = 8;

  /** Decisions between two looks at everything else. */
  private static final int BATCH_MAX = 64;

  /** More items than a state can have need not be told apart. */
  private static final long ITEMS_MAX = 1 << 30;

  private final SpaceGuard space;
  private final LongSupplier nanoTime;
  private final Completer completer;
  private final WakeupSignal bell;
  private final OneToOneConcurrentArrayQueue<RequestSlot> asked;
  private final OneToOneConcurrentArrayQueue<RequestSlot> letIn;
  private final ModifyDecoder modify = new ModifyDecoder();

  /** Length of the Modifies that were let in and have not come out. */
  private final AtomicLong bytesUnderWay = new AtomicLong();

  /** What those insert and change that were promised room where there is any. */
  private final AtomicLong itemsUnderWay = new AtomicLong();

  private volatile MemoryBound memory;

  /**
   * @param space of the disk that this replica writes to; for the proposing thread
   * @param bell of the proposing thread
   * @param slotsMax how many slots can be handed over at once
   */
  ProposalAdmission(
      SpaceGuard space,
      LongSupplier nanoTime,
      Completer completer,
      WakeupSignal bell,
      int slotsMax) {
    this.space = space;
    this.nanoTime = nanoTime;
    this.completer = completer;
    this.bell = bell;
    asked = new OneToOneConcurrentArrayQueue<>(slotsMax);
    letIn = new OneToOneConcurrentArrayQueue<>(slotsMax);
  }

  /** There is a state, which may have so much memory. Applying thread. */
  void bound(MemoryBound bound) {
    memory = bound;
  }

  /**
   * Lets a request in that there is surely room for; what becomes of any other is heard by {@link
   * #takeLetIn}, or by its caller. Proposing thread.
   *
   * @return whether it is let in
   */
  boolean letsIn(RequestSlot slot) {
    slot.itemsPromised = 0;
    try {
      requireSpace(slot);
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

  private boolean inserts(RequestSlot slot) {
    return slot.kind == RequestKind.MODIFY
        && isReadable(slot)
        && modify.insertCount() + modify.docInsertCount() > 0;
  }

  /** One that is not is refused for that where it is applied. */
  private boolean isReadable(RequestSlot slot) {
    try {
      modify.wrap(slot.command(), slot.commandOffset, slot.commandLength);
      return true;
    } catch (MalformedMessageException e) {
      return false;
    }
  }

  /** What is said to be for any thread may be asked. */
  SpaceGuard space() {
    return space;
  }

  /** One that was let in after all; null: no more. Proposing thread. */
  RequestSlot takeLetIn() {
    return letIn.poll();
  }

  /** Whether {@link #takeLetIn} has one. Proposing thread. */
  boolean hasLetIn() {
    return !letIn.isEmpty();
  }

  /** Whether nobody waits to be let in. Proposing thread. */
  boolean isEmpty() {
    // In this order: each is in one of them until it has its answer.
    return asked.isEmpty() && letIn.isEmpty();
  }

  /**
   * A Modify that was let in is over, or will never be done. Proposing thread.
   *
   * @param bytes its length
   * @param items what it was promised room for
   */
  void over(int bytes, int items) {
    if (bytes > 0) {
      bytesUnderWay.addAndGet(-bytes);
      itemsUnderWay.addAndGet(-items);
    }
  }

  /**
   * Decides on some of those for which that was not sure. Applying thread.
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
      bell.ring();
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

  /** Ends those on which nobody decides any more, once the other thread has ended. */
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
