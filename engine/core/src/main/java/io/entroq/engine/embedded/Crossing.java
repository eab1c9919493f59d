package io.entroq.engine.embedded;

import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * What goes between the thread that proposes commands and the one that applies them when they come
 * out in order. Each queue has room for all that callers can have under way.
 *
 * <p>A proposal is told of here before it is offered for the first time. So whoever applies a
 * command of this engine finds its proposal, if he looks here first.
 */
final class Crossing {
  private final OneToOneConcurrentArrayQueue<Proposal> proposals;
  private final OneToOneConcurrentArrayQueue<RequestSlot> reads;
  private final OneToOneConcurrentArrayQueue<RequestSlot> cancels;
  private volatile boolean hasBegun;
  private volatile MemoryBound memory;

  /**
   * @param slotsMax how many slots can be handed over at once
   */
  Crossing(int slotsMax) {
    // Besides those for slots, each slot's lane may be cancelled or acknowledged.
    proposals = new OneToOneConcurrentArrayQueue<>(2 * slotsMax);
    reads = new OneToOneConcurrentArrayQueue<>(slotsMax);
    cancels = new OneToOneConcurrentArrayQueue<>(slotsMax);
  }

  /** Proposing thread. */
  void propose(Proposal proposal) {
    put(proposals.offer(proposal));
  }

  /** Applying thread; null: no more. */
  Proposal takeProposal() {
    return proposals.poll();
  }

  /** Passes on a read, or a claim that its caller leaves. Proposing thread. */
  void read(RequestSlot slot) {
    put(reads.offer(slot));
  }

  /** Applying thread; null: no more. */
  RequestSlot takeRead() {
    return reads.poll();
  }

  /** A claim that its caller leaves is to be cancelled. Applying thread. */
  void cancel(RequestSlot slot) {
    put(cancels.offer(slot));
  }

  /** Proposing thread; null: no more. */
  RequestSlot takeCancel() {
    return cancels.poll();
  }

  /** There is a state, which may have so much memory. Applying thread. */
  void bound(MemoryBound bound) {
    memory = bound;
  }

  /** Whether the memory for tasks is used up, as far as has been seen; any thread. */
  boolean isMemoryUsedUp() {
    MemoryBound bound = memory;
    return bound != null && bound.isReached();
  }

  /** The log has its first command. Applying thread. */
  void begin() {
    hasBegun = true;
  }

  /** Whether it has, as far as this engine has come; any thread. */
  boolean hasBegun() {
    return hasBegun;
  }

  private static void put(boolean isTaken) {
    if (!isTaken) {
      throw new IllegalStateException("a queue between threads is full; its bounds do not hold");
    }
  }
}
