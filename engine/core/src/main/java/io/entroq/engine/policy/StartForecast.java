package io.entroq.engine.policy;

import io.entroq.codec.message.Orders;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.queue.QueueStore;

/**
 * Answers when and how many tasks of a queue will start, for those who look. Looks up what applies
 * to the queue now, and changes nothing.
 */
public final class StartForecast {

  private final PolicyStore policies;
  private final QueueStore queues;
  private final RuleRecords records;
  private final StartGates gates;
  private final Resolution resolution;

  StartForecast(PolicyStore policies, QueueStore queues, RuleRecords records, StartGates gates) {
    this.policies = policies;
    this.queues = queues;
    this.records = records;
    this.gates = gates;
    this.resolution = new Resolution(policies);
  }

  /**
   * Until when a queue is paused, or its breaker pauses it; 0: not. Looks it up; changes nothing.
   */
  public long pausedUntilMs(int queue, long timeMs) {
    int rules = queues.rules(queue);
    long untilMs = resolution.resolve(queues, queue).pausedUntilMs();
    // What a breaker left ends with the rules, even before the next touch frees the record.
    if (rules != Slab.NONE && (!resolution.isPlain() || queues.isPooled(queue))) {
      untilMs = Math.max(untilMs, records.slab.getLong(rules, RuleRecords.BREAKER_END));
    }
    return untilMs > timeMs ? untilMs : 0;
  }

  /** When rate and limiters permit the next start; 0: now. Changes nothing. */
  public long nextStartMs(int queue, long timeMs) {
    int rules = queues.rules(queue);
    resolution.resolve(queues, queue);
    long opensMs = Math.max(gates.rateOpensMs(rules, resolution.policy()), limitersOpenMs());
    return opensMs > timeMs ? opensMs : 0;
  }

  /** When all limiters that were looked up permit a start; the smallest number if none. */
  private long limitersOpenMs() {
    long opensMs = Long.MIN_VALUE;
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      if (resolution.limiter(i) != Slab.NONE) {
        opensMs = Math.max(opensMs, policies.opensMs(resolution.limiter(i)));
      }
    }
    return opensMs;
  }

  /** The {@link Orders order} in which the tasks of a queue start. Looks it up; changes nothing. */
  public int order(int queue) {
    if (queues.isPlain(queue)) {
      return Orders.COIN;
    }
    int policy = resolution.resolve(queues, queue).policy();
    return policy == Slab.NONE ? Orders.COIN : policies.order(policy);
  }

  /**
   * When a task starts at the rate of its queue, if there are always workers and room for tasks in
   * flight; 0 if that is not known: there is no rate, or the queue is paused until it is resumed.
   * Looks the rate up; changes nothing.
   *
   * @param ahead how many tasks start before it
   * @param fromMs when the first of them may start, as far as that depends on the tasks
   */
  public long expectedStartMs(int queue, long ahead, long fromMs) {
    int rules = queues.rules(queue);
    int policy = resolution.resolve(queues, queue).policy();
    if (policy == Slab.NONE || policies.intervalMicros(policy) == 0) {
      return 0;
    }
    long openMs = Math.max(fromMs, gates.ownOpensMs(rules, policy, resolution.pausedUntilMs()));
    openMs = Math.max(openMs, limitersOpenMs());
    long startMs =
        Rate.expectedMs(
            rules == Slab.NONE ? 0 : records.slab.getLong(rules, RuleRecords.TAT),
            policies.toleranceMicros(policy),
            policies.intervalMicros(policy),
            ahead,
            openMs);
    return startMs == Long.MAX_VALUE ? 0 : startMs;
  }

  /** How many tasks may start now, if so many are available. Changes nothing. */
  public long startsNow(int queue, long available, long timeMs) {
    if (available == 0 || !gates.permits(queue, timeMs)) {
      return 0;
    }
    int rules = queues.rules(queue);
    resolution.resolve(queues, queue);
    long starts = available;
    int policy = resolution.policy();
    if (policy != Slab.NONE && policies.inFlightMax(policy) > 0) {
      starts = Math.min(starts, (long) policies.inFlightMax(policy) - queues.inFlight(queue));
    }
    if (policy != Slab.NONE && policies.intervalMicros(policy) != 0) {
      long tat = rules == Slab.NONE ? 0 : records.slab.getLong(rules, RuleRecords.TAT);
      starts = Math.min(starts, starts(policy, tat, timeMs));
    }
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = resolution.limiter(i);
      if (limiter != Slab.NONE) {
        starts = Math.min(starts, limiterStarts(queue, rules, limiter, timeMs));
      }
    }
    return Math.max(0, starts);
  }

  private long limiterStarts(int queue, int rules, int limiter, long timeMs) {
    long starts = Long.MAX_VALUE;
    if (policies.intervalMicros(limiter) != 0) {
      starts = starts(limiter, policies.tatMicros(limiter), timeMs);
    }
    if (policies.inFlightMax(limiter) > 0) {
      long others = (long) policies.inFlight(limiter) - records.countedIn(rules, limiter);
      starts = Math.min(starts, policies.inFlightMax(limiter) - others - queues.inFlight(queue));
    }
    return starts;
  }

  private long starts(int policy, long tat, long timeMs) {
    return Rate.starts(
        tat, policies.toleranceMicros(policy), policies.intervalMicros(policy), timeMs);
  }
}
