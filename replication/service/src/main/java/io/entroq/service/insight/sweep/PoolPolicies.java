package io.entroq.service.insight.sweep;

import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What policies say of queues. Pools are, as the engine decides it, those whose own policy says so,
 * and their members down to its depth. Immutable; any thread.
 */
public final class PoolPolicies {
  public static final PoolPolicies NONE = new PoolPolicies(Map.of(), Set.of());

  /** The most levels of pools above each other. */
  private static final int LEVELS_MAX = 3;

  private static final String ERR = "err";

  /** What a policy says: how many levels of pools begin with the queue; 0: it is a topic. */
  private record Rule(int depth, long pausedUntilMs) {}

  /** By the name of the queue. */
  private final Map<String, Rule> rules;

  private final Set<String> deadQueues;

  private PoolPolicies(Map<String, Rule> rules, Set<String> deadQueues) {
    this.rules = rules;
    this.deadQueues = deadQueues;
  }

  public static PoolPolicies of(Iterable<PolicyState> entries) {
    Map<String, Rule> rules = new HashMap<>();
    Set<String> deadQueues = new HashSet<>();
    for (PolicyState entry : entries) {
      Policy policy = entry.getPolicy();
      if (!policy.getDeadQueue().isEmpty()) {
        deadQueues.add(policy.getDeadQueue());
      }
      boolean isPool = policy.getFair() != Fair.FAIR_NONE;
      if (policy.getKind() == PolicyKind.POLICY_QUEUE && (isPool || policy.getGroupsCount() > 0)) {
        int depth = isPool ? Math.max(1, policy.getPoolDepth()) : 0;
        rules.put(policy.getName(), new Rule(depth, entry.getPausedUntilMs()));
      }
    }
    return new PoolPolicies(rules, deadQueues);
  }

  /** The queues that policies name for dead tasks. */
  public Set<String> deadQueues() {
    return deadQueues;
  }

  /** Whether there may be pools. */
  public boolean hasPools() {
    return !rules.isEmpty();
  }

  public boolean isPool(String queue) {
    return depth(queue) > 0;
  }

  private int depth(String queue) {
    String name = queue;
    for (int above = 0; above < LEVELS_MAX && !name.isEmpty(); above++) {
      Rule rule = rules.get(name);
      if (rule != null) {
        return Math.max(0, rule.depth - above);
      }
      name = above(name);
    }
    return 0;
  }

  /** Until when the policy of a queue pauses it; 0: not, or it is not known here. */
  long pausedUntilMs(String queue, long timeMs) {
    Rule rule = rules.get(queue);
    return rule == null || rule.pausedUntilMs <= timeMs ? 0 : rule.pausedUntilMs;
  }

  /** The name without its last segment; empty if a pool of that name has no such member. */
  private static String above(String queue) {
    int slash = queue.lastIndexOf('/');
    String segment = queue.substring(slash + 1);
    return slash <= 0 || segment.isEmpty() || segment.equals(ERR) ? "" : queue.substring(0, slash);
  }

  /** The pool of which a queue is a member; empty if there is none. */
  public String pool(String queue) {
    String name = above(queue);
    return isPool(name) ? name : "";
  }

  /** Whether all names that begin with a text belong to a pool, or to a queue below one. */
  public boolean isWithin(String prefix) {
    for (int slash = prefix.indexOf('/'); slash > 0; slash = prefix.indexOf('/', slash + 1)) {
      if (isPool(prefix.substring(0, slash))) {
        return true;
      }
    }
    return false;
  }

  /** The pools that are members of none. */
  List<String> outermost() {
    return rules.keySet().stream().filter(name -> isPool(name) && pool(name).isEmpty()).toList();
  }

  /**
   * The queue that stands for another where members of pools are left out.
   *
   * @param within the pool whose members are shown; empty if none is
   * @return the queue itself, or a pool above it; empty if it does not belong to the pool
   */
  String shown(String queue, String within) {
    String name = queue;
    String pool = pool(name);
    while (!pool.equals(within)) {
      if (pool.isEmpty()) {
        return "";
      }
      name = pool;
      pool = pool(name);
    }
    return name;
  }
}
