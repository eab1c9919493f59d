package io.entroq.engine.replica;

import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.runtime.WakeupSignal;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Queues between the proposing and the applying thread. Each has room for everything that callers
 * can have in flight.
 *
 * <p>A proposal is announced here before it is offered for the first time, so the applying thread
 * finds it when its command is committed.
 */
final class ProposalExchange {
  /** Acknowledges that wait to be proposed. */
  private static final int ACKNOWLEDGES_MAX = 64;

  private final OneToOneConcurrentArrayQueue<Proposal> proposals;
  private final OneToOneConcurrentArrayQueue<RequestSlot> reads;
  private final OneToOneConcurrentArrayQueue<RequestSlot> cancels;
  private final OneToOneConcurrentArrayQueue<byte[]> acknowledges;
  private final AtomicLong commits = new AtomicLong();
  private final WakeupSignal committed = new WakeupSignal();
  private volatile boolean hasBegun;
  private volatile boolean isAllAcknowledged;

  /**
   * @param slotsMax how many slots can be handed over at once
   */
  ProposalExchange(int slotsMax) {
    // Besides those for slots, each slot's lane may be cancelled or acknowledged.
    proposals = new OneToOneConcurrentArrayQueue<>(2 * slotsMax);
    reads = new OneToOneConcurrentArrayQueue<>(slotsMax);
    cancels = new OneToOneConcurrentArrayQueue<>(slotsMax);
    acknowledges = new OneToOneConcurrentArrayQueue<>(ACKNOWLEDGES_MAX);
  }

  /** Proposing thread. */
  void propose(Proposal proposal) {
    put(proposals.offer(proposal));
  }

  /** Applying thread; null: no more. */
  Proposal takeProposal() {
    return proposals.poll();
  }

  /** Proposals of this engine in a message have been settled. Applying thread. */
  void committed() {
    commits.incrementAndGet();
    committed.signal();
  }

  /** How many such messages there were; any thread. */
  long commits() {
    return commits.get();
  }

  /** Sleeps until there are more than so many, or for that many nanoseconds. Proposing thread. */
  void awaitCommit(long seen, long nanos) {
    committed.arm();
    if (commits.get() == seen) {
      committed.sleep(nanos);
    } else {
      committed.disarm();
    }
  }

  /** Passes on a read, or a claim that its caller leaves. Proposing thread. */
  void read(RequestSlot slot) {
    put(reads.offer(slot));
  }

  /** Applying thread; null: no more. */
  RequestSlot takeRead() {
    return reads.poll();
  }

  /** Asks to cancel a claim that its caller leaves. Applying thread. */
  void cancel(RequestSlot slot) {
    put(cancels.offer(slot));
  }

  /** Proposing thread; null: no more. */
  RequestSlot takeCancel() {
    return cancels.poll();
  }

  /** Whether there is room for one more Acknowledge. Applying thread. */
  boolean hasRoomForAcknowledge() {
    return acknowledges.size() < acknowledges.capacity();
  }

  /** Passes on an Acknowledge, for which there is room. Applying thread. */
  void acknowledge(byte[] acknowledge) {
    put(acknowledges.offer(acknowledge));
  }

  /** Proposing thread; null: no more. */
  byte[] takeAcknowledge() {
    return acknowledges.poll();
  }

  /** The engine closes, and all replies that have left are acknowledged. Applying thread. */
  void allAcknowledged() {
    isAllAcknowledged = true;
  }

  /** Whether that is so, and every Acknowledge has been taken. Proposing thread. */
  boolean isAllAcknowledged() {
    return isAllAcknowledged && acknowledges.isEmpty();
  }

  /** The log has its first command. Applying thread. */
  void begin() {
    hasBegun = true;
  }

  /** Whether it has, as far as this engine has applied it; any thread. */
  boolean hasBegun() {
    return hasBegun;
  }

  private static void put(boolean isTaken) {
    if (!isTaken) {
      throw new IllegalStateException("a queue between threads is full; its bounds do not hold");
    }
  }
}
