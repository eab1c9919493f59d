package io.entroq.simulator.policy;

import io.entroq.codec.message.Fairs;
import io.entroq.engine.memory.Mix;
import io.entroq.simulator.coverage.Rule;
import io.entroq.simulator.coverage.RuleCounts;
import io.entroq.simulator.undo.Cells;
import io.entroq.simulator.undo.KeyTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;
import org.agrona.collections.IntArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pools of queues: what their limits permit, and which of their members comes next. Everything is
 * found by looking at all members.
 *
 * <p>How much a member has started, for its weight, is its virtual time. Whether a pool has chosen
 * a member or the claim, which names both, is a matter of chance and does not show. So virtual
 * times are ranges, and the choices that follow make them narrower.
 */
public final class Pools {
  /** The virtual time of one start of a member with weight 1. */
  private static final long START = 1 << 20;

  /** Later than any virtual time. */
  private static final long FAR = Long.MAX_VALUE / 2;

  // A member with work: its key, then the number of its pool, and the range of its virtual time.
  private static final int ABOVE = 2;
  private static final int LOW = 3;
  private static final int HIGH = 4;
  private static final int MEMBER_CELLS = 5;

  private static final IntArrayList EMPTY = new IntArrayList();

  /** The second half of the keys of queues, of pools as members, and of pools as such. */
  private static final int LEAF = 0;

  private static final int POOL = 1;
  private static final int CLOCK = 2;

  /** What a pool may forbid. */
  public enum Obstacle {
    NONE,
    PAUSED,
    RATE,
    IN_FLIGHT
  }

  /** What pools know of queues. */
  public interface Leaves {
    /** Changes as queues come and go. */
    long changes();

    void forEachQueue(IntConsumer each);

    byte[] nameBytes(int queue);

    /** Whether the queue has a task to start and its own rules permit it, but for limiters. */
    boolean isOpen(int queue, long ms);

    /** Whether a limiter keeps the queue from starting one. */
    boolean isLimiterClosed(int queue, long ms);

    long inFlight(int queue);

    /** The clock of the rate that the queue has as a pool, whatever policies it has had. */
    long poolClockUs(int queue);

    void setPoolClockUs(int queue, long clockUs);

    /** Tells when rates, pauses and limiters permit a start; also times that have passed. */
    void forEachChange(int queue, LongConsumer each);
  }

  /** A queue or a pool, as a member. */
  private static final class Node {
    final byte[] name;
    final long hash;
    final int number;
    final int kind;
    final int queue;
    Node above;

    /** Of a pool, its own queue as a member; null if no command has named that. */
    Node own;

    int fair;
    int policy;
    long weight;
    long rank;
    final List<Node> members = new ArrayList<>();

    // As of the last look.
    long inFlight;
    boolean isOpen;
    boolean mayStart;
    Obstacle obstacle;

    Node(byte[] name, int number, int kind, int queue) {
      this.name = name;
      this.hash = Mix.bytes(new UnsafeBuffer(name), 0, name.length);
      this.number = number;
      this.kind = kind;
      this.queue = queue;
    }

    @Override
    public String toString() {
      return new String(name, StandardCharsets.UTF_8);
    }
  }

  /** Names a state of all cells. */
  private record State(long point, long rewinds) {}

  private record Shape(long epoch, long rewinds, long changes) {}

  private final Cells cells;
  private final PolicyTable policies;
  private final PoolShape shapes;
  private final Leaves leaves;
  private final KeyTable members;
  private final KeyTable clocks;

  /** The order of members that are equal otherwise. */
  private final Comparator<Node> comparator =
      Comparator.comparingLong((Node node) -> node.hash)
          .thenComparing((a, b) -> Arrays.compareUnsigned(a.name, b.name));

  private Shape shape;
  private final Map<Integer, Node> byQueue = new HashMap<>();
  private final Map<String, Node> byName = new HashMap<>();
  private IntArrayList memberQueues = EMPTY;

  /** From the bottom up. */
  private final List<Node> pools = new ArrayList<>();

  private RuleCounts rules = new RuleCounts();
  private State looked;
  private long lookedMs;
  private State foreseen;
  private long foreseenMs;

  public Pools(Cells cells, PolicyTable policies, Leaves leaves) {
    this.cells = cells;
    this.policies = policies;
    this.shapes = new PoolShape(cells, policies);
    this.leaves = leaves;
    members = new KeyTable(cells);
    clocks = new KeyTable(cells);
  }

  /** Counts what pools decide. */
  public void countIn(RuleCounts counts) {
    rules = counts;
  }

  // Shape.

  private void shape() {
    Shape now = new Shape(policies.epoch(), cells.rewinds(), leaves.changes());
    if (!now.equals(shape)) {
      shape = now;
      looked = null;
      byQueue.clear();
      byName.clear();
      pools.clear();
      if (policies.hasPools()) {
        leaves.forEachQueue(this::add);
      }
      pools.sort(Comparator.comparingInt((Node pool) -> pool.name.length).reversed());
      memberQueues = new IntArrayList();
      byQueue.keySet().stream().sorted().forEach(memberQueues::addInt);
    }
  }

  private void add(int queue) {
    byte[] name = leaves.nameBytes(queue);
    byte[] above = shapes.depth(name) > 0 ? name : shapes.poolAbove(name);
    if (above != null) {
      Node leaf = new Node(name, policies.name(name), LEAF, queue);
      byQueue.put(queue, leaf);
      join(leaf, above);
      if (leaf.above.number == leaf.number) {
        leaf.above.own = leaf;
      }
    }
  }

  private void join(Node member, byte[] above) {
    member.weight = policies.weight(member.name);
    member.rank = policies.rank(member.name);
    member.above = pool(above);
    member.above.members.add(member);
  }

  private Node pool(byte[] name) {
    String text = text(name);
    Node pool = byName.get(text);
    if (pool == null) {
      pool = new Node(name, policies.name(name), POOL, Cells.NONE);
      pool.fair = shapes.fair(name);
      pool.policy = policies.exact(name);
      byName.put(text, pool);
      pools.add(pool);
      byte[] above = shapes.poolAbove(name);
      if (above != null) {
        join(pool, above);
      }
    }
    return pool;
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  /** Whether there are any pools. */
  public boolean isUsed() {
    return policies.hasPools() || members.size() > 0;
  }

  /** Whether a queue is a member of a pool, or is one. */
  public boolean isMember(int queue) {
    if (!isUsed()) {
      return false;
    }
    shape();
    return byQueue.containsKey(queue);
  }

  /** Whether a queue is a pool, and some queue below it besides itself fulfils a condition. */
  public boolean isAboveAny(int queue, IntPredicate condition) {
    if (!isMember(queue)) {
      return false;
    }
    Node leaf = byQueue.get(queue);
    return leaf.above.own == leaf && isAboveAny(leaf.above, leaf, condition);
  }

  private static boolean isAboveAny(Node pool, Node except, IntPredicate condition) {
    for (Node member : pool.members) {
      boolean isAny =
          member.kind == LEAF
              ? member != except && condition.test(member.queue)
              : isAboveAny(member, null, condition);
      if (isAny) {
        return true;
      }
    }
    return false;
  }

  /** All members that are queues, now; not to be changed. */
  public IntArrayList members() {
    if (!isUsed()) {
      return EMPTY;
    }
    shape();
    return memberQueues;
  }

  // What is permitted.

  private void look(long ms) {
    shape();
    State now = new State(cells.point(), cells.rewinds());
    if (now.equals(looked) && lookedMs == ms) {
      return;
    }
    for (Node leaf : byQueue.values()) {
      leaf.inFlight = leaves.inFlight(leaf.queue);
      leaf.isOpen = leaves.isOpen(leaf.queue, ms);
      leaf.mayStart = leaf.isOpen && !leaves.isLimiterClosed(leaf.queue, ms);
      rules.countIf(leaf.isOpen && !leaf.mayStart, Rule.MEMBER_LIMITER_CLOSED);
    }
    for (Node pool : pools) {
      pool.inFlight = 0;
      pool.mayStart = false;
      for (Node member : pool.members) {
        pool.inFlight += member.inFlight;
        pool.mayStart |= member.mayStart;
      }
      pool.obstacle = obstacle(pool, ms);
      countObstacle(pool);
      pool.mayStart &= pool.obstacle == Obstacle.NONE;
      pool.isOpen = pool.mayStart;
    }
    // Looking may have resolved policies.
    looked = new State(cells.point(), cells.rewinds());
    lookedMs = ms;
  }

  private void countObstacle(Node pool) {
    if (pool.mayStart && pool.obstacle != Obstacle.NONE) {
      boolean isNested = pool.above != null;
      rules.count(
          switch (pool.obstacle) {
            case PAUSED -> isNested ? Rule.NESTED_POOL_PAUSED : Rule.POOL_PAUSED;
            case RATE -> isNested ? Rule.NESTED_POOL_RATE_CLOSED : Rule.POOL_RATE_CLOSED;
            default -> isNested ? Rule.NESTED_POOL_FULL : Rule.POOL_FULL;
          });
    }
  }

  private Obstacle obstacle(Node pool, long ms) {
    if (pool.policy == Cells.NONE) {
      return Obstacle.NONE;
    }
    if (cells.get(pool.policy + PolicyTable.PAUSED_UNTIL_MS) > ms) {
      return Obstacle.PAUSED;
    }
    if (opensAtMs(pool) > ms) {
      return Obstacle.RATE;
    }
    return policies.isPoolFull(pool.policy, pool.inFlight) ? Obstacle.IN_FLIGHT : Obstacle.NONE;
  }

  /** A pool with a policy has a queue of its name: a put names it. */
  private long opensAtMs(Node pool) {
    return policies.poolOpensAtMs(pool.policy, leaves.poolClockUs(pool.own.queue));
  }

  private void startedIn(Node pool, long ms) {
    long clockUs = leaves.poolClockUs(pool.own.queue);
    leaves.setPoolClockUs(pool.own.queue, policies.poolStarted(pool.policy, clockUs, ms));
  }

  /** Whether a queue is a pool. */
  public boolean isPool(int queue) {
    return isMember(queue) && byQueue.get(queue).above.own == byQueue.get(queue);
  }

  /** The queue as a claim names it: a pool if it is one. */
  private Node named(int queue) {
    Node leaf = byQueue.get(queue);
    return leaf.above.own == leaf ? leaf.above : leaf;
  }

  /** Whether a claim that names a member or a pool can start a task. */
  public boolean mayStart(int queue, long ms) {
    look(ms);
    boolean may = true;
    for (Node node = named(queue); node != null; node = node.above) {
      may &= node.mayStart;
    }
    return may;
  }

  /** What a pool above a member forbids. */
  public Obstacle obstacle(int queue, long ms) {
    look(ms);
    for (Node pool = byQueue.get(queue).above; pool != null; pool = pool.above) {
      if (pool.obstacle != Obstacle.NONE) {
        return pool.obstacle;
      }
    }
    return Obstacle.NONE;
  }

  /** Whether a claim that names one queue may get a task of another. */
  public boolean covers(int named, int queue) {
    if (named == queue) {
      return true;
    }
    if (!isMember(named) || !isMember(queue)) {
      return false;
    }
    Node by = named(named);
    for (Node node = byQueue.get(queue); node != null; node = node.above) {
      if (node == by) {
        return true;
      }
    }
    return false;
  }

  /**
   * When any of some members or pools can start a task, as far as time alone decides it and nothing
   * becomes due before; in the past if one can now, {@link Long#MAX_VALUE} if none ever can.
   */
  public long firstStartMs(int[] queues, long nowMs) {
    look(nowMs);
    State now = new State(cells.point(), cells.rewinds());
    if (!now.equals(foreseen) || foreseenMs < nowMs) {
      foreseenMs = foresee(queues, nowMs);
      foreseen = new State(cells.point(), cells.rewinds());
    }
    return foreseenMs;
  }

  private long foresee(int[] queues, long nowMs) {
    if (mayAnyStart(queues, nowMs)) {
      return Long.MIN_VALUE;
    }
    TreeSet<Long> times = new TreeSet<>();
    for (Node leaf : byQueue.values()) {
      leaves.forEachChange(leaf.queue, times::add);
    }
    for (Node pool : pools) {
      if (pool.policy != Cells.NONE) {
        times.add(opensAtMs(pool));
        times.add(cells.get(pool.policy + PolicyTable.PAUSED_UNTIL_MS));
      }
    }
    for (long ms : times.tailSet(nowMs, false)) {
      if (ms < Long.MAX_VALUE && mayAnyStart(queues, ms)) {
        return ms;
      }
    }
    return Long.MAX_VALUE;
  }

  private boolean mayAnyStart(int[] queues, long ms) {
    for (int queue : queues) {
      if (mayStart(queue, ms)) {
        return true;
      }
    }
    return false;
  }

  // Virtual times.

  /** Members that have got work since the last call, or been permitted to start it, enter. */
  public void enter(long ms) {
    if (!isUsed()) {
      return;
    }
    look(ms);
    int entered = 0;
    for (Node leaf : byQueue.values()) {
      entered += enter(leaf) ? 1 : 0;
    }
    for (Node pool : pools) {
      entered += pool.above != null && enter(pool) ? 1 : 0;
    }
    if (members.size() > entered) {
      leave();
    }
    for (Node pool : pools) {
      settle(pool);
    }
    looked = new State(cells.point(), cells.rewinds());
  }

  /** Virtual times of one pool matter only beside each other. */
  private void settle(Node pool) {
    boolean isEmpty = true;
    for (Node member : pool.members) {
      isEmpty &= !member.isOpen;
    }
    int clock = clocks.find(pool.number, CLOCK);
    if (isEmpty && clock != Cells.NONE) {
      clocks.remove(clock);
      cells.free(clock, MEMBER_CELLS);
    }
  }

  private boolean enter(Node node) {
    int member = members.find(node.number, node.kind);
    if (member != Cells.NONE && (!node.isOpen || cells.get(member + ABOVE) != node.above.number)) {
      remove(member);
      member = Cells.NONE;
    }
    if (!node.isOpen) {
      return false;
    }
    if (member == Cells.NONE) {
      member = cells.allocateCleared(MEMBER_CELLS);
      cells.set(member, node.number);
      cells.set(member + 1, node.kind);
      cells.set(member + ABOVE, node.above.number);
      members.add(member);
      rules.count(Rule.MEMBER_ENTERS);
      int clock = clock(node.above);
      cells.set(member + LOW, cells.get(clock + LOW) + START / node.weight);
      cells.set(member + HIGH, cells.get(clock + HIGH) + START / node.weight);
    }
    return true;
  }

  private void remove(int member) {
    members.remove(member);
    cells.free(member, MEMBER_CELLS);
  }

  /** Forgets members and pools that are not there any more. */
  private void leave() {
    for (int place = members.places() - 1; place >= 0; place--) {
      int member = members.at(place);
      if (member != Cells.NONE && !isThere(member)) {
        remove(member);
        place = members.places();
      }
    }
  }

  private boolean isThere(int member) {
    boolean isThere = false;
    for (Node node : cells.get(member + 1) == POOL ? pools : byQueue.values()) {
      isThere |= node.number == cells.get(member) && node.above != null;
    }
    return isThere;
  }

  /** The clock of a pool: a range, as the virtual times of its members. */
  private int clock(Node pool) {
    int clock = clocks.find(pool.number, CLOCK);
    if (clock == Cells.NONE) {
      clock = cells.allocateCleared(MEMBER_CELLS);
      cells.set(clock, pool.number);
      cells.set(clock + 1, CLOCK);
      clocks.add(clock);
    }
    return clock;
  }

  /** All virtual times are unknown, and a pool's stay so until none of its members has work. */
  public void forgetTimes() {
    for (KeyTable table : List.of(members, clocks)) {
      for (int place = 0; place < table.places(); place++) {
        if (table.at(place) != Cells.NONE) {
          cells.set(table.at(place) + LOW, 0);
          cells.set(table.at(place) + HIGH, FAR);
        }
      }
    }
  }

  // Choices.

  /**
   * A member that should have started instead of another.
   *
   * @param pool whose choice it was
   * @param isByRank whether by its rank
   */
  public record Passed(String pool, String member, boolean isByRank) {}

  /**
   * A claim starts a task of a queue: each pool that has chosen it must have had no better choice.
   * To be called after {@link #enter}, before the start is counted, and followed by {@link
   * #started}.
   *
   * @param named the queues that the claim names
   * @return who was passed over; null if nobody was
   */
  public Passed choose(int queue, int[] named, long ms) {
    look(ms);
    Node leaf = byQueue.get(queue);
    boolean isDirect = false;
    List<Node> by = new ArrayList<>();
    for (int each : named) {
      Node node = isMember(each) ? named(each) : null;
      isDirect |= node == leaf;
      if (node != null && node != leaf && covers(each, queue)) {
        by.add(node);
      }
    }
    Passed passed = null;
    boolean isCertain = !isDirect;
    for (Node member = leaf; member.above != null && !by.isEmpty(); member = member.above) {
      if (isCertain && passed == null) {
        passed = passed(member);
        countChoice(member);
      }
      raise(member, isCertain);
      isCertain &= !by.remove(member.above);
    }
    return passed;
  }

  private void countChoice(Node chosen) {
    boolean isChoice = false;
    for (Node other : chosen.above.members) {
      isChoice |= other != chosen && other.mayStart;
    }
    if (isChoice) {
      rules.count(
          switch (chosen.above.fair) {
            case Fairs.LEAST_IN_FLIGHT -> Rule.POOL_CHOOSES_FEWEST;
            case Fairs.STRICT_RANK -> Rule.POOL_CHOOSES_BY_RANK;
            default -> Rule.POOL_CHOOSES_IN_TURN;
          });
      rules.countIf(chosen.kind == POOL, Rule.POOL_CHOOSES_A_POOL);
    }
  }

  private long key(Node member) {
    return switch (member.above.fair) {
      case Fairs.LEAST_IN_FLIGHT -> member.inFlight * START / member.weight;
      case Fairs.STRICT_RANK -> -member.rank;
      default -> 0;
    };
  }

  private Passed passed(Node chosen) {
    Node pool = chosen.above;
    int mine = members.find(chosen.number, chosen.kind);
    for (Node other : pool.members) {
      if (other == chosen || !other.mayStart) {
        continue;
      }
      int its = members.find(other.number, other.kind);
      boolean isEqual = key(other) == key(chosen);
      if (key(other) < key(chosen) || (isEqual && isBefore(other, its, chosen, mine))) {
        boolean isByRank = pool.fair == Fairs.STRICT_RANK && other.rank > chosen.rank;
        return new Passed(pool.toString(), other.toString(), isByRank);
      }
      if (isEqual) {
        cells.set(mine + HIGH, Math.min(cells.get(mine + HIGH), cells.get(its + HIGH)));
        cells.set(its + LOW, Math.max(cells.get(its + LOW), cells.get(mine + LOW)));
      }
    }
    return null;
  }

  /** Whether a member certainly comes before another, which is ahead of it by nothing else. */
  private boolean isBefore(Node node, int member, Node other, int otherMember) {
    long latest = cells.get(member + HIGH);
    long earliest = cells.get(otherMember + LOW);
    return latest < earliest || (latest == earliest && comparator.compare(node, other) < 0);
  }

  /** The clock of a pool goes to the virtual time of what it has chosen, or perhaps does. */
  private void raise(Node chosen, boolean isCertain) {
    int clock = clock(chosen.above);
    int member = members.find(chosen.number, chosen.kind);
    long high = Math.max(cells.get(clock + HIGH), cells.get(member + HIGH));
    long low = Math.max(cells.get(clock + LOW), cells.get(member + LOW));
    cells.set(clock + HIGH, high);
    cells.set(clock + LOW, isCertain ? low : cells.get(clock + LOW));
  }

  /** The start is charged to the pools above the queue. */
  public void started(int queue, long ms) {
    shape();
    for (Node node = byQueue.get(queue); node.above != null; node = node.above) {
      if (node.above.policy != Cells.NONE) {
        startedIn(node.above, ms);
      }
      int member = members.find(node.number, node.kind);
      int clock = clock(node.above);
      for (int end = LOW; end <= HIGH; end++) {
        long from = Math.max(cells.get(clock + end), cells.get(member + end));
        cells.set(member + end, from + START / node.weight);
      }
    }
  }
}
