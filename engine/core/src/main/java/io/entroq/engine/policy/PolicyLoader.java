package io.entroq.engine.policy;

import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.TaskStore;
import org.agrona.collections.Int2IntCounterMap;
import org.agrona.collections.LongArrayList;

/**
 * Loads policies, and what queues have by them: {@link #loadPolicy} and {@link #loadQueue} for each
 * item; {@link #link} after queues and tasks; {@link #place} after parked claims.
 */
public final class PolicyLoader {

  private static final int LONGS = 9;
  private static final int INTS = 9;
  private static final int FIELDS = 2 + LONGS + INTS;
  private static final int PLACES = 1;
  private static final int EPOCH = 2;
  private static final int FIRST_INT = 2 + LONGS;
  private static final int COUNTED = FIRST_INT + 1 + Resolution.LIMITERS_MAX;
  private static final int FRONT = COUNTED + 2;
  private static final int BLOCKER = COUNTED + 3;

  private final PolicyStore policies;
  private final RuledQueues ruled;
  private final RuleRecords records;
  private final QueueStore queues;
  private final TaskStore tasks;
  private final PolicyDecoder decoder = new PolicyDecoder();
  private final SlotMap slots = new SlotMap("policy");

  /** The fields of each queue's item, in the order of the image. */
  private final LongArrayList items = new LongArrayList();

  public PolicyLoader(PolicyStore policies, RuledQueues ruled, QueueStore queues, TaskStore tasks) {
    this.tasks = tasks;
    this.policies = policies;
    this.ruled = ruled;
    this.records = ruled.records();
    this.queues = queues;
  }

  /** Adds the policy of an item. */
  public void loadPolicy(ChunkReader in) {
    int old = in.getInt();
    int hasRules = in.getInt();
    in.require((hasRules & ~1) == 0, "mark of rules", hasRules);
    int version = in.getInt();
    int inFlight = in.getInt();
    long pausedUntilMs = in.getLong();
    long tat = in.getLong();
    in.require(tat >= 0, "time of the rate", tat);
    int length = in.getInt();
    int offset = in.take(length);
    try {
      decoder.wrap(in.buffer(), offset, length);
    } catch (MalformedMessageException e) {
      ImageException bad = in.wrong("a policy that is not one, bytes", length);
      bad.initCause(e);
      throw bad;
    }
    boolean isLimiter = decoder.kind() == PolicyKinds.LIMITER;
    in.require(inFlight >= 0 && (inFlight == 0 || isLimiter), "in flight", inFlight);
    boolean exists = hasRules != 0 || pausedUntilMs != 0;
    in.require(exists ? version > 0 : version == 0 && isLimiter, "version", version);
    int slot =
        policies.restore(
            in.buffer(), offset, length, hasRules != 0, version, pausedUntilMs, tat, inFlight);
    in.require(slot != Slab.NONE, "name known already, policy", old);
    slots.add(old, slot);
  }

  /** Keeps what a queue has until all are loaded. */
  public void loadQueue(ChunkReader in) {
    items.addLong(in.getInt());
    items.addLong(in.getInt());
    for (int i = 0; i < LONGS; i++) {
      items.addLong(in.getLong());
    }
    for (int i = 0; i < INTS; i++) {
      items.addLong(in.getInt());
    }
  }

  /** Gives the queues what they have, after queues and tasks. */
  public void link(SlotMap queuesOfImage, SlotMap tasksOfImage, long epoch) {
    policies.epoch(epoch);
    queues.epoch(epoch);
    Int2IntCounterMap counted = new Int2IntCounterMap(0);
    for (int at = 0; at < items.size(); at += FIELDS) {
      link(at, queuesOfImage.get((int) items.getLong(at)), tasksOfImage, counted);
    }
    for (int policy = 0; policy < policies.highWater(); policy++) {
      if (policies.isLive(policy) && policies.inFlight(policy) != counted.get(policy)) {
        throw new ImageException(
            "a limiter counts "
                + policies.inFlight(policy)
                + " tasks in flight, and its queues "
                + counted.get(policy));
      }
    }
  }

  private void link(int at, int queue, SlotMap tasksOfImage, Int2IntCounterMap counted) {
    long epoch = items.getLong(at + EPOCH);
    if (queues.rules(queue) != Slab.NONE || epoch <= 0 || epoch > policies.epoch()) {
      throw new ImageException("a queue has two sets of rules, or some of epoch " + epoch);
    }
    int count = (int) items.getLong(at + COUNTED);
    if (count != queues.inFlight(queue)) {
      throw new ImageException(
          "a queue counts " + count + " tasks in flight, and has " + queues.inFlight(queue));
    }
    int rules = records.restore(queue, epoch);
    // Epoch, hash of the policy's name and so on lie in the order of the image.
    for (int i = 0; i < LONGS; i++) {
      records.slab.putLong(rules, RuleRecords.EPOCH + i * Long.BYTES, items.getLong(at + 2 + i));
    }
    records.slab.putInt(rules, RuleRecords.POLICY, slots.link((int) items.getLong(at + FIRST_INT)));
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = slots.link((int) items.getLong(at + FIRST_INT + 1 + i));
      records.slab.putInt(rules, RuleRecords.LIMITERS + i * Integer.BYTES, limiter);
      if (limiter != Slab.NONE) {
        counted.getAndAdd(limiter, count);
      }
    }
    records.slab.putInt(rules, RuleRecords.COUNTED, count);
    records.slab.putInt(rules, RuleRecords.FAILURES, (int) items.getLong(at + COUNTED + 1));
    int front = tasksOfImage.link((int) items.getLong(at + FRONT));
    records.slab.putInt(rules, RuleRecords.FRONT, front);
    if (front != Slab.NONE) {
      if (tasks.queue(front) != queue) {
        throw new ImageException("the task in front of a queue is in another one");
      }
      records.slab.putLong(
          rules, RuleRecords.FRONT_HASH, Mix.key(tasks.idHigh(front), tasks.idLow(front)));
    }
    records.afterChange(queue, rules);
  }

  /** Puts the queues where they wait, after parked claims and the nodes of pools. */
  public void place(SlotMap queuesOfImage) {
    for (int policy = 0; policy < policies.highWater(); policy++) {
      if (policies.isLive(policy)
          && policies.version(policy) == 0
          && policies.inFlight(policy) == 0
          && !policies.hasGroups(policy)) {
        throw new ImageException("a limiter is gone, and nothing counts in it");
      }
    }
    for (int at = 0; at < items.size(); at += FIELDS) {
      int queue = queuesOfImage.get((int) items.getLong(at));
      long places = items.getLong(at + PLACES);
      int blocker = slots.link((int) items.getLong(at + BLOCKER));
      boolean isWatched = (places & PolicyImage.IS_WATCHED) != 0;
      boolean waits = isWatched || blocker != Slab.NONE;
      if (waits && queues.firstWaiter(queue) == Slab.NONE) {
        throw new ImageException("a queue without parked claims waits to be served");
      }
      if (waits && queues.isPooled(queue)) {
        // Pools have places of their own; it would never leave this one.
        throw new ImageException("a queue of a pool waits to be served as others");
      }
      ruled
          .places()
          .restore(
              queue,
              blocker,
              isWatched,
              (places & PolicyImage.ENDS_LEASES) != 0,
              (places & PolicyImage.IDLES) != 0);
    }
  }
}
