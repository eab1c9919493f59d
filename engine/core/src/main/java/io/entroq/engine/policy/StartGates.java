package io.entroq.engine.policy;

import io.entroq.codec.message.Orders;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.ArrivalIndex;
import io.entroq.engine.queue.QueueStore;

/**
 * What permits a start of a task of a queue with rules, and when, as far as pools above do not
 * matter: pauses, the breaker, its own rate and number in flight, the task in front, its limiters.
 * Changes nothing.
 */
final class StartGates {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final ArrivalIndex arrivals;
  private final RuleRecords records;
  private final Resolution resolution;

  StartGates(PolicyStore policies, QueueStore queues, ArrivalIndex arrivals, RuleRecords records) {
    this.policies = policies;
    this.queues = queues;
    this.arrivals = arrivals;
    this.records = records;
    this.resolution = new Resolution(policies);
  }

  /** Whether a task of the queue may start, as far as pools above do not matter. */
  boolean permits(int queue, long timeMs) {
    int rules = queues.rules(queue);
    if (rules != Slab.NONE && records.slab.getLong(rules, RuleRecords.EPOCH) == policies.epoch()) {
      return ownOpensMs(
                  rules,
                  records.slab.getInt(rules, RuleRecords.POLICY),
                  records.slab.getLong(rules, RuleRecords.PAUSED_UNTIL))
              <= timeMs
          && frontMs(rules, records.slab.getInt(rules, RuleRecords.POLICY)) <= timeMs
          && !isFull(queue, records.slab.getInt(rules, RuleRecords.POLICY))
          && blocker(rules, timeMs) == Slab.NONE;
    }
    resolution.resolve(queues, queue);
    return resolution.isPlain()
        || (ownOpensMs(rules, resolution.policy(), resolution.pausedUntilMs()) <= timeMs
            && frontMs(rules, resolution.policy()) <= timeMs
            && !isFull(queue, resolution.policy())
            && doNewLimitersPermit(queue, rules, timeMs));
  }

  /** When a member of a pool opens by itself; the largest number if time alone does not do it. */
  long memberOpensMs(int queue, long nowMs) {
    int rules = queues.rules(queue);
    int policy = records.slab.getInt(rules, RuleRecords.POLICY);
    if (queues.taskCount(queue) == 0
        || isFull(queue, policy)
        || workMs(queue, rules, policy) > nowMs) {
      // Tasks of members become ready on time.
      return Long.MAX_VALUE;
    }
    return ownOpensMs(rules, policy, records.slab.getLong(rules, RuleRecords.PAUSED_UNTIL));
  }

  /** When a queue outside of pools, with tasks, permits a start, as far as limiters permit it. */
  long startMs(int queue, int rules) {
    int policy = records.slab.getInt(rules, RuleRecords.POLICY);
    return isFull(queue, policy)
        ? Long.MAX_VALUE
        : Math.max(
            ownOpensMs(rules, policy, records.slab.getLong(rules, RuleRecords.PAUSED_UNTIL)),
            workMs(queue, rules, policy));
  }

  /** When pause, breaker and rate of the queue itself permit a start; may lie in the past. */
  long ownOpensMs(int rules, int policy, long pausedUntilMs) {
    long opensMs = pausedUntilMs;
    if (rules == Slab.NONE) {
      return opensMs;
    }
    opensMs = Math.max(opensMs, records.slab.getLong(rules, RuleRecords.BREAKER_END));
    return Math.max(opensMs, rateOpensMs(rules, policy));
  }

  /** When the rate of the queue itself permits a start; the smallest number if there is none. */
  long rateOpensMs(int rules, int policy) {
    return rules == Slab.NONE || policy == Slab.NONE || policies.intervalMicros(policy) == 0
        ? Long.MIN_VALUE
        : Rate.opensMs(
            records.slab.getLong(rules, RuleRecords.TAT), policies.toleranceMicros(policy));
  }

  private boolean isFull(int queue, int policy) {
    int max = policy == Slab.NONE ? 0 : policies.inFlightMax(policy);
    return max > 0 && queues.inFlight(queue) >= max;
  }

  /** The first limiter that does not permit a start, or {@link Slab#NONE}. */
  int blocker(int rules, long timeMs) {
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = records.limiter(rules, i);
      if (limiter != Slab.NONE
          && (policies.opensMs(limiter) > timeMs || policies.isFull(limiter))) {
        return limiter;
      }
    }
    return Slab.NONE;
  }

  /** As {@link #blocker}, for a queue whose tasks do not count in its new limiters yet. */
  private boolean doNewLimitersPermit(int queue, int rules, long timeMs) {
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = resolution.limiter(i);
      if (limiter != Slab.NONE) {
        int max = policies.inFlightMax(limiter);
        int others = policies.inFlight(limiter) - records.countedIn(rules, limiter);
        if (policies.opensMs(limiter) > timeMs
            || (max > 0 && others + queues.inFlight(queue) >= max)) {
          return false;
        }
      }
    }
    return true;
  }

  /** When there is a task that may start; {@link Long#MIN_VALUE} if there is one now. */
  private long workMs(int queue, int rules, int policy) {
    long frontMs = frontMs(rules, policy);
    if (frontMs != Long.MIN_VALUE) {
      return frontMs;
    }
    return queues.readyCount(queue) > 0 ? Long.MIN_VALUE : arrivals.firstDueMs(queue);
  }

  /** When the task in front may start, before which no other does; the smallest number if none. */
  private long frontMs(int rules, int policy) {
    boolean isStrict = policy != Slab.NONE && policies.order(policy) == Orders.STRICT;
    int front =
        isStrict && rules != Slab.NONE ? records.slab.getInt(rules, RuleRecords.FRONT) : Slab.NONE;
    return front == Slab.NONE ? Long.MIN_VALUE : arrivals.dueMs(front);
  }
}
