package io.entroq.simulator.policy;

import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.Hashes;
import io.entroq.simulator.undo.KeyTable;
import io.entroq.simulator.undo.NameTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Policies and limiters by kind and name. Everything is found by looking at all of them, so there
 * is no index that could be wrong.
 */
public final class PolicyTable {
  /** A pause until it is resumed. */
  public static final long ENDLESS = Long.MAX_VALUE;

  // The cells of a policy. The first two are its key.
  public static final int KIND = 0;
  public static final int NAME = 1;
  public static final int HAS_RULES = 2;
  public static final int VERSION = 3;
  public static final int PAUSED_UNTIL_MS = 4;

  // Its rules, in the order of their numbers.
  public static final int RATE_LIMIT = 5;
  public static final int RATE_PERIOD_MS = 6;
  public static final int RATE_BURST = 7;
  public static final int IN_FLIGHT_MAX = 8;
  private static final int LIMITER_COUNT = 9;
  private static final int FIRST_LIMITER = 10;
  public static final int LIMITERS_MAX = 4;
  public static final int RETRY_BASE_MS = 14;
  public static final int RETRY_FACTOR_MILLI = 15;
  public static final int RETRY_MAX_MS = 16;
  public static final int RETRY_JITTER_MILLI = 17;
  public static final int ATTEMPTS_MAX = 18;
  public static final int LAPSES_MAX = 19;
  private static final int DEAD_QUEUE = 20;
  public static final int BREAKER_FAILURES = 21;
  public static final int BREAKER_PAUSE_MS = 22;
  public static final int TTL_MS = 23;
  private static final int EXPIRED_QUEUE = 24;
  public static final int TASKS_MAX = 25;
  public static final int BYTES_MAX = 26;
  public static final int OVERFLOW = 27;
  public static final int ORDER = 28;
  public static final int REMEMBER_IDS_MS = 29;

  public static final int FAIR = 30;
  public static final int POOL_DEPTH = 31;
  private static final int POOL_IN_FLIGHT_MAX = 32;
  private static final int POOL_RATE_LIMIT = 33;
  private static final int POOL_RATE_PERIOD_MS = 34;
  private static final int POOL_RATE_BURST = 35;
  private static final int WEIGHT = 36;
  private static final int RANK = 37;

  /** One name for the list of groups: their names, with slashes between them. */
  public static final int GROUPS = 38;

  /** How many of the cells a report shows. */
  public static final int REPORTED_CELLS = 39;

  // What a limiter has besides.
  private static final int CLOCK_US = 39;

  /** The block that counts tasks in flight, which outlives the limiter. */
  private static final int COUNTER = 40;

  private static final int CELL_COUNT = 41;

  // A counter: the key of its limiter, and the number.
  private static final int COUNT = 2;
  private static final int COUNTER_CELLS = 3;

  private static final int NAME_BYTES_MAX = 1_024;

  /** Tasks that would die so often move in a circle. */
  private static final int DEAD_QUEUES_MAX = 64;

  private static final String DEAD_SUFFIX = "/err";

  private final Cells cells;
  private final KeyTable byName;
  private final int epoch;

  /** How many policies make their queues pools, and topics. */
  private final int pools;

  private final int topics;
  private final KeyTable counters;

  /** Names of policies, and of the queues that they name. Never forgotten. */
  private final NameTable names = new NameTable();

  private final UnsafeBuffer text = new UnsafeBuffer(new byte[0]);

  public PolicyTable(Cells cells) {
    this.cells = cells;
    byName = new KeyTable(cells);
    counters = new KeyTable(cells);
    epoch = cells.allocateCleared(3);
    pools = epoch + 1;
    topics = epoch + 2;
  }

  /** How many policies and limiters there are, with those that are only paused. */
  public int size() {
    return byName.size();
  }

  /** How many there are of a kind, or of the two kinds for queues. */
  public int count(boolean areLimiters) {
    int count = 0;
    for (int place = 0; place < byName.places(); place++) {
      int policy = byName.at(place);
      boolean isLimiter = policy != Cells.NONE && cells.get(policy) == PolicyKinds.LIMITER;
      count += policy != Cells.NONE && isLimiter == areLimiters ? 1 : 0;
    }
    return count;
  }

  /** The bound of the index of {@link #at}. */
  public int places() {
    return byName.places();
  }

  public int at(int place) {
    return byName.at(place);
  }

  /** Rises with every write; whoever has resolved a queue before must do it again. */
  public long epoch() {
    return cells.get(epoch);
  }

  public int name(DirectBuffer buffer, int offset, int length) {
    return length == 0 ? 0 : names.number(buffer, offset, length);
  }

  /** The number of a name; it keeps it forever. 0 if it is empty. */
  int name(byte[] name) {
    text.wrap(name);
    return name(text, 0, name.length);
  }

  public int find(int kind, int name) {
    return byName.find(kind, name);
  }

  public String describe(int kind, int name) {
    String of =
        kind == PolicyKinds.QUEUE ? "" : kind == PolicyKinds.PREFIX ? "prefix " : "limiter ";
    return of + names.text(name);
  }

  public byte[] nameOf(int policy) {
    return textOf(cells.ref(policy + NAME));
  }

  /** A name by its number. */
  public byte[] textOf(int name) {
    return names.bytes(name);
  }

  // Writes.

  /** Creates a policy or replaces its rules; its pause stays. Returns it. */
  public int put(PolicyDecoder rules, DirectBuffer buffer) {
    int policy = created(rules.kind(), name(buffer, rules.nameOffset(), rules.nameLength()));
    long[] words = new long[REPORTED_CELLS];
    read(rules, buffer, words);
    cells.set(policy + HAS_RULES, 1);
    countRules(policy, -1);
    for (int cell = RATE_LIMIT; cell < REPORTED_CELLS; cell++) {
      cells.set(policy + cell, words[cell]);
    }
    countRules(policy, 1);
    return policy;
  }

  /** Pauses until a time; 0 resumes. Returns the policy, or {@link Cells#NONE} if it is gone. */
  public int pause(int kind, int name, long untilMs) {
    int policy = created(kind, name);
    cells.set(policy + PAUSED_UNTIL_MS, untilMs);
    if (untilMs == 0 && cells.get(policy + HAS_RULES) == 0) {
      remove(policy);
      return Cells.NONE;
    }
    return policy;
  }

  private int created(int kind, int name) {
    int policy = find(kind, name);
    if (policy == Cells.NONE) {
      policy = cells.allocateCleared(CELL_COUNT);
      cells.set(policy + KIND, kind);
      cells.set(policy + NAME, name);
      cells.set(policy + COUNTER, kind == PolicyKinds.LIMITER ? counter(name) : Cells.NONE);
      byName.add(policy);
    }
    cells.add(policy + VERSION, 1);
    cells.add(epoch, 1);
    return policy;
  }

  private int counter(int name) {
    int counter = counters.find(PolicyKinds.LIMITER, name);
    if (counter == Cells.NONE) {
      counter = cells.allocateCleared(COUNTER_CELLS);
      cells.set(counter, PolicyKinds.LIMITER);
      cells.set(counter + 1, name);
      counters.add(counter);
    }
    return counter;
  }

  private void countRules(int policy, int delta) {
    cells.add(pools, cells.get(policy + FAIR) != 0 ? delta : 0);
    cells.add(topics, cells.get(policy + GROUPS) != 0 ? delta : 0);
  }

  /** Removes rules and pause. */
  public void remove(int policy) {
    countRules(policy, -1);
    byName.remove(policy);
    cells.free(policy, CELL_COUNT);
    cells.add(epoch, 1);
  }

  /** Removes what consists of a pause only that has ended. */
  public void removeEnded(long nowMs) {
    for (int place = 0; place < byName.places(); place++) {
      int policy = byName.at(place);
      if (policy != Cells.NONE
          && cells.get(policy + HAS_RULES) == 0
          && cells.get(policy + PAUSED_UNTIL_MS) <= nowMs) {
        remove(policy);
        place = -1;
      }
    }
  }

  /** Reads what a message says, into cells as those of a policy: key and rules. */
  public void read(PolicyDecoder rules, DirectBuffer buffer, long[] words) {
    Arrays.fill(words, 0, REPORTED_CELLS, 0);
    words[KIND] = rules.kind();
    words[NAME] = name(buffer, rules.nameOffset(), rules.nameLength());
    words[RATE_LIMIT] = rules.rateLimit();
    words[RATE_PERIOD_MS] = rules.ratePeriodMs();
    words[RATE_BURST] = rules.rateBurst();
    words[IN_FLIGHT_MAX] = rules.inFlightMax();
    words[LIMITER_COUNT] = rules.limiterCount();
    for (int i = 0; i < rules.limiterCount(); i++) {
      words[FIRST_LIMITER + i] = name(buffer, rules.limiterOffset(i), rules.limiterLength(i));
    }
    words[RETRY_BASE_MS] = rules.retryBaseMs();
    words[RETRY_FACTOR_MILLI] = rules.retryFactorMilli();
    words[RETRY_MAX_MS] = rules.retryMaxMs();
    words[RETRY_JITTER_MILLI] = rules.retryJitterMilli();
    words[ATTEMPTS_MAX] = rules.attemptsMax();
    words[LAPSES_MAX] = rules.lapsesMax();
    words[DEAD_QUEUE] = name(buffer, rules.deadQueueOffset(), rules.deadQueueLength());
    words[BREAKER_FAILURES] = rules.breakerFailures();
    words[BREAKER_PAUSE_MS] = rules.breakerPauseMs();
    words[TTL_MS] = rules.ttlMs();
    words[EXPIRED_QUEUE] = name(buffer, rules.expiredQueueOffset(), rules.expiredQueueLength());
    words[TASKS_MAX] = rules.tasksMax();
    words[BYTES_MAX] = rules.bytesMax();
    words[OVERFLOW] = rules.overflow();
    words[ORDER] = rules.order();
    words[REMEMBER_IDS_MS] = rules.rememberIdsMs();
    words[FAIR] = rules.fair();
    words[POOL_DEPTH] = rules.poolDepth();
    words[POOL_IN_FLIGHT_MAX] = rules.poolInFlightMax();
    words[POOL_RATE_LIMIT] = rules.poolRateLimit();
    words[POOL_RATE_PERIOD_MS] = rules.poolRatePeriodMs();
    words[POOL_RATE_BURST] = rules.poolRateBurst();
    words[WEIGHT] = rules.weight();
    words[RANK] = rules.rank();
    words[GROUPS] = groups(rules, buffer);
  }

  private int groups(PolicyDecoder rules, DirectBuffer buffer) {
    StringJoiner joined = new StringJoiner("/");
    for (int i = 0; i < rules.groupCount(); i++) {
      byte[] group = new byte[rules.groupLength(i)];
      buffer.getBytes(rules.groupOffset(i), group);
      joined.add(new String(group, StandardCharsets.UTF_8));
    }
    byte[] list = joined.toString().getBytes(StandardCharsets.UTF_8);
    text.wrap(list);
    return name(text, 0, list.length);
  }

  // Which apply to a queue.

  /** The policy whose rules a queue has: of its name, else of the longest prefix. */
  public int rulesOf(byte[] queue) {
    int found = find(PolicyKinds.QUEUE, name(queue));
    if (found != Cells.NONE && cells.get(found + HAS_RULES) != 0) {
      return found;
    }
    found = Cells.NONE;
    for (int place = 0; place < byName.places(); place++) {
      int policy = byName.at(place);
      if (policy != Cells.NONE
          && cells.get(policy + HAS_RULES) != 0
          && isPrefixOf(policy, queue)
          && (found == Cells.NONE || nameOf(policy).length > nameOf(found).length)) {
        found = policy;
      }
    }
    return found;
  }

  /** Until when a queue is paused: the latest end of all pauses that apply; 0: it is not. */
  public long pausedUntilMs(byte[] queue) {
    int exact = find(PolicyKinds.QUEUE, name(queue));
    long untilMs = exact == Cells.NONE ? 0 : cells.get(exact + PAUSED_UNTIL_MS);
    for (int place = 0; place < byName.places(); place++) {
      int policy = byName.at(place);
      if (policy != Cells.NONE && isPrefixOf(policy, queue)) {
        untilMs = Math.max(untilMs, cells.get(policy + PAUSED_UNTIL_MS));
      }
    }
    return untilMs;
  }

  /** Whether a policy is for all queues with a prefix and applies to one. */
  private boolean isPrefixOf(int policy, byte[] queue) {
    if (cells.get(policy + KIND) != PolicyKinds.PREFIX) {
      return false;
    }
    byte[] prefix = nameOf(policy);
    int queueName = name(queue);
    return queue.length >= prefix.length
        && Arrays.equals(prefix, 0, prefix.length, queue, 0, prefix.length)
        && !isDeadQueue(queue)
        && cells.get(policy + DEAD_QUEUE) != queueName
        && cells.get(policy + EXPIRED_QUEUE) != queueName;
  }

  private static boolean isDeadQueue(byte[] queue) {
    return new String(queue, StandardCharsets.UTF_8).endsWith(DEAD_SUFFIX);
  }

  /** Whether a policy, or at least a pause, has the exact name of a queue. */
  public boolean hasOwn(byte[] queue) {
    return size() > 0 && find(PolicyKinds.QUEUE, name(queue)) != Cells.NONE;
  }

  /** The limiter at an index from 0 to below {@link #LIMITERS_MAX}, or {@link Cells#NONE}. */
  public int limiter(int policy, int index) {
    return index < cells.ref(policy + LIMITER_COUNT)
        ? find(PolicyKinds.LIMITER, cells.ref(policy + FIRST_LIMITER + index))
        : Cells.NONE;
  }

  // Rules.

  public boolean hasRetry(int policy) {
    boolean has = false;
    for (int cell = RETRY_BASE_MS; cell <= ATTEMPTS_MAX; cell++) {
      has |= cells.get(policy + cell) != 0;
    }
    return has;
  }

  /** How long a task may rest after a failure. */
  public RestRange rest(int policy, int attempt) {
    return RestRange.of(
        cells.get(policy + RETRY_BASE_MS),
        cells.get(policy + RETRY_FACTOR_MILLI),
        cells.get(policy + RETRY_MAX_MS),
        cells.get(policy + RETRY_JITTER_MILLI),
        attempt);
  }

  /** The name of the dead queue that a policy names; null if it names none. */
  public byte[] namedDeadQueue(int policy) {
    int name = cells.ref(policy + DEAD_QUEUE);
    return name == 0 ? null : names.bytes(name);
  }

  /** The name of the queue for dead tasks of a queue. */
  public byte[] deadQueue(int policy, byte[] queue) {
    byte[] named = policy == Cells.NONE ? null : namedDeadQueue(policy);
    if (named != null) {
      return named;
    }
    byte[] suffix = DEAD_SUFFIX.getBytes(StandardCharsets.UTF_8);
    byte[] name = Arrays.copyOf(queue, queue.length + suffix.length);
    System.arraycopy(suffix, 0, name, queue.length, suffix.length);
    return name;
  }

  /** The name of the queue for expired tasks; null if they are deleted. */
  public byte[] expiredQueue(int policy) {
    int name = policy == Cells.NONE ? 0 : cells.ref(policy + EXPIRED_QUEUE);
    return name == 0 ? null : names.bytes(name);
  }

  /** Whether a number in flight matters: it, or what happens as leases end, must be exact. */
  public boolean isCounting(int policy) {
    boolean counts = cells.get(policy + IN_FLIGHT_MAX) != 0 || cells.get(policy + LAPSES_MAX) != 0;
    for (int i = 0; i < LIMITERS_MAX; i++) {
      int limiter = limiter(policy, i);
      counts |= limiter != Cells.NONE && cells.get(limiter + IN_FLIGHT_MAX) != 0;
    }
    return counts;
  }

  // Rates, of a limiter or of a queue with its own clock.

  public boolean hasRate(int policy) {
    return cells.get(policy + RATE_LIMIT) != 0;
  }

  /** The first millisecond that permits a start. */
  public long opensAtMs(int policy, long clockUs) {
    return hasRate(policy)
        ? StartRate.opensAtMs(clockUs, intervalUs(policy), cells.get(policy + RATE_BURST))
        : Long.MIN_VALUE;
  }

  /** The clock after a start. */
  public long started(int policy, long clockUs, long nowMs) {
    return hasRate(policy) ? StartRate.started(clockUs, intervalUs(policy), nowMs) : clockUs;
  }

  /**
   * When a start happens if each of those before it happens as soon as it may; 0 if that is never.
   *
   * @param fromMs when the first may happen, for other reasons
   */
  public long startAfterMs(int policy, long clockUs, int before, long fromMs) {
    long clock = clockUs;
    long startMs = Math.max(fromMs, opensAtMs(policy, clock));
    for (int i = 0; i < before && startMs <= StartRate.LAST_MS; i++) {
      clock = started(policy, clock, startMs);
      startMs = Math.max(startMs, opensAtMs(policy, clock));
    }
    return startMs > StartRate.LAST_MS ? 0 : startMs;
  }

  public long intervalUs(int policy) {
    return StartRate.intervalUs(cells.get(policy + RATE_LIMIT), cells.get(policy + RATE_PERIOD_MS));
  }

  /** How many tasks may start now, by rate and number in flight; only if any may. */
  public long startsNow(int policy, long clockUs, long inFlight, long nowMs) {
    long max = cells.get(policy + IN_FLIGHT_MAX);
    long starts = max == 0 ? Long.MAX_VALUE : max - inFlight;
    if (hasRate(policy)) {
      long burst = cells.get(policy + RATE_BURST);
      starts = Math.min(starts, StartRate.startsAt(clockUs, intervalUs(policy), burst, nowMs));
    }
    return starts;
  }

  /** As above, of a limiter. */
  public long startsNow(int limiter, long inFlight, long nowMs) {
    return startsNow(limiter, cells.get(limiter + CLOCK_US), inFlight, nowMs);
  }

  public long limiterOpensAtMs(int limiter) {
    return opensAtMs(limiter, cells.get(limiter + CLOCK_US));
  }

  public void limiterStarted(int limiter, long nowMs) {
    cells.set(limiter + CLOCK_US, started(limiter, cells.get(limiter + CLOCK_US), nowMs));
  }

  // Pools and topics.

  /** Whether any queue is a pool. */
  public boolean hasPools() {
    return cells.get(pools) > 0;
  }

  public boolean hasTopics() {
    return cells.get(topics) > 0;
  }

  /** The policy of the exact name of a queue, which may be a pause only; or {@link Cells#NONE}. */
  int exact(byte[] queue) {
    return find(PolicyKinds.QUEUE, name(queue));
  }

  /** The names of the groups of a topic, in order; empty if the queue is none. */
  public List<String> groups(byte[] queue) {
    int policy = hasTopics() ? exact(queue) : Cells.NONE;
    int list = policy == Cells.NONE ? 0 : cells.ref(policy + GROUPS);
    return list == 0 ? List.of() : List.of(names.text(list).split("/"));
  }

  /** The share of a member of a pool. */
  long weight(byte[] member) {
    int policy = rulesOf(member);
    return policy == Cells.NONE ? 1 : Math.max(1, cells.get(policy + WEIGHT));
  }

  long rank(byte[] member) {
    int policy = rulesOf(member);
    return policy == Cells.NONE ? 0 : cells.get(policy + RANK);
  }

  /** The first millisecond at which the rate of a pool permits a start. */
  long poolOpensAtMs(int policy, long clockUs) {
    return cells.get(policy + POOL_RATE_LIMIT) == 0
        ? Long.MIN_VALUE
        : StartRate.opensAtMs(clockUs, poolIntervalUs(policy), cells.get(policy + POOL_RATE_BURST));
  }

  /** The clock of a pool after a start. */
  long poolStarted(int policy, long clockUs, long nowMs) {
    return cells.get(policy + POOL_RATE_LIMIT) == 0
        ? clockUs
        : StartRate.started(clockUs, poolIntervalUs(policy), nowMs);
  }

  private long poolIntervalUs(int policy) {
    return StartRate.intervalUs(
        cells.get(policy + POOL_RATE_LIMIT), cells.get(policy + POOL_RATE_PERIOD_MS));
  }

  boolean isPoolFull(int policy, long inFlight) {
    long max = cells.get(policy + POOL_IN_FLIGHT_MAX);
    return max != 0 && inFlight >= max;
  }

  // Numbers in flight.

  /** Whether no more may start, by the number in flight. */
  public boolean isFull(int policy, long inFlight) {
    long max = cells.get(policy + IN_FLIGHT_MAX);
    return max != 0 && inFlight >= max;
  }

  /** Of a limiter; 0 of another policy. */
  public long inFlight(int limiter) {
    int counter = cells.ref(limiter + COUNTER);
    return counter == Cells.NONE ? 0 : cells.get(counter + COUNT);
  }

  /** The counter of a limiter, which counts on when the limiter is gone and may come back. */
  public int counterOf(int limiter) {
    return cells.ref(limiter + COUNTER);
  }

  public void addInFlight(int counter, long delta) {
    cells.add(counter + COUNT, delta);
  }

  // Dead queues in a circle.

  /** Whether tasks that die again and again would move on without an end. */
  public boolean isInCircle(int policy) {
    boolean isExact = cells.get(policy + KIND) == PolicyKinds.QUEUE;
    byte[] queue = isExact ? next(policy, nameOf(policy)) : namedDeadQueue(policy);
    for (int steps = 0; queue != null && steps < DEAD_QUEUES_MAX; steps++) {
      int rules = rulesOf(queue);
      queue = rules == Cells.NONE ? null : next(rules, queue);
    }
    return queue != null;
  }

  /** Where dead tasks of a queue go; null if none die, or they stay. */
  private byte[] next(int policy, byte[] queue) {
    boolean kills =
        cells.get(policy + DEAD_QUEUE) != 0
            || cells.get(policy + ATTEMPTS_MAX) != 0
            || cells.get(policy + LAPSES_MAX) != 0;
    byte[] next = deadQueue(policy, queue);
    return kills && next.length <= NAME_BYTES_MAX ? next : null;
  }

  /** The hash of a name, as answers are compared. */
  public static long hash(byte[] name) {
    return Hashes.bytes(new UnsafeBuffer(name), 0, name.length);
  }
}
