package io.entroq.engine.waiter;

import io.entroq.codec.command.ClaimDecoder;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.queue.QueueStore;
import java.util.Arrays;
import org.agrona.collections.IntArrayList;

/**
 * Loads the parked claims of an image: all items first, then {@link #link}, which adds the claims
 * to their queues in the order of their sequences.
 */
public final class WaiterLoader {

  private final WaiterStore waiters;
  private final QueueStore queues;
  private final SlotMap slots = new SlotMap("parked claim");
  private final SlotMap membershipSlots = new SlotMap("membership");

  /** By new slot of a claim: its old slot, and the old slot of its first membership. */
  private final IntArrayList oldSlots = new IntArrayList();

  private final IntArrayList firstMemberships = new IntArrayList();

  /** By number of a membership: claim, queue and next membership, as in the image. */
  private final IntArrayList claims = new IntArrayList();

  private final IntArrayList queueSlots = new IntArrayList();
  private final IntArrayList nextMemberships = new IntArrayList();

  public WaiterLoader(WaiterStore waiters, QueueStore queues) {
    this.waiters = waiters;
    this.queues = queues;
  }

  /** Adds the parked claim of an item. */
  public void loadWaiter(ChunkReader in, long sequenceMax) {
    int old = in.getInt();
    int hasText = in.getInt();
    in.require((hasText & ~1) == 0, "mark of a claimant's text", hasText);
    long sequence = in.getLong();
    in.require(sequence > 0 && sequence <= sequenceMax, "sequence of the claim", sequence);
    long clientHigh = in.getLong();
    long clientLow = in.getLong();
    long number = in.getLong();
    long claimantHigh = in.getLong();
    long claimantLow = in.getLong();
    long leaseMs = in.getLong();
    in.require(leaseMs >= 0, "lease", leaseMs);
    long deadlineMs = in.getLong();
    in.require(deadlineMs >= 0, "deadline", deadlineMs);
    int waiter = waiters.add(sequence, clientHigh, clientLow, number, deadlineMs);
    slots.add(old, waiter);
    int limit = in.getInt();
    in.require(limit >= 1 && limit <= ClaimDecoder.LIMIT_MAX, "limit", limit);
    waiters.terms(waiter, claimantHigh, claimantLow, hasText != 0, leaseMs, limit);
    oldSlots.addInt(old);
    firstMemberships.addInt(in.getInt());
  }

  /** Adds the membership of an item. */
  public void loadMembership(ChunkReader in) {
    membershipSlots.add(in.getInt(), claims.size());
    claims.addInt(in.getInt());
    queueSlots.addInt(in.getInt());
    nextMemberships.addInt(in.getInt());
  }

  public int membershipCount() {
    return claims.size();
  }

  /** The slot that a parked claim had in the image. */
  public int oldSlot(int waiter) {
    return oldSlots.getInt(waiter);
  }

  /** Adds the claims to their queues, after all items and queues are loaded. */
  public void link(SlotMap queuesOfImage) {
    int linked = 0;
    for (int waiter : bySequence()) {
      linked += join(waiter, queuesOfImage);
    }
    if (linked != claims.size()) {
      throw new ImageException(
          "of " + claims.size() + " memberships " + linked + " belong to a parked claim");
    }
  }

  private int[] bySequence() {
    Integer[] order = new Integer[oldSlots.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> Long.compare(waiters.sequence(a), waiters.sequence(b)));
    int[] sorted = new int[order.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = order[i];
      if (i > 0 && waiters.sequence(sorted[i]) == waiters.sequence(sorted[i - 1])) {
        throw new ImageException(
            "two claims were parked by the command " + waiters.sequence(sorted[i]));
      }
    }
    return sorted;
  }

  /** The image lists the memberships of a claim last first, so they are added in reverse. */
  private int join(int waiter, SlotMap queuesOfImage) {
    IntArrayList mine = new IntArrayList();
    int at = membershipSlots.link(firstMemberships.getInt(waiter));
    while (at != Slab.NONE) {
      if (slots.get(claims.getInt(at)) != waiter) {
        throw wrong(waiter, "leads to another claim's membership, or to one of its own twice");
      }
      // Marks it as visited: a second visit finds no claim.
      claims.setInt(at, Slab.NONE);
      mine.addInt(queuesOfImage.get(queueSlots.getInt(at)));
      at = membershipSlots.link(nextMemberships.getInt(at));
    }
    for (int i = mine.size() - 1; i >= 0; i--) {
      int queue = mine.getInt(i);
      int last = queues.lastWaiter(queue);
      if (last != Slab.NONE && waiters.waiterOf(last) == waiter) {
        throw wrong(waiter, "waits on a queue twice");
      }
      waiters.join(waiter, queue);
    }
    return mine.size();
  }

  private ImageException wrong(int waiter, String what) {
    return new ImageException(
        "the claim parked by the command " + waiters.sequence(waiter) + " " + what);
  }
}
