package io.entroq.engine.waiter;

import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.queue.QueueStore;

/**
 * All parked claims by slot. A claim has one membership for each of its queues; the memberships of
 * a queue form a list, the claim that was parked first at its head.
 */
public final class WaiterStore implements DeadlineSource {

  static final int CLIENT_HIGH = 0;

  /** Never 0 in a live record. */
  static final int SEQUENCE = 8;

  static final int CLIENT_LOW = 16;
  static final int NUMBER = 24;
  static final int CLAIMANT_HIGH = 32;
  static final int CLAIMANT_LOW = 40;
  static final int LEASE = 48;
  static final int DEADLINE = 56;
  static final int LIMIT = 64;
  static final int CLAIMANT_TEXT = 68;
  static final int FIRST_MEMBERSHIP = 72;
  static final int DEADLINE_POSITION = 76;
  static final int RECORD_BYTES = 80;

  static final int WAITER = 0;
  static final int QUEUE = 4;

  /** The sequence of the claim; never 0 in a live record. */
  static final int SEQUENCE_OF_WAITER = 8;

  static final int PREVIOUS_IN_QUEUE = 16;
  static final int NEXT_IN_QUEUE = 20;
  static final int NEXT_OF_WAITER = 24;
  static final int MEMBERSHIP_BYTES = 32;

  final Slab waiters;
  final Slab memberships;
  private final QueueStore queues;
  private final Deadlines deadlines = new Deadlines();

  /**
   * Creates an empty store.
   *
   * @param queues the queues that claims wait on
   * @param chunkShift binary logarithm of the number of records in a chunk
   */
  public WaiterStore(QueueStore queues, int chunkShift) {
    this.queues = queues;
    this.waiters = new Slab(RECORD_BYTES, chunkShift, SEQUENCE);
    this.memberships = new Slab(MEMBERSHIP_BYTES, chunkShift, SEQUENCE_OF_WAITER);
  }

  /** The claims with a deadline, ordered by deadline and then by sequence. */
  private final class Deadlines extends SlotHeap {

    @Override
    protected boolean before(int a, int b) {
      long deadlineA = deadlineMs(a);
      long deadlineB = deadlineMs(b);
      return deadlineA < deadlineB || (deadlineA == deadlineB && sequence(a) < sequence(b));
    }

    @Override
    protected void moved(int waiter, int position) {
      waiters.putInt(waiter, DEADLINE_POSITION, position);
    }

    boolean holds(int waiter, int position) {
      return position < size() && at(position) == waiter;
    }
  }

  /**
   * Adds a parked claim without memberships.
   *
   * @param sequence the sequence of the claim's command
   * @param deadlineMs 0 if it waits forever
   */
  public int add(long sequence, long clientHigh, long clientLow, long number, long deadlineMs) {
    Invariant.check(sequence > 0, "a parked claim was logged", sequence, number);
    int waiter = waiters.allocate();
    waiters.putLong(waiter, SEQUENCE, sequence);
    waiters.putLong(waiter, CLIENT_HIGH, clientHigh);
    waiters.putLong(waiter, CLIENT_LOW, clientLow);
    waiters.putLong(waiter, NUMBER, number);
    waiters.putLong(waiter, DEADLINE, deadlineMs);
    waiters.putInt(waiter, FIRST_MEMBERSHIP, Slab.NONE);
    waiters.putInt(waiter, DEADLINE_POSITION, Slab.NONE);
    if (deadlineMs > 0) {
      deadlines.add(waiter);
    }
    return waiter;
  }

  /** Sets claimant, lease and limit of a parked claim. */
  public void terms(
      int waiter, long claimantHigh, long claimantLow, boolean hasText, long leaseMs, int limit) {
    waiters.putLong(waiter, CLAIMANT_HIGH, claimantHigh);
    waiters.putLong(waiter, CLAIMANT_LOW, claimantLow);
    waiters.putInt(waiter, CLAIMANT_TEXT, hasText ? 1 : 0);
    waiters.putLong(waiter, LEASE, leaseMs);
    waiters.putInt(waiter, LIMIT, limit);
  }

  /** Adds a claim to the end of the list of a queue. */
  public void join(int waiter, int queue) {
    int membership = memberships.allocate();
    int last = queues.lastWaiter(queue);
    Invariant.check(
        (last == Slab.NONE) == (queues.firstWaiter(queue) == Slab.NONE),
        "a queue's list of waiters has both ends",
        queue,
        last);
    memberships.putInt(membership, WAITER, waiter);
    memberships.putInt(membership, QUEUE, queue);
    memberships.putLong(membership, SEQUENCE_OF_WAITER, sequence(waiter));
    memberships.putInt(membership, PREVIOUS_IN_QUEUE, last);
    memberships.putInt(membership, NEXT_IN_QUEUE, Slab.NONE);
    memberships.putInt(membership, NEXT_OF_WAITER, waiters.getInt(waiter, FIRST_MEMBERSHIP));
    waiters.putInt(waiter, FIRST_MEMBERSHIP, membership);
    if (last == Slab.NONE) {
      queues.firstWaiter(queue, membership);
    } else {
      memberships.putInt(last, NEXT_IN_QUEUE, membership);
    }
    queues.lastWaiter(queue, membership);
  }

  /** Removes a claim from the list of one of its queues. */
  public void leave(int membership) {
    int queue = queueOf(membership);
    int previous = memberships.getInt(membership, PREVIOUS_IN_QUEUE);
    int next = memberships.getInt(membership, NEXT_IN_QUEUE);
    // A freed membership that a list still refers to would be served as another claim.
    Invariant.check(
        membership
            == (previous == Slab.NONE
                ? queues.firstWaiter(queue)
                : memberships.getInt(previous, NEXT_IN_QUEUE)),
        "the waiter before links here",
        membership,
        previous);
    Invariant.check(
        membership
            == (next == Slab.NONE
                ? queues.lastWaiter(queue)
                : memberships.getInt(next, PREVIOUS_IN_QUEUE)),
        "the waiter after links here",
        membership,
        next);
    if (previous == Slab.NONE) {
      queues.firstWaiter(queue, next);
    } else {
      memberships.putInt(previous, NEXT_IN_QUEUE, next);
    }
    if (next == Slab.NONE) {
      queues.lastWaiter(queue, previous);
    } else {
      memberships.putInt(next, PREVIOUS_IN_QUEUE, previous);
    }
    memberships.free(membership);
    Invariant.check(
        (queues.firstWaiter(queue) == Slab.NONE) == (queues.lastWaiter(queue) == Slab.NONE),
        "a queue's list of waiters has both ends",
        queue,
        membership);
  }

  /** Removes a claim that has left all its queues. */
  public void remove(int waiter) {
    int position = waiters.getInt(waiter, DEADLINE_POSITION);
    Invariant.check(
        (position == Slab.NONE) == (deadlineMs(waiter) == 0),
        "a claim with a deadline is in the heap",
        waiter,
        position);
    if (position != Slab.NONE) {
      Invariant.check(deadlines.holds(waiter, position), "waits where it says", waiter, position);
      deadlines.removeAt(position);
    }
    waiters.free(waiter);
    Invariant.check(deadlines.size() <= waiters.size(), "deadlines", waiter, deadlines.size());
  }

  public int size() {
    return waiters.size();
  }

  /** Bytes of records. */
  public long memoryBytes() {
    return waiters.memoryBytes() + memberships.memoryBytes();
  }

  /** Freezes the claims for another thread until {@link #thaw}. */
  public FrozenSlab freezeWaiters(Freeze freeze, int id) {
    return waiters.freeze(freeze, id);
  }

  /** Freezes the memberships for another thread until {@link #thaw}. */
  public FrozenSlab freezeMemberships(Freeze freeze, int id) {
    return memberships.freeze(freeze, id);
  }

  public void thaw() {
    waiters.thaw();
    memberships.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    deadlines.close();
    memberships.close();
    waiters.close();
  }

  /** Number of pairs of a claim and a queue on which it waits. */
  public int membershipCount() {
    return memberships.size();
  }

  @Override
  public long firstDeadlineMs() {
    return deadlines.size() == 0 ? Long.MAX_VALUE : deadlineMs(deadlines.root());
  }

  /** The claim with the earliest deadline; there is one. */
  public int firstByDeadline() {
    return deadlines.root();
  }

  /** One more than the highest slot of a membership ever taken. */
  public int membershipHighWater() {
    return memberships.highWater();
  }

  /** Whether a slot holds a membership. */
  public boolean isMembership(int membership) {
    return memberships.getLong(membership, SEQUENCE_OF_WAITER) != 0;
  }

  /** The first membership of a claim, or {@link Slab#NONE}. */
  public int firstMembership(int waiter) {
    return waiters.getInt(waiter, FIRST_MEMBERSHIP);
  }

  /** The next membership of the same claim, or {@link Slab#NONE}. */
  public int nextMembership(int membership) {
    return memberships.getInt(membership, NEXT_OF_WAITER);
  }

  public int queueOf(int membership) {
    return memberships.getInt(membership, QUEUE);
  }

  public int waiterOf(int membership) {
    return memberships.getInt(membership, WAITER);
  }

  /** The sequence of the command that parked the claim. */
  public long sequence(int waiter) {
    return waiters.getLong(waiter, SEQUENCE);
  }

  public long clientHigh(int waiter) {
    return waiters.getLong(waiter, CLIENT_HIGH);
  }

  public long clientLow(int waiter) {
    return waiters.getLong(waiter, CLIENT_LOW);
  }

  public long number(int waiter) {
    return waiters.getLong(waiter, NUMBER);
  }

  public long claimantHigh(int waiter) {
    return waiters.getLong(waiter, CLAIMANT_HIGH);
  }

  public long claimantLow(int waiter) {
    return waiters.getLong(waiter, CLAIMANT_LOW);
  }

  public boolean hasClaimantText(int waiter) {
    return waiters.getInt(waiter, CLAIMANT_TEXT) != 0;
  }

  public long leaseMs(int waiter) {
    return waiters.getLong(waiter, LEASE);
  }

  public long deadlineMs(int waiter) {
    return waiters.getLong(waiter, DEADLINE);
  }

  public int limit(int waiter) {
    return waiters.getInt(waiter, LIMIT);
  }

  /** A hash of a parked claim, with its queues by name. */
  public long contentHash(int waiter) {
    long hash = Mix.fold(clientHigh(waiter), clientLow(waiter));
    hash = Mix.fold(hash, number(waiter));
    hash = Mix.fold(hash, sequence(waiter));
    hash = Mix.fold(hash, claimantHigh(waiter));
    hash = Mix.fold(hash, claimantLow(waiter));
    hash = Mix.fold(hash, leaseMs(waiter));
    hash = Mix.fold(hash, deadlineMs(waiter));
    hash = Mix.fold(hash, limit(waiter));
    int at = firstMembership(waiter);
    for (; at != Slab.NONE; at = nextMembership(at)) {
      hash = Mix.fold(hash, queues.nameHash(queueOf(at)));
    }
    return hash;
  }
}
