package io.entroq.api;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The rules of a queue, kept and enforced by the engine: how fast and how many tasks start, what
 * happens to tasks that fail, and how long and how many wait. Immutable; the methods with arguments
 * return changed copies.
 *
 * <pre>{@code
 * queue.policies().put(
 *     QueuePolicy.of("stripe")
 *         .rate(100, Duration.ofSeconds(1)).burst(10)
 *         .inFlight(20)
 *         .retry(Duration.ofSeconds(1), Duration.ofHours(1))
 *         .attempts(8));
 * }</pre>
 *
 * <p>A policy belongs to the queue of its exact name, or to each queue whose name has its
 * {@linkplain #prefix prefix}. A queue has one policy: that of its exact name, else that of the
 * longest prefix. A prefix does not apply to names that end with {@code /err}, nor to its own dead
 * and expired queues. A queue without a policy has no limits, and its tasks rest as clients say.
 *
 * <p>All durations are at most 366 days, in whole milliseconds; zero means that the rule is absent.
 *
 * @param name name of the queue or prefix, 1 to 1,024 bytes of UTF-8
 * @param isPrefix whether it applies to all queues whose names begin with the name
 * @param rate how fast tasks start
 * @param inFlight how many tasks may be in flight at once; 0 for no limit
 * @param limiters up to 4 distinct names of {@link Limiter limiters} that the queue shares
 * @param retry how long failed tasks rest
 * @param attempts after how many failures a task goes to the dead queue; 0 for never
 * @param lapses after how many ended leases a task goes to the dead queue; 0 for never
 * @param deadQueue where dead tasks go; if empty, the queue's name followed by {@code /err}
 * @param breaker when failures pause the queue
 * @param timeToLive how long after its insert a task expires, unless the insert says so itself
 * @param expiredQueue where expired tasks go; if empty, they are deleted
 * @param maxTasks how many tasks the queue may have; 0 for no limit
 * @param maxBytes how many bytes of values and error texts the queue may have; 0 for no limit
 * @param overflow what happens to an insert when the queue is full
 * @param order which of the ready tasks starts next
 * @param rememberIds how long the id of a task stays taken after the task has left the queue
 * @param pool makes the queue a pool of queues
 * @param weight share of the queue as a member of a pool, 1 to 1,024
 * @param rank rank of the queue as a member of a pool, from 0; the highest starts first
 * @param groups makes the queue a topic: up to 100 distinct names
 */
public record QueuePolicy(
    String name,
    boolean isPrefix,
    Optional<Rate> rate,
    int inFlight,
    List<String> limiters,
    Optional<Retry> retry,
    int attempts,
    int lapses,
    String deadQueue,
    Optional<Breaker> breaker,
    Duration timeToLive,
    String expiredQueue,
    long maxTasks,
    long maxBytes,
    Overflow overflow,
    Order order,
    Duration rememberIds,
    Optional<Pool> pool,
    int weight,
    int rank,
    List<String> groups)
    implements Policies.Rules {
  /** The longest duration of a rule. */
  public static final Duration DURATION_MAX = Duration.ofDays(366);

  /** The largest number of {@link #limiters()}. */
  public static final int LIMITERS_MAX = 4;

  /** The largest number of {@link #groups()}. */
  public static final int GROUPS_MAX = 100;

  private static final int WEIGHT_MAX = 1_024;

  /** What happens to an insert into a full queue. */
  public enum Overflow {
    /** It is refused with {@link EntroQException.ResourceExhausted}. */
    REFUSE,
    /**
     * The oldest ready tasks make room: they go to the dead queue if the policy names one or has a
     * retry, and are deleted otherwise. If there are too few, the insert is refused.
     */
    DROP_OLDEST
  }

  /** Which of the ready tasks of a queue starts next. */
  public enum Order {
    /** Any, older ones preferred. */
    COIN,
    /** The oldest. */
    OLDEST,
    /**
     * The oldest, one at a time: while a task that has started is in the queue, no other starts,
     * not even while it rests after a failure. Needs {@link QueuePolicy#inFlight()} 1.
     */
    STRICT
  }

  /**
   * How fast tasks start: on average {@code limit} in each {@code period}, evenly spaced except for
   * bursts. Each assignment to a claim counts, a repeated one too. Renewals do not.
   *
   * @param limit 1 to 1,000,000; with the period, at most one start per microsecond
   * @param period 1 ms to 1 day
   * @param burst how many may start at once after a quiet time, 1 to 1,000,000
   */
  public record Rate(long limit, Duration period, long burst) {
    private static final Duration PERIOD_MAX = Duration.ofDays(1);
    private static final int COUNT_MAX = 1_000_000;

    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Rate {
      Checks.inRange("limit of the rate", limit, 1, COUNT_MAX);
      Checks.inRange("period of the rate", period, Duration.ofMillis(1), PERIOD_MAX);
      Checks.inRange("burst of the rate", burst, 1, COUNT_MAX);
      if (period.toMillis() * 1_000 < limit) {
        throw new EntroQException.InvalidArgument(
            "rate must be at most one start per microsecond, is %d per %s"
                .formatted(limit, period));
      }
    }

    Rate withBurst(long newBurst) {
      return new Rate(limit, period, newBurst);
    }
  }

  /**
   * How long a failed task rests: {@code base} after the first failure, {@code factor} times as
   * long after each further one up to {@code max}, minus a random part.
   *
   * @param base rest after the first failure, zero to 366 days
   * @param factor 1 to 100, in thousandths
   * @param max longest rest, at least {@code base}, to 366 days
   * @param jitter 0 to 1, in thousandths: the largest share of the rest that is randomly subtracted
   */
  public record Retry(Duration base, double factor, Duration max, double jitter) {
    private static final double FACTOR_DEFAULT = 2;
    private static final double JITTER_DEFAULT = 0.2;
    private static final int FACTOR_MAX = 100;

    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Retry {
      Checks.duration("base of the retry", base);
      Checks.duration("max of the retry", max);
      if (max.compareTo(base) < 0) {
        throw new EntroQException.InvalidArgument(
            "max of the retry must be at least its base (" + base + "), is " + max);
      }
      Checks.decimal("factor of the retry", factor, 1, FACTOR_MAX);
      Checks.decimal("jitter of the retry", jitter, 0, 1);
    }

    /** Doubles the rest with each failure, minus up to 20 %. */
    public static Retry exponential(Duration base, Duration max) {
      return new Retry(base, FACTOR_DEFAULT, max, JITTER_DEFAULT);
    }

    /** Always the same rest, without jitter. */
    public static Retry constant(Duration rest) {
      return new Retry(rest, 1, rest, 0);
    }
  }

  /**
   * Pauses the queue when tasks fail one after the other, as they do when what they call is down.
   *
   * @param failures how many failures in a row, without a success between them; at least 1
   * @param pause for how long, 1 ms to 366 days
   */
  public record Breaker(int failures, Duration pause) {
    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Breaker {
      Checks.inRange("failures of the breaker", failures, 1, Integer.MAX_VALUE);
      Checks.inRange("pause of the breaker", pause, Duration.ofMillis(1), DURATION_MAX);
    }
  }

  /**
   * Makes a queue a pool. Its members are the queue itself and all queues whose names are its name,
   * a slash and one more segment, except {@code err}. A claim of the pool gets a task of a member;
   * the members take turns.
   *
   * @param fairness which member's turn it is
   * @param depth how many levels of members are pools, 1 to 3: with 2, each member has members of
   *     its own, chosen the same way
   * @param inFlight how many tasks of all members may be in flight at once; 0 for no limit
   * @param rate how fast tasks of all members start together
   */
  public record Pool(Fairness fairness, int depth, int inFlight, Optional<Rate> rate) {
    private static final int DEPTH_MAX = 3;

    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Pool {
      Objects.requireNonNull(fairness, "fairness");
      Checks.inRange("depth of the pool", depth, 1, DEPTH_MAX);
      Checks.inRange("inFlight of the pool", inFlight, 0, Integer.MAX_VALUE);
      Objects.requireNonNull(rate, "rate of the pool");
    }

    /** One level of members and no limits. */
    public static Pool of(Fairness fairness) {
      return new Pool(fairness, 1, 0, Optional.empty());
    }

    /** Returns a copy in which so many levels of members are pools. */
    public Pool depth(int levels) {
      return new Pool(fairness, levels, inFlight, rate);
    }

    /** Returns a copy with a limit of tasks in flight in all members together. */
    public Pool inFlight(int max) {
      return new Pool(fairness, depth, max, rate);
    }

    /** Returns a copy that starts at most so many tasks of all members in each period. */
    public Pool rate(long limit, Duration period) {
      return new Pool(fairness, depth, inFlight, Optional.of(new Rate(limit, period, 1)));
    }

    /**
     * Returns a copy that lets so many tasks start at once after a quiet time.
     *
     * @throws EntroQException.InvalidArgument if there is no rate
     */
    public Pool burst(long burst) {
      return new Pool(fairness, depth, inFlight, Optional.of(burstOf(rate, burst)));
    }
  }

  /** Which member of a pool starts the next task. */
  public enum Fairness {
    /**
     * The one with the fewest tasks in flight for its weight; of equals, the one whose turn it is.
     */
    LEAST_IN_FLIGHT,
    /** One after the other, in proportion to their weights. */
    ROUND_ROBIN,
    /** The one with the highest rank; of equals, the one whose turn it is. */
    STRICT_RANK
  }

  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public QueuePolicy {
    Checks.name(isPrefix ? "prefix" : "queue", name);
    Objects.requireNonNull(rate, "rate");
    Checks.inRange("inFlight", inFlight, 0, Integer.MAX_VALUE);
    limiters = List.copyOf(limiters);
    checkLimiters(limiters);
    Objects.requireNonNull(retry, "retry");
    Checks.inRange("attempts", attempts, 0, Integer.MAX_VALUE);
    Checks.inRange("lapses", lapses, 0, Integer.MAX_VALUE);
    checkTarget("deadQueue", deadQueue, name);
    Objects.requireNonNull(breaker, "breaker");
    Checks.duration("timeToLive", timeToLive);
    checkTarget("expiredQueue", expiredQueue, name);
    Checks.inRange("maxTasks", maxTasks, 0, Long.MAX_VALUE);
    Checks.inRange("maxBytes", maxBytes, 0, Long.MAX_VALUE);
    Objects.requireNonNull(overflow, "overflow");
    if (Objects.requireNonNull(order, "order") == Order.STRICT && inFlight != 1) {
      throw new EntroQException.InvalidArgument("STRICT order needs inFlight 1, is " + inFlight);
    }
    Checks.duration("rememberIds", rememberIds);
    Checks.inRange("weight", weight, 1, WEIGHT_MAX);
    Checks.inRange("rank", rank, 0, Integer.MAX_VALUE);
    groups = List.copyOf(groups);
    checkGroups(groups, name);
    if (isPrefix && (pool.isPresent() || !groups.isEmpty())) {
      throw new EntroQException.InvalidArgument(
          "pool and groups need the policy of one queue, is that of a prefix");
    }
    if (pool.isPresent() && !groups.isEmpty()) {
      throw new EntroQException.InvalidArgument("a topic cannot be a pool: groups are " + groups);
    }
  }

  /** A policy of one queue, without any rule yet. */
  public static QueuePolicy of(String queue) {
    return empty(queue, false);
  }

  /** A policy of each queue whose name begins with the prefix, without any rule yet. */
  public static QueuePolicy prefix(String prefix) {
    return empty(prefix, true);
  }

  private static QueuePolicy empty(String name, boolean isPrefix) {
    return new QueuePolicy(
        name,
        isPrefix,
        Optional.empty(),
        0,
        List.of(),
        Optional.empty(),
        0,
        0,
        "",
        Optional.empty(),
        Duration.ZERO,
        "",
        0,
        0,
        Overflow.REFUSE,
        Order.COIN,
        Duration.ZERO,
        Optional.empty(),
        1,
        0,
        List.of());
  }

  @Override
  public Policies.Target target() {
    return isPrefix ? Policies.Target.prefix(name) : Policies.Target.queue(name);
  }

  /** Starts at most so many tasks in each period, one after the other: a burst of 1. */
  public QueuePolicy rate(long limit, Duration period) {
    return with(draft -> draft.rate = Optional.of(new Rate(limit, period, 1)));
  }

  /**
   * Lets so many tasks start at once after a quiet time.
   *
   * @throws EntroQException.InvalidArgument if there is no rate
   */
  public QueuePolicy burst(long burst) {
    Rate withBurst = burstOf(rate, burst);
    return with(draft -> draft.rate = Optional.of(withBurst));
  }

  private static Rate burstOf(Optional<Rate> rate, long burst) {
    return rate.orElseThrow(
            () -> new EntroQException.InvalidArgument("burst " + burst + " needs a rate"))
        .withBurst(burst);
  }

  public QueuePolicy inFlight(int max) {
    return with(draft -> draft.inFlight = max);
  }

  /** Shares these limiters with other queues; they need not exist yet. */
  public QueuePolicy limiters(String... names) {
    return with(draft -> draft.limiters = List.of(names));
  }

  /** {@link #retry(Retry)} with {@link Retry#exponential}. */
  public QueuePolicy retry(Duration base, Duration max) {
    return retry(Retry.exponential(base, max));
  }

  public QueuePolicy retry(Retry newRetry) {
    return with(draft -> draft.retry = Optional.of(newRetry));
  }

  public QueuePolicy attempts(int max) {
    return with(draft -> draft.attempts = max);
  }

  public QueuePolicy lapses(int max) {
    return with(draft -> draft.lapses = max);
  }

  public QueuePolicy deadQueue(String queue) {
    return with(draft -> draft.deadQueue = queue);
  }

  /** Pauses the queue after so many failures in a row. */
  public QueuePolicy breaker(int failures, Duration pause) {
    return with(draft -> draft.breaker = Optional.of(new Breaker(failures, pause)));
  }

  public QueuePolicy timeToLive(Duration time) {
    return with(draft -> draft.timeToLive = time);
  }

  public QueuePolicy expiredQueue(String queue) {
    return with(draft -> draft.expiredQueue = queue);
  }

  public QueuePolicy maxTasks(long tasks) {
    return with(draft -> draft.maxTasks = tasks);
  }

  public QueuePolicy maxBytes(long bytes) {
    return with(draft -> draft.maxBytes = bytes);
  }

  public QueuePolicy overflow(Overflow newOverflow) {
    return with(draft -> draft.overflow = newOverflow);
  }

  /** Sets the order; {@link Order#STRICT} sets {@link #inFlight()} to 1, too. */
  public QueuePolicy order(Order newOrder) {
    return with(
        draft -> {
          draft.order = newOrder;
          draft.inFlight = newOrder == Order.STRICT ? 1 : draft.inFlight;
        });
  }

  public QueuePolicy rememberIds(Duration time) {
    return with(draft -> draft.rememberIds = time);
  }

  /** {@link #pool(Pool)} with {@link Pool#of}. */
  public QueuePolicy pool(Fairness fairness) {
    return pool(Pool.of(fairness));
  }

  public QueuePolicy pool(Pool newPool) {
    return with(draft -> draft.pool = Optional.of(newPool));
  }

  public QueuePolicy weight(int newWeight) {
    return with(draft -> draft.weight = newWeight);
  }

  public QueuePolicy rank(int newRank) {
    return with(draft -> draft.rank = newRank);
  }

  /**
   * Makes the queue a topic: an insert makes one task in the queue of each group, which is named as
   * the topic, a slash and the group. Each has its own leases, retries and policy.
   */
  public QueuePolicy groups(String... names) {
    return with(draft -> draft.groups = List.of(names));
  }

  private QueuePolicy with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.build();
  }

  private static void checkLimiters(List<String> limiters) {
    Checks.inRange("number of limiters", limiters.size(), 0, LIMITERS_MAX);
    limiters.forEach(limiter -> Checks.name("limiter", limiter));
    if (new HashSet<>(limiters).size() < limiters.size()) {
      throw new EntroQException.InvalidArgument("limiters must differ, are " + limiters);
    }
  }

  private static void checkGroups(List<String> groups, String name) {
    Checks.inRange("number of groups", groups.size(), 0, GROUPS_MAX);
    for (String group : groups) {
      if (group.isEmpty() || group.equals("err") || group.indexOf('/') >= 0) {
        throw new EntroQException.InvalidArgument(
            "a group must be a name without a slash, and not err, is '" + group + "'");
      }
      Checks.name("queue of the group", name + "/" + group);
    }
    if (new HashSet<>(groups).size() < groups.size()) {
      throw new EntroQException.InvalidArgument("groups must differ, are " + groups);
    }
  }

  private static void checkTarget(String what, String queue, String name) {
    if (!queue.isEmpty()) {
      Checks.name(what, queue);
    }
    if (queue.equals(name)) {
      throw new EntroQException.InvalidArgument(
          what + " must be another name than the policy's own, is " + queue);
    }
  }

  /** The components of a policy, to be changed. */
  private static final class Draft {
    final QueuePolicy origin;
    Optional<Rate> rate;
    int inFlight;
    List<String> limiters;
    Optional<Retry> retry;
    int attempts;
    int lapses;
    String deadQueue;
    Optional<Breaker> breaker;
    Duration timeToLive;
    String expiredQueue;
    long maxTasks;
    long maxBytes;
    Overflow overflow;
    Order order;
    Duration rememberIds;
    Optional<Pool> pool;
    int weight;
    int rank;
    List<String> groups;

    Draft(QueuePolicy policy) {
      origin = policy;
      rate = policy.rate;
      inFlight = policy.inFlight;
      limiters = policy.limiters;
      retry = policy.retry;
      attempts = policy.attempts;
      lapses = policy.lapses;
      deadQueue = policy.deadQueue;
      breaker = policy.breaker;
      timeToLive = policy.timeToLive;
      expiredQueue = policy.expiredQueue;
      maxTasks = policy.maxTasks;
      maxBytes = policy.maxBytes;
      overflow = policy.overflow;
      order = policy.order;
      rememberIds = policy.rememberIds;
      pool = policy.pool;
      weight = policy.weight;
      rank = policy.rank;
      groups = policy.groups;
    }

    QueuePolicy build() {
      return new QueuePolicy(
          origin.name,
          origin.isPrefix,
          rate,
          inFlight,
          limiters,
          retry,
          attempts,
          lapses,
          deadQueue,
          breaker,
          timeToLive,
          expiredQueue,
          maxTasks,
          maxBytes,
          overflow,
          order,
          rememberIds,
          pool,
          weight,
          rank,
          groups);
    }
  }
}
