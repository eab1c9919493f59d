package io.entroq.engine.state;

import io.entroq.codec.effect.EffectKinds;
import io.entroq.codec.message.DeadReasons;
import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.engine.effect.Effects;
import io.entroq.engine.memory.Digest;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.policy.Outcomes;
import io.entroq.engine.policy.PolicyStore;
import io.entroq.engine.policy.RuledQueues;
import io.entroq.engine.policy.StrictFronts;
import io.entroq.engine.queue.InFlight;
import io.entroq.engine.queue.QueueStore;
import io.entroq.engine.task.ArrivalTime;
import io.entroq.engine.task.Bytes;
import io.entroq.engine.task.ExpiryIndex;
import io.entroq.engine.task.RememberedIds;
import io.entroq.engine.task.TaskAttributes;
import io.entroq.engine.task.TaskStore;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Moves tasks that die or expire: to the queue that their policy names, else to {@code NAME/err}.
 * The server's own moves never fail: limits of size do not apply to them, and a version that is
 * used up stays as it is.
 *
 * <p>To move a task: find the queue, then {@link #move}.
 */
final class DeadQueues {

  private static final byte[] ERR = {'/', 'e', 'r', 'r'};

  private final TaskStore tasks;
  private final QueueStore queues;
  private final PolicyStore policies;
  private final RuledQueues ruled;
  private final Outcomes outcomes;
  private final StrictFronts fronts;
  private final InFlight inFlight;
  private final ExpiryIndex expiries;
  private final RememberedIds rememberedIds;
  private final Digest digest;
  private final Effects effects;
  private final TaskTable table;
  private final TaskAttributes attributes = new TaskAttributes();
  private final Bytes target = new Bytes();
  private final UnsafeBuffer errName = new UnsafeBuffer(new byte[FieldLimits.TEXT_BYTES_MAX]);

  DeadQueues(Stores stores, TaskTable table) {
    this.tasks = stores.tasks;
    this.queues = stores.queues;
    this.policies = stores.policies;
    this.ruled = stores.ruled;
    this.outcomes = ruled.outcomes();
    this.fronts = ruled.fronts();
    this.inFlight = stores.inFlight;
    this.expiries = stores.expiries;
    this.rememberedIds = stores.rememberedIds;
    this.digest = stores.digest;
    this.effects = stores.effects;
    this.table = table;
  }

  /** Finds the dead queue of a queue; false if its name would be too long. */
  boolean find(int queue, PolicyDecoder rules) {
    if (rules.deadQueueLength() > 0) {
      target.set(rules.buffer(), rules.deadQueueOffset(), rules.deadQueueLength());
      return true;
    }
    queues.name(queue, target);
    int length = target.length();
    if (length + ERR.length > FieldLimits.TEXT_BYTES_MAX) {
      return false;
    }
    errName.putBytes(0, target.buffer(), target.offset(), length);
    errName.putBytes(length, ERR);
    target.set(errName, 0, length + ERR.length);
    return true;
  }

  /** Finds the queue for tasks that expire, which the policy names. */
  void findExpired(PolicyDecoder rules) {
    target.set(rules.buffer(), rules.expiredQueueOffset(), rules.expiredQueueLength());
  }

  /**
   * Moves a detached task that is not in flight to the queue that was found, and attaches it there.
   * Its queue may then be unused.
   *
   * @param reason one of {@link DeadReasons}
   * @param isRaised whether it has its new version already
   */
  void move(int task, int reason, boolean isRaised, long nowMs) {
    int queue = tasks.queue(task);
    // First, because what follows looks up other policies, to which the target would then refer.
    int targetQueue = queues.findOrAdd(target.buffer(), target.offset(), target.length());
    leave(task, queue, nowMs);
    outcomes.countDead(queue);
    attributes.read(tasks, task);
    queues.name(queue, attributes.origin());
    attributes.lapses(0).expiresMs(0).died(reason, nowMs).write(tasks, task);
    expiries.remove(task);
    tasks.queue(task, targetQueue);
    tasks.arrivalMs(task, nowMs);
    tasks.modifiedMs(task, nowMs);
    if (!isRaised && tasks.version(task) < Integer.MAX_VALUE) {
      tasks.version(task, tasks.version(task) + 1);
    }
    table.claimant(task, 0, 0, false);
    table.attach(task, nowMs);
    effects.moved(EffectKinds.DIED, 0, task, queue);
    digest.happened(tasks.idLow(task), tasks.version(task));
  }

  /** A worker that has moved a failed task to the dead queue by itself has it recorded as dead. */
  void moved(int task, int formerQueue, long nowMs) {
    int policy = ruled.policy(formerQueue);
    if (policy != Slab.NONE
        && find(formerQueue, policies.rules(policy))
        && queues.isNamed(tasks.queue(task), target.buffer(), target.offset(), target.length())) {
      outcomes.countDead(formerQueue);
      attributes.read(tasks, task);
      queues.name(formerQueue, attributes.origin());
      attributes.died(DeadReasons.FAILED, nowMs).write(tasks, task);
    }
  }

  /** Counts a task that goes by a rule of its queue: it moves to no other queue. */
  void gone(int task, int queue) {
    outcomes.countDead(queue);
    digest.happened(tasks.idLow(task), tasks.version(task));
  }

  /** Makes room in a queue: its oldest ready task dies, or is deleted. The queue stays. */
  void dropOldest(int queue, long nowMs) {
    int task = table.oldestReady(queue);
    table.detach(task);
    PolicyDecoder rules = policies.rules(ruled.policy(queue));
    boolean dies = (rules.deadQueueLength() > 0 || Failures.hasRetry(rules)) && find(queue, rules);
    inFlight.end(task, queue);
    if (dies) {
      move(task, DeadReasons.OVERFLOW, false, nowMs);
    } else {
      gone(task, queue);
      table.attach(task, nowMs);
      table.delete(task, EffectKinds.DROPPED, nowMs);
    }
  }

  /** A detached task leaves its queue, as it is deleted or moves: its id may stay taken. */
  void leave(int task, int queue, long nowMs) {
    fronts.drop(queue, task);
    int policy = ruled.policy(queue);
    long rememberMs = policy == Slab.NONE ? 0 : policies.rememberIdsMs(policy);
    if (rememberMs > 0) {
      long untilMs = ArrivalTime.saturatedSum(nowMs, rememberMs);
      rememberedIds.remember(tasks.idHigh(task), tasks.idLow(task), untilMs, digest);
    }
  }
}
