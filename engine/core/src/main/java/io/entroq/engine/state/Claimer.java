package io.entroq.engine.state;

import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.TaskStore;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Takes tasks under a lease, contract 2.2: among the asked queues that have available work each is
 * equally likely, whatever its length; inside a queue the {@link TaskTable} chooses.
 *
 * <p>Used in three moves: {@link #from} the queues and {@link #by} the claimant, then {@link
 * #take}.
 */
final class Claimer {

  /**
   * No further task is claimed once the values and error texts of those before come to this: 8 MiB.
   */
  static final int CLAIM_BYTES_MAX = 8 << 20;

  private final TaskTable table;
  private final TaskStore tasks;
  private final QueueStore queues;
  private final Claimants claimants;
  private final DeterministicRandom random;
  private final ReplyWriter answers;

  private int[] asked = new int[16];
  private int askedCount;
  private int[] taken = new int[16];
  private long takenBytes;
  private long claimantHigh;
  private long claimantLow;
  private DirectBuffer text;
  private int textOffset;
  private int textLength;
  private long leaseMs;

  Claimer(Stores stores, TaskTable table, ReplyWriter answers) {
    this.table = table;
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.claimants = stores.claimants;
    this.random = stores.random;
    this.answers = answers;
  }

  /** Begins anew, without queues. */
  void clearQueues() {
    askedCount = 0;
  }

  /** Asks for a queue too; a repetition changes nothing. */
  void from(int queue) {
    for (int i = 0; i < askedCount; i++) {
      if (asked[i] == queue) {
        return;
      }
    }
    if (askedCount == asked.length) {
      asked = Arrays.copyOf(asked, askedCount * 2);
    }
    asked[askedCount++] = queue;
  }

  /** Says who claims and for how long; the text is empty if the key says it all. */
  void by(long high, long low, DirectBuffer claimantText, int offset, int length, long lease) {
    claimantHigh = high;
    claimantLow = low;
    if (text != claimantText) {
      text = claimantText;
    }
    textOffset = offset;
    textLength = length;
    leaseMs = lease;
  }

  /** True if there is something to claim. */
  boolean hasWork(long nowMs) {
    for (int i = 0; i < askedCount; i++) {
      if (table.isAvailable(asked[i], nowMs)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Claims up to {@code limit} tasks and puts them into the answer that has been begun; fewer if
   * their values and error texts come to {@link #CLAIM_BYTES_MAX}, so that no answer is too large
   * to give.
   *
   * @return how many
   */
  int take(int limit, long nowMs) {
    return take(limit, CLAIM_BYTES_MAX, nowMs);
  }

  /**
   * As {@link #take(int, long)}, with less room.
   *
   * @param bytesMax above 0; no further task is claimed once those before come to this
   */
  int take(int limit, long bytesMax, long nowMs) {
    Invariant.check(limit > 0 && bytesMax > 0, "a claim may take a task", limit, bytesMax);
    int count = 0;
    takenBytes = 0;
    // Tasks come back into their queues only when all are chosen: a lease of 0 makes a task
    // available at once, and one claim must not take it twice.
    for (int queue = chooseQueue(nowMs);
        queue != Slab.NONE;
        queue = count < limit && takenBytes < bytesMax ? chooseQueue(nowMs) : Slab.NONE) {
      int task = table.choose(queue, nowMs);
      table.detach(task);
      if (count == taken.length) {
        taken = Arrays.copyOf(taken, count * 2);
      }
      taken[count++] = task;
      takenBytes += tasks.contentLength(task);
    }
    Invariant.check(count <= limit, "a claim takes no more than its limit", count, limit);
    for (int i = 0; i < count; i++) {
      lease(taken[i], nowMs);
    }
    return count;
  }

  /** What the values and error texts of the tasks come to that were taken last. */
  long takenBytes() {
    return takenBytes;
  }

  private int chooseQueue(long nowMs) {
    if (askedCount == 1) {
      return table.isAvailable(asked[0], nowMs) ? asked[0] : Slab.NONE;
    }
    int withWork = 0;
    int last = Slab.NONE;
    for (int i = 0; i < askedCount; i++) {
      if (table.isAvailable(asked[i], nowMs)) {
        withWork++;
        last = asked[i];
      }
    }
    return withWork <= 1 ? last : withWork(random.below(withWork), nowMs);
  }

  private int withWork(int skip, long nowMs) {
    int left = skip;
    for (int i = 0; i < askedCount; i++) {
      if (table.isAvailable(asked[i], nowMs) && left-- == 0) {
        return asked[i];
      }
    }
    throw new IllegalStateException("no queue with work is left");
  }

  private void lease(int task, long nowMs) {
    long formerArrivalMs = tasks.arrivalMs(task);
    long formerHigh = tasks.claimantHigh(task);
    long formerLow = tasks.claimantLow(task);
    boolean formerHasText = tasks.hasClaimantText(task);
    if (formerHasText) {
      // Held until it is clear whether the receipt keeps it.
      claimants.acquire(formerHigh, formerLow);
    }
    tasks.claimed(task, nowMs, saturatedSum(nowMs, leaseMs));
    table.claimant(task, claimantHigh, claimantLow, text, textOffset, textLength);
    table.attach(task, nowMs);
    boolean kept = answers.claimed(task);
    if (kept) {
      answers.receipt().former(formerArrivalMs, formerHigh, formerLow, formerHasText);
    } else if (formerHasText) {
      claimants.release(formerHigh, formerLow);
    }
  }

  static long saturatedSum(long nowMs, long leaseMs) {
    long sum = nowMs + leaseMs;
    return sum < nowMs ? Long.MAX_VALUE : sum;
  }

  /** The queue with this name, for a claim that does not wait; none if it has no tasks. */
  void fromExisting(DirectBuffer name, int offset, int length) {
    int queue = queues.find(name, offset, length);
    if (queue != Slab.NONE) {
      from(queue);
    }
  }
}
