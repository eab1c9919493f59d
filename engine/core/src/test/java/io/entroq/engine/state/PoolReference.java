package io.entroq.engine.state;

import io.entroq.codec.wire.log.Fair;
import io.entroq.codec.wire.log.Order;
import io.entroq.codec.wire.log.Policy;
import io.entroq.engine.memory.DeterministicRandom;
import io.entroq.engine.memory.Mix;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pools without an index: everything is looked up and computed anew, for every choice. Knows only
 * what the tests of pools do: tasks are inserted, claimed, deleted, released, renewed, and fail.
 */
final class PoolReference {
  private static final long UNIT = 1 << 20;

  static final class Task {
    final long id;
    final String queue;
    long dueMs;
    boolean isInFlight;

    /** In strict order, it was started and is not done. */
    boolean isInFront;

    Task(long id, String queue, long dueMs) {
      this.id = id;
      this.queue = queue;
      this.dueMs = dueMs;
    }
  }

  record Parked(long sequence, List<String> names, int limit, long leaseMs) {}

  /** What a pool remembers, or a member of one: a pool's key has an asterisk. */
  private static final class Place {
    String parent;
    boolean isOpen;
    long virtualTime;
    long poolTime;
    long tat;
  }

  final Map<Long, Task> tasks = new TreeMap<>();
  final TreeMap<Long, Parked> parked = new TreeMap<>();
  final Map<String, Policy> exact = new HashMap<>();
  final Map<String, Policy> prefixes = new TreeMap<>();
  final Map<String, Policy> limiters = new HashMap<>();

  /** By kind and name; the largest number: until resumed. */
  final Map<String, Long> pausedUntil = new HashMap<>();

  final DeterministicRandom random;
  private final List<String> names;
  private final Map<String, Place> places = new HashMap<>();
  private final Map<String, Long> tats = new HashMap<>();
  long nowMs;

  PoolReference(List<String> names, long randomState) {
    this.names = names;
    this.random = new DeterministicRandom();
    random.seed(randomState);
  }

  // Names.

  static String parentName(String name) {
    int slash = name.lastIndexOf('/');
    String segment = name.substring(slash + 1);
    return slash <= 0 || segment.isEmpty() || segment.equals("err")
        ? null
        : name.substring(0, slash);
  }

  private Policy shape(String name) {
    Policy policy = exact.get(name);
    return policy != null && (policy.getFair() != Fair.FAIR_NONE || policy.getGroupsCount() > 0)
        ? policy
        : null;
  }

  /** The policy that makes a queue a pool, or null. */
  private Policy source(String name) {
    String at = name;
    for (int above = 0; above < 3 && at != null; above++) {
      Policy policy = shape(at);
      if (policy != null) {
        boolean isPool =
            policy.getFair() != Fair.FAIR_NONE && Math.max(1, policy.getPoolDepth()) > above;
        return isPool ? policy : null;
      }
      at = parentName(at);
    }
    return null;
  }

  boolean isPool(String name) {
    return source(name) != null;
  }

  private boolean isPooled(String name) {
    String parent = parentName(name);
    return isPool(name) || (parent != null && isPool(parent));
  }

  /** The node that a claim means by a name. */
  private String node(String name) {
    return isPool(name) ? name + "*" : name;
  }

  private static boolean isPoolNode(String node) {
    return node.endsWith("*");
  }

  private static String name(String node) {
    return isPoolNode(node) ? node.substring(0, node.length() - 1) : node;
  }

  private String parent(String node) {
    if (!isPoolNode(node) && isPool(node)) {
      return node + "*";
    }
    String parent = parentName(name(node));
    return parent != null && isPool(parent) ? parent + "*" : null;
  }

  private Policy policy(String name) {
    Policy own = exact.get(name);
    if (own != null || name.endsWith("/err")) {
      return own;
    }
    Policy longest = null;
    for (Policy prefix : prefixes.values()) {
      if (name.startsWith(prefix.getName())
          && (longest == null || prefix.getName().length() > longest.getName().length())) {
        longest = prefix;
      }
    }
    return longest;
  }

  private List<String> nodes() {
    List<String> nodes = new ArrayList<>();
    for (String name : names) {
      nodes.add(name);
      if (isPool(name)) {
        nodes.add(name + "*");
      }
    }
    return nodes;
  }

  private List<String> members(String pool) {
    List<String> members = new ArrayList<>();
    for (String node : nodes()) {
      if (pool.equals(parent(node))) {
        members.add(node);
      }
    }
    return members;
  }

  private Place place(String node) {
    return places.computeIfAbsent(node, key -> new Place());
  }

  // Gates.

  private long pausedUntil(int kind, String name) {
    return pausedUntil.getOrDefault(kind + name, 0L);
  }

  private static boolean isRateOpen(long tat, long limit, long periodMs, long burst, long nowMs) {
    if (limit == 0) {
      return true;
    }
    long interval = (periodMs * 1000 + limit - 1) / limit;
    long tolerance = burst <= 1 ? 0 : (burst - 1) * interval;
    return -Math.floorDiv(-(tat - tolerance), 1000L) <= nowMs;
  }

  private static long afterStart(long tat, long limit, long periodMs, long nowMs) {
    return limit == 0 ? tat : Math.max(tat, nowMs * 1000) + (periodMs * 1000 + limit - 1) / limit;
  }

  private int inFlight(String node) {
    int count = 0;
    for (Task task : tasks.values()) {
      count += task.isInFlight && isBelow(task.queue, node) ? 1 : 0;
    }
    return count;
  }

  private boolean isBelow(String leaf, String node) {
    for (String at = leaf; at != null; at = parent(at)) {
      if (at.equals(node)) {
        return true;
      }
    }
    return false;
  }

  private Task front(String queue) {
    return tasks.values().stream()
        .filter(task -> task.isInFront && task.queue.equals(queue))
        .findFirst()
        .orElse(null);
  }

  private boolean isLeafOpen(String queue) {
    Policy policy = policy(queue);
    boolean isStrict = policy != null && policy.getOrder() == Order.ORDER_STRICT;
    Task front = isStrict ? front(queue) : null;
    boolean hasWork =
        front != null
            ? front.dueMs <= nowMs
            : tasks.values().stream()
                .anyMatch(task -> task.queue.equals(queue) && task.dueMs <= nowMs);
    if (!hasWork || pausedUntil(0, queue) > nowMs) {
      return false;
    }
    for (String prefix : List.of("a", "b", "a/1", "c")) {
      if (queue.startsWith(prefix) && !queue.endsWith("/err") && pausedUntil(1, prefix) > nowMs) {
        return false;
      }
    }
    return policy == null
        || ((policy.getInFlightMax() == 0 || inFlightOf(queue) < policy.getInFlightMax())
            && isRateOpen(
                tats.getOrDefault(queue, 0L),
                policy.getRateLimit(),
                policy.getRatePeriodMs(),
                policy.getRateBurst(),
                nowMs));
  }

  int inFlightOf(String queue) {
    return (int)
        tasks.values().stream().filter(task -> task.isInFlight && task.queue.equals(queue)).count();
  }

  private boolean doLimitersPermit(String queue) {
    Policy policy = policy(queue);
    if (policy == null) {
      return true;
    }
    for (String name : policy.getLimitersList()) {
      Policy limiter = limiters.get(name);
      if (limiter == null) {
        continue;
      }
      int count = 0;
      for (String other : names) {
        Policy its = policy(other);
        count += its != null && its.getLimitersList().contains(name) ? inFlightOf(other) : 0;
      }
      if ((limiter.getInFlightMax() > 0 && count >= limiter.getInFlightMax())
          || pausedUntil(2, name) > nowMs
          || !isRateOpen(
              tats.getOrDefault("limiter " + name, 0L),
              limiter.getRateLimit(),
              limiter.getRatePeriodMs(),
              limiter.getRateBurst(),
              nowMs)) {
        return false;
      }
    }
    return true;
  }

  private boolean isOpen(String node) {
    if (!isPoolNode(node)) {
      return isLeafOpen(node);
    }
    boolean hasWork =
        members(node).stream()
            .anyMatch(member -> isOpen(member) && (isPoolNode(member) || doLimitersPermit(member)));
    Policy own = exact.get(name(node));
    if (!hasWork || pausedUntil(0, name(node)) > nowMs) {
      return false;
    }
    return own == null
        || own.getFair() == Fair.FAIR_NONE
        || ((own.getPoolInFlightMax() == 0 || inFlight(node) < own.getPoolInFlightMax())
            && isRateOpen(
                place(node).tat,
                own.getPoolRateLimit(),
                own.getPoolRatePeriodMs(),
                own.getPoolRateBurst(),
                nowMs));
  }

  private boolean isAvailable(String name) {
    if (!isPooled(name)) {
      return isLeafOpen(name) && doLimitersPermit(name);
    }
    String node = node(name);
    if (!isPoolNode(node) && !doLimitersPermit(node)) {
      return false;
    }
    for (String at = node; at != null; at = parent(at)) {
      if (!isOpen(at)) {
        return false;
      }
    }
    return true;
  }

  // Order.

  private long quantum(String node) {
    return UNIT / weight(node);
  }

  private int weight(String node) {
    Policy policy = policy(name(node));
    return policy == null ? 1 : Math.max(1, policy.getWeight());
  }

  private long key(String pool, String member) {
    Policy policy = policy(name(member));
    return switch (source(name(pool)).getFair()) {
      case FAIR_LEAST_IN_FLIGHT -> inFlight(member) * UNIT / weight(member);
      case FAIR_STRICT_RANK -> policy == null ? 0 : -(long) policy.getRank();
      default -> 0;
    };
  }

  private static long hash(String name) {
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    return Mix.bytes(new UnsafeBuffer(bytes), 0, bytes.length);
  }

  private boolean isBefore(String pool, String a, String b) {
    long keyA = key(pool, a);
    long keyB = key(pool, b);
    if (keyA != keyB) {
      return keyA < keyB;
    }
    long timeA = place(a).virtualTime;
    long timeB = place(b).virtualTime;
    return timeA < timeB || (timeA == timeB && hash(name(a)) < hash(name(b)));
  }

  /** Settles what is due, and lets members come and go. */
  void settle() {
    for (Task task : tasks.values()) {
      if (task.isInFlight && task.dueMs <= nowMs) {
        task.isInFlight = false;
        task.isInFront = true;
      }
    }
    List<String> nodes = nodes();
    places.keySet().retainAll(nodes);
    Map<String, Boolean> isOpen = new HashMap<>();
    for (String node : nodes) {
      isOpen.put(node, isOpen(node));
    }
    for (String node : nodes) {
      Place place = place(node);
      String parent = parent(node);
      boolean wasOpen = place.isOpen && parent != null && parent.equals(place.parent);
      place.parent = parent;
      place.isOpen = isOpen.get(node);
      if (place.isOpen && !wasOpen && parent != null) {
        place.virtualTime = place(parent).poolTime + quantum(node);
      }
    }
  }

  /** The names of which a claim would get a task now. */
  private List<String> available(List<String> of) {
    return of.stream().distinct().filter(this::isAvailable).toList();
  }

  /** Whether a parked claim could be served. */
  boolean isServable(Parked claim) {
    return !available(claim.names).isEmpty();
  }

  boolean isEmpty(List<String> of) {
    settle();
    return available(of).isEmpty();
  }

  /** The oldest parked claim that is served through a pool, or null. */
  Parked oldestOfPools() {
    for (Parked claim : parked.values()) {
      for (String name : available(claim.names)) {
        if (isPooled(name)) {
          return claim;
        }
      }
    }
    return null;
  }

  /** Whether a claim is the oldest on one of its queues that is in no pool. */
  boolean isOldestOutsidePools(Parked claim) {
    for (String name : available(claim.names)) {
      if (!isPooled(name)
          && parked.values().stream().filter(other -> other.names.contains(name)).findFirst().get()
              == claim) {
        return true;
      }
    }
    return false;
  }

  /** Chooses the queues of which a claim gets tasks; the names are in the order of the claim. */
  String choose(List<String> of) {
    settle();
    List<String> available = available(of);
    if (available.isEmpty()) {
      return null;
    }
    String named = available.get(available.size() == 1 ? 0 : random.below(available.size()));
    String at = node(named);
    while (isPoolNode(at)) {
      String first = null;
      for (String member : members(at)) {
        boolean mayStart = place(member).isOpen && (isPoolNode(member) || doLimitersPermit(member));
        if (mayStart && (first == null || isBefore(at, member, first))) {
          first = member;
        }
      }
      place(at).poolTime = Math.max(place(at).poolTime, place(first).virtualTime);
      at = first;
    }
    return at;
  }

  /** A task of a queue was chosen. */
  void started(String queue, long id, long leaseMs) {
    Task task = tasks.get(id);
    task.isInFront = false;
    task.isInFlight = leaseMs > 0;
    // Tasks return only after all are chosen.
    task.dueMs = leaseMs > 0 ? nowMs + leaseMs : Long.MAX_VALUE;
    Policy policy = policy(queue);
    if (policy != null) {
      tats.put(
          queue,
          afterStart(
              tats.getOrDefault(queue, 0L),
              policy.getRateLimit(),
              policy.getRatePeriodMs(),
              nowMs));
      for (String name : policy.getLimitersList()) {
        Policy limiter = limiters.get(name);
        if (limiter != null) {
          tats.put(
              "limiter " + name,
              afterStart(
                  tats.getOrDefault("limiter " + name, 0L),
                  limiter.getRateLimit(),
                  limiter.getRatePeriodMs(),
                  nowMs));
        }
      }
    }
    for (String at = queue; parent(at) != null || isPoolNode(at); at = parent(at)) {
      Place place = place(at);
      Policy own = exact.get(name(at));
      if (isPoolNode(at) && own != null && own.getFair() != Fair.FAIR_NONE) {
        place.tat = afterStart(place.tat, own.getPoolRateLimit(), own.getPoolRatePeriodMs(), nowMs);
      }
      if (parent(at) == null) {
        break;
      }
      place.virtualTime = Math.max(place.virtualTime, place(parent(at)).poolTime) + quantum(at);
    }
  }

  /** A claim with a lease of 0 has chosen all its tasks. */
  void returned(long id) {
    tasks.get(id).dueMs = nowMs;
  }
}
