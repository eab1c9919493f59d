package io.entroq.engine.state;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Claimants;
import io.entroq.engine.task.TaskStore;
import java.util.Arrays;
import org.agrona.DirectBuffer;

/**
 * Claims tasks (contract 2.2). Every wanted queue with available tasks is equally likely, whatever
 * its length; within a queue the {@link TaskTable} chooses.
 *
 * <p>To claim: {@link #addQueue} for each queue, {@link #claimant}, then {@link #take}.
 */
final class Claimer {

  /** No further task is claimed once the values and error texts of the claimed ones reach 8 MiB. */
  static final int CLAIM_BYTES_MAX = 8 << 20;

  private final TaskTable table;
  private final TaskStore tasks;
  private final QueueStore queues;
  private final InFlight inFlight;
  private final Claimants claimants;
  private final DeterministicRandom random;
  private final Effects effects;
  private final ReplyWriter answers;

  private int[] wanted = new int[16];
  private int wantedCount;
  private int[] taken = new int[16];
  private long takenBytes;
  private long claimantHigh;
  private long claimantLow;
  private DirectBuffer text;
  private int textOffset;
  private int textLength;
  private long leaseMs;
  private boolean marksFlights;

  Claimer(Stores stores, TaskTable table, ReplyWriter answers) {
    this.table = table;
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.inFlight = stores.inFlight;
    this.claimants = stores.claimants;
    this.random = stores.random;
    this.effects = stores.effects;
    this.answers = answers;
  }

  /** Begins a step at a behavior level. */
  void step(int level) {
    marksFlights = level >= Levels.POLICIES;
  }

  void clearQueues() {
    wantedCount = 0;
  }

  /** Adds a queue to claim from, unless it was added already. */
  void addQueue(int queue) {
    for (int i = 0; i < wantedCount; i++) {
      if (wanted[i] == queue) {
        return;
      }
    }
    if (wantedCount == wanted.length) {
      wanted = Arrays.copyOf(wanted, wantedCount * 2);
    }
    wanted[wantedCount++] = queue;
  }

  /** Sets the claimant and the lease; the text is empty if the key determines it. */
  void claimant(
      long high, long low, DirectBuffer claimantText, int offset, int length, long lease) {
    claimantHigh = high;
    claimantLow = low;
    if (text != claimantText) {
      text = claimantText;
    }
    textOffset = offset;
    textLength = length;
    leaseMs = lease;
  }

  /** True if a task is available. */
  boolean hasWork(long nowMs) {
    for (int i = 0; i < wantedCount; i++) {
      if (table.isAvailable(wanted[i], nowMs)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Claims up to {@code limit} tasks and adds them to the current reply; fewer if their values and
   * error texts reach {@link #CLAIM_BYTES_MAX}, which bounds the reply.
   *
   * @return the number of tasks
   */
  int take(int limit, long nowMs) {
    return take(limit, CLAIM_BYTES_MAX, nowMs);
  }

  /**
   * Like {@link #take(int, long)} with another bound.
   *
   * @param bytesMax above 0; no further task is claimed once the claimed ones reach it
   */
  int take(int limit, long bytesMax, long nowMs) {
    Invariant.check(limit > 0 && bytesMax > 0, "a claim may take a task", limit, bytesMax);
    int count = 0;
    takenBytes = 0;
    // Tasks return to their queues only after all are chosen: a lease of 0 makes a task available
    // at
    // once, and one claim must not take it twice.
    for (int queue = chooseQueue(nowMs);
        queue != Slab.NONE;
        queue = count < limit && takenBytes < bytesMax ? chooseQueue(nowMs) : Slab.NONE) {
      int task = table.choose(queue, nowMs);
      table.detach(task);
      if (leaseMs > 0 && marksFlights) {
        inFlight.begin(task);
      } else {
        // Whoever held it before cannot come back to it.
        inFlight.end(task, tasks.queue(task));
      }
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

  /** Bytes of values and error texts of the tasks taken last. */
  long takenBytes() {
    return takenBytes;
  }

  private int chooseQueue(long nowMs) {
    if (wantedCount == 1) {
      return table.isAvailable(wanted[0], nowMs) ? wanted[0] : Slab.NONE;
    }
    int withWork = 0;
    int last = Slab.NONE;
    for (int i = 0; i < wantedCount; i++) {
      if (table.isAvailable(wanted[i], nowMs)) {
        withWork++;
        last = wanted[i];
      }
    }
    return withWork <= 1 ? last : withWork(random.below(withWork), nowMs);
  }

  private int withWork(int skip, long nowMs) {
    int left = skip;
    for (int i = 0; i < wantedCount; i++) {
      if (table.isAvailable(wanted[i], nowMs) && left-- == 0) {
        return wanted[i];
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
      // Hold the text until it is clear whether the receipt needs it.
      claimants.acquire(formerHigh, formerLow);
    }
    tasks.claimed(task, nowMs, ArrivalTime.saturatedSum(nowMs, leaseMs));
    table.claimant(task, claimantHigh, claimantLow, text, textOffset, textLength);
    table.attach(task, nowMs);
    effects.task(EffectKinds.CLAIMED, task);
    boolean kept = answers.claimed(task);
    if (kept) {
      answers.receipt().former(formerArrivalMs, formerHigh, formerLow, formerHasText);
    } else if (formerHasText) {
      claimants.release(formerHigh, formerLow);
    }
  }

  /** Adds the queue with this name if it exists. */
  void addExistingQueue(DirectBuffer name, int offset, int length) {
    int queue = queues.find(name, offset, length);
    if (queue != Slab.NONE) {
      addQueue(queue);
    }
  }
}
