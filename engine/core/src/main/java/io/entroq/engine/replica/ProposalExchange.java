package io.entroq.engine.replica;

import io.entroq.engine.request.RequestSlot;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * What goes between the thread that proposes commands and the one that applies them when they come
 * out in order. Each queue has room for all that callers can have under way.
 *
 * <p>A proposal is told of here before it is offered for the first time. So whoever applies a
 * command of this engine finds its proposal, if he looks here first.
 */
final class ProposalExchange {
  /** Acknowledges that have not been proposed yet. */
  private static final int SAID_MAX = 64;

  private final OneToOneConcurrentArrayQueue<Proposal> proposals;
  private final OneToOneConcurrentArrayQueue<RequestSlot> reads;
  private final OneToOneConcurrentArrayQueue<RequestSlot> cancels;
  private final OneToOneConcurrentArrayQueue<byte[]> said;
  private volatile boolean hasBegun;
  private volatile boolean isAllSaid;

  /**
   * @param slotsMax how many slots can be handed over at once
   */
  ProposalExchange(int slotsMax) {
    // Besides those for slots, each slot's lane may be cancelled or acknowledged.
    proposals = new OneToOneConcurrentArrayQueue<>(2 * slotsMax);
    reads = new OneToOneConcurrentArrayQueue<>(slotsMax);
    cancels = new OneToOneConcurrentArrayQueue<>(slotsMax);
    said = new OneToOneConcurrentArrayQueue<>(SAID_MAX);
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

  /** Whether there is room for one more Acknowledge. Applying thread. */
  boolean maySay() {
    return said.size() < said.capacity();
  }

  /** Has an Acknowledge proposed, for which there is room. Applying thread. */
  void say(byte[] acknowledge) {
    put(said.offer(acknowledge));
  }

  /** Proposing thread; null: no more. */
  byte[] takeSaid() {
    return said.poll();
  }

  /** Of an engine that closes, all answers that have left have been said to. Applying thread. */
  void allSaid() {
    isAllSaid = true;
  }

  /** Whether that is so, and all of it has been taken to be proposed. Proposing thread. */
  boolean isAllSaid() {
    return isAllSaid && said.isEmpty();
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
