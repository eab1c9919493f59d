package io.entroq.engine.policy;

import io.entroq.codec.message.Fairs;
import io.entroq.codec.message.PolicyDecoder;
import io.entroq.codec.message.PolicyEncoder;
import io.entroq.codec.message.PolicyKinds;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.DeadlineSource;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.HashIndex;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.Mix;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotHeap;
import io.entroq.engine.task.Bytes;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.collections.IntArrayList;

/**
 * Policies and limiters by slot, and by kind and name. An entry has rules, or a pause, or both, and
 * exists while it has one; a limiter that is deleted keeps its slot, unseen, while tasks that count
 * in it are in flight. The rules are stored as an encoded Policy; what every start needs of them is
 * in the record too.
 */
public final class PolicyStore implements DeadlineSource {

  /** A pause that only a resume ends. */
  public static final long UNTIL_RESUMED = Long.MAX_VALUE;

  static final int HASH = 0;

  /** The block with the encoded Policy; never {@link Arena#NONE} in a live record. */
  static final int BLOCK = 8;

  static final int PAUSED_UNTIL = 16;
  static final int TAT = 24;
  static final int INTERVAL = 32;
  static final int TOLERANCE = 40;
  static final int RULES_HASH = 48;
  static final int LENGTH = 56;
  static final int NAME_OFFSET = 60;
  static final int NAME_LENGTH = 64;
  static final int FLAGS = 68;

  /** 0: the entry does not exist any more. */
  static final int VERSION = 72;

  static final int IN_FLIGHT = 76;
  static final int IN_FLIGHT_MAX = 80;
  static final int LAPSES_MAX = 84;
  static final int PAUSE_POSITION = 88;
  static final int OPEN_POSITION = 92;
  static final int TTL = 96;
  static final int REMEMBER = 104;

  /** Of a limiter: how many groups of members of pools share it. */
  static final int GROUPS = 112;

  static final int RECORD_BYTES = 120;

  static final int KIND_MASK = 3;
  static final int RULES = 1 << 2;
  static final int ORDER_SHIFT = 3;
  static final int ORDER_MASK = 3;

  /** It limits the size of queues. */
  static final int SIZED = 1 << 5;

  /** It has groups: its queue is a topic. */
  static final int TOPIC = 1 << 6;

  /** How many levels of pools it makes. */
  static final int DEPTH_SHIFT = 7;

  static final int DEPTH_MASK = 3;

  private static final int CHUNK_SHIFT = 8;
  private static final int INDEX_SHARD_BITS = 2;
  private static final int SCRATCH_BYTES = 4096;

  final Slab slab = new Slab(RECORD_BYTES, CHUNK_SHIFT, BLOCK);
  private final Arena arena;
  private final HashIndex index = new HashIndex(INDEX_SHARD_BITS);
  private final PrefixLengths prefixLengths = new PrefixLengths();
  private final PauseEnds pauseEnds = new PauseEnds();
  private final PolicyEncoder encoder = new PolicyEncoder();
  private final PolicyDecoder decoder = new PolicyDecoder();
  private final ExpandableDirectByteBuffer scratch = new ExpandableDirectByteBuffer(SCRATCH_BYTES);
  private final Bytes name = new Bytes();
  private final Bytes otherName = new Bytes();
  private final int[] counts = new int[PolicyKinds.MAX + 1];
  private int sized;
  private int topics;

  /** The entries that make queues pools. */
  private final IntArrayList pools = new IntArrayList();

  private long epoch;
  private long content;

  public PolicyStore(Arena arena) {
    this.arena = arena;
  }

  /** The entries with a pause that ends and without rules; they are removed then. */
  private final class PauseEnds extends SlotHeap {
    @Override
    protected boolean before(int a, int b) {
      long endA = pausedUntilMs(a);
      long endB = pausedUntilMs(b);
      return endA < endB || (endA == endB && isNameBefore(a, b));
    }

    @Override
    protected void moved(int policy, int position) {
      slab.putInt(policy, PAUSE_POSITION, position);
    }
  }

  /** Counts the writes of policies. A queue looks its policy up again if this has changed. */
  public long epoch() {
    return epoch;
  }

  /** Restores the number of writes from an image. */
  public void epoch(long writes) {
    epoch = writes;
  }

  /** A sum of the hashes of all entries. */
  public long content() {
    return content;
  }

  /** The same sum from scratch. */
  public long recomputedContent() {
    long sum = 0;
    for (int policy = 0; policy < slab.highWater(); policy++) {
      if (isLive(policy)) {
        sum += Mix.mix(hash(policy));
      }
    }
    return sum;
  }

  /** Whether a slot holds an entry, seen or not. */
  boolean isLive(int policy) {
    return slab.getLong(policy, BLOCK) != Arena.NONE;
  }

  /** Whether a slot holds an entry that exists. To visit all, go up to {@link #highWater}. */
  public boolean isAlive(int policy) {
    return isLive(policy) && version(policy) > 0;
  }

  public int highWater() {
    return slab.highWater();
  }

  /** Number of entries for queues and prefixes, or of limiters. */
  public int count(boolean isLimiter) {
    return isLimiter
        ? counts[PolicyKinds.LIMITER]
        : counts[PolicyKinds.QUEUE] + counts[PolicyKinds.PREFIX];
  }

  /** The hash under which a name of a kind is found. */
  static long hash(int kind, DirectBuffer buffer, int offset, int length) {
    return Mix.fold(Mix.bytes(buffer, offset, length), kind);
  }

  /** The slot of an entry that exists, or {@link Slab#NONE}. */
  public int find(int kind, DirectBuffer buffer, int offset, int length) {
    int policy = look(kind, buffer, offset, length);
    return policy != Slab.NONE && version(policy) > 0 ? policy : Slab.NONE;
  }

  private int look(int kind, DirectBuffer buffer, int offset, int length) {
    if (slab.size() == 0) {
      return Slab.NONE;
    }
    long hash = hash(kind, buffer, offset, length);
    for (long at = index.first(hash); at != HashIndex.NONE; at = index.next(hash, at)) {
      int policy = index.slot(at);
      if (slab.getLong(policy, HASH) == hash
          && kind(policy) == kind
          && isNamed(policy, buffer, offset, length)) {
        return policy;
      }
    }
    return Slab.NONE;
  }

  private boolean isNamed(int policy, DirectBuffer buffer, int offset, int length) {
    name(policy, otherName);
    return otherName.matches(buffer, offset, length);
  }

  /** Points to the name of an entry. */
  public void name(int policy, Bytes into) {
    long block = slab.getLong(policy, BLOCK);
    into.set(
        arena.buffer(block),
        arena.offset(block) + slab.getInt(policy, NAME_OFFSET),
        slab.getInt(policy, NAME_LENGTH));
  }

  /** Points to the encoded Policy of an entry. */
  public void encoded(int policy, Bytes into) {
    long block = slab.getLong(policy, BLOCK);
    into.set(arena.buffer(block), arena.offset(block), slab.getInt(policy, LENGTH));
  }

  /** Reads the rules of an entry; valid until the next call. */
  public PolicyDecoder rules(int policy) {
    long block = slab.getLong(policy, BLOCK);
    decoder.wrap(arena.buffer(block), arena.offset(block), slab.getInt(policy, LENGTH));
    return decoder;
  }

  PrefixLengths prefixLengths() {
    return prefixLengths;
  }

  /**
   * Sets the rules of an entry, which is added if necessary. Its pause stays.
   *
   * @param buffer what the offsets of the policy refer to
   */
  int put(PolicyDecoder policy, DirectBuffer buffer) {
    int slot = open(policy.kind(), buffer, policy.nameOffset(), policy.nameLength());
    begin(slot);
    PolicyCopy.encode(policy, buffer, encoder.wrap(scratch, 0));
    fill(slot);
    slab.putInt(slot, FLAGS, slab.getInt(slot, FLAGS) | RULES);
    written(slot);
    return slot;
  }

  /**
   * Pauses an entry, which is added if necessary, or ends its pause.
   *
   * @param untilMs 0 to resume
   */
  int pause(int kind, DirectBuffer buffer, int offset, int length, long untilMs) {
    int slot = open(kind, buffer, offset, length);
    begin(slot);
    slab.putLong(slot, PAUSED_UNTIL, untilMs);
    written(slot);
    return slot;
  }

  /** Removes rules and pause of an entry; {@link #removeIfUnused} frees its slot. */
  void delete(int policy) {
    begin(policy);
    name(policy, name);
    int kind = kind(policy);
    if (kind == PolicyKinds.PREFIX) {
      prefixLengths.remove(name.length());
    }
    counts[kind]--;
    encoder.wrap(scratch, 0).kind(kind).name(name.buffer(), name.offset(), name.length());
    fill(policy);
    slab.putInt(policy, FLAGS, kind);
    slab.putLong(policy, PAUSED_UNTIL, 0);
    slab.putInt(policy, VERSION, 0);
    end(policy);
    epoch++;
  }

  /**
   * Frees the slot of an entry that does not exist any more, counts no tasks in flight and blocks
   * no queue, unless that was done before.
   */
  void removeIfUnused(int policy) {
    boolean blocks = slab.getInt(policy, OPEN_POSITION) != Slab.NONE;
    if (!isLive(policy)
        || version(policy) > 0
        || inFlight(policy) > 0
        || slab.getInt(policy, GROUPS) > 0
        || blocks) {
      return;
    }
    content -= Mix.mix(hash(policy));
    index.remove(slab.getLong(policy, HASH), policy);
    arena.free(slab.getLong(policy, BLOCK));
    slab.free(policy);
  }

  /** The slot of an entry, which is added without rules and pause if necessary. */
  private int open(int kind, DirectBuffer buffer, int offset, int length) {
    int slot = look(kind, buffer, offset, length);
    if (slot == Slab.NONE) {
      slot = add(kind, hash(kind, buffer, offset, length));
      encoder.wrap(scratch, 0).kind(kind).name(buffer, offset, length);
      fill(slot);
      content += Mix.mix(hash(slot));
    }
    if (version(slot) == 0) {
      counts[kind]++;
      if (kind == PolicyKinds.PREFIX) {
        prefixLengths.add(length);
      }
    }
    return slot;
  }

  private int add(int kind, long hash) {
    int slot = slab.allocate();
    slab.putLong(slot, HASH, hash);
    slab.putInt(slot, FLAGS, kind);
    slab.putInt(slot, PAUSE_POSITION, Slab.NONE);
    slab.putInt(slot, OPEN_POSITION, Slab.NONE);
    index.insert(hash, slot);
    return slot;
  }

  /** Takes an entry out of the sum and the heap, before a change. */
  private void begin(int policy) {
    content -= Mix.mix(hash(policy));
    int position = slab.getInt(policy, PAUSE_POSITION);
    if (position != Slab.NONE) {
      pauseEnds.removeAt(position);
      slab.putInt(policy, PAUSE_POSITION, Slab.NONE);
    }
  }

  private void end(int policy) {
    content += Mix.mix(hash(policy));
    long untilMs = pausedUntilMs(policy);
    if (!hasRules(policy) && untilMs != 0 && untilMs != UNTIL_RESUMED) {
      pauseEnds.add(policy);
    }
  }

  private void written(int policy) {
    int version = version(policy);
    slab.putInt(policy, VERSION, version == Integer.MAX_VALUE ? version : version + 1);
    end(policy);
    epoch++;
  }

  /** Stores what was encoded, and what starts need of it. */
  private void fill(int policy) {
    int length = encoder.length();
    long block = arena.allocate(length);
    arena.buffer(block).putBytes(arena.offset(block), scratch, 0, length);
    arena.free(slab.getLong(policy, BLOCK));
    slab.putLong(policy, BLOCK, block);
    slab.putInt(policy, LENGTH, length);
    slab.putLong(policy, RULES_HASH, Mix.bytes(scratch, 0, length));
    derive(policy);
  }

  /** Sets the fields that follow from the encoded rules. */
  private void derive(int policy) {
    PolicyDecoder rules = rules(policy);
    long block = slab.getLong(policy, BLOCK);
    slab.putInt(policy, NAME_OFFSET, rules.nameOffset() - arena.offset(block));
    slab.putInt(policy, NAME_LENGTH, rules.nameLength());
    long interval = Rate.intervalMicros(rules.rateLimit(), rules.ratePeriodMs());
    slab.putLong(policy, INTERVAL, interval);
    slab.putLong(policy, TOLERANCE, Rate.toleranceMicros(interval, rules.rateBurst()));
    slab.putInt(policy, IN_FLIGHT_MAX, rules.inFlightMax());
    slab.putInt(policy, LAPSES_MAX, rules.lapsesMax());
    slab.putLong(policy, TTL, rules.ttlMs());
    slab.putLong(policy, REMEMBER, rules.rememberIdsMs());
    int flags = slab.getInt(policy, FLAGS);
    boolean isSized = (rules.tasksMax() | rules.bytesMax()) != 0;
    sized += (isSized ? 1 : 0) - ((flags & SIZED) != 0 ? 1 : 0);
    boolean isTopic = rules.groupCount() > 0;
    topics += (isTopic ? 1 : 0) - ((flags & TOPIC) != 0 ? 1 : 0);
    slab.putInt(
        policy,
        FLAGS,
        (flags & (KIND_MASK | RULES))
            | (rules.order() << ORDER_SHIFT)
            | (isSized ? SIZED : 0)
            | (isTopic ? TOPIC : 0)
            | (depth(rules) << DEPTH_SHIFT));
    if ((poolDepthOf(flags) > 0) != (depth(rules) > 0)) {
      if (depth(rules) > 0) {
        pools.addInt(policy);
      } else {
        pools.removeInt(policy);
      }
    }
  }

  /** How many levels of pools rules make; 0: the queue is none. */
  static int depth(PolicyDecoder rules) {
    return rules.fair() == Fairs.NONE ? 0 : Math.max(1, rules.poolDepth());
  }

  private static int poolDepthOf(int flags) {
    return flags >>> DEPTH_SHIFT & DEPTH_MASK;
  }

  /** How many levels of pools an entry makes; 0: the queue is none by it. */
  int poolDepth(int policy) {
    return poolDepthOf(slab.getInt(policy, FLAGS));
  }

  /** Whether an entry makes a queue a pool or a topic. */
  boolean hasShape(int policy) {
    return (slab.getInt(policy, FLAGS) & (DEPTH_MASK << DEPTH_SHIFT | TOPIC)) != 0;
  }

  /** How many entries make queues pools. */
  int poolCount() {
    return pools.size();
  }

  /** One of those entries, from 0, in any order. */
  int pool(int index) {
    return pools.getInt(index);
  }

  /**
   * Adds the entry of an image.
   *
   * @param offset of the encoded Policy in the buffer, which has been checked
   */
  int restore(
      DirectBuffer buffer,
      int offset,
      int length,
      boolean hasRules,
      int version,
      long pausedUntilMs,
      long tatMicros,
      int inFlight) {
    decoder.wrap(buffer, offset, length);
    int kind = decoder.kind();
    int nameLength = decoder.nameLength();
    if (look(kind, decoder.buffer(), decoder.nameOffset(), nameLength) != Slab.NONE) {
      return Slab.NONE;
    }
    int slot = add(kind, hash(kind, decoder.buffer(), decoder.nameOffset(), nameLength));
    PolicyCopy.encode(decoder, decoder.buffer(), encoder.wrap(scratch, 0));
    fill(slot);
    slab.putInt(slot, FLAGS, slab.getInt(slot, FLAGS) | (hasRules ? RULES : 0));
    slab.putInt(slot, VERSION, version);
    slab.putLong(slot, PAUSED_UNTIL, pausedUntilMs);
    slab.putLong(slot, TAT, tatMicros);
    slab.putInt(slot, IN_FLIGHT, inFlight);
    if (version > 0) {
      counts[kind]++;
      if (kind == PolicyKinds.PREFIX) {
        prefixLengths.add(nameLength);
      }
    }
    end(slot);
    return slot;
  }

  /** When the first pause of an entry without rules ends. */
  @Override
  public long firstDeadlineMs() {
    return pauseEnds.size() == 0 ? Long.MAX_VALUE : pausedUntilMs(pauseEnds.root());
  }

  /** The entry whose pause ends first; there is one. */
  int firstByPauseEnd() {
    return pauseEnds.root();
  }

  /** One of {@link PolicyKinds}. */
  public int kind(int policy) {
    return slab.getInt(policy, FLAGS) & KIND_MASK;
  }

  /** Whether it has rules; otherwise it is only a pause. */
  public boolean hasRules(int policy) {
    return (slab.getInt(policy, FLAGS) & RULES) != 0;
  }

  /** From 1; every write adds one. 0: it does not exist any more. */
  public int version(int policy) {
    return slab.getInt(policy, VERSION);
  }

  /** Until when it is paused; 0: not; {@link #UNTIL_RESUMED}. May lie in the past. */
  public long pausedUntilMs(int policy) {
    return slab.getLong(policy, PAUSED_UNTIL);
  }

  /** One of {@link io.entroq.codec.message.Orders}. */
  public int order(int policy) {
    return slab.getInt(policy, FLAGS) >>> ORDER_SHIFT & ORDER_MASK;
  }

  /** How many tasks may be in flight at once; 0: any number. */
  public int inFlightMax(int policy) {
    return slab.getInt(policy, IN_FLIGHT_MAX);
  }

  /** After how many lapses a task dies; 0: never. */
  public int lapsesMax(int policy) {
    return slab.getInt(policy, LAPSES_MAX);
  }

  /** How long after their insert tasks expire that do not say it themselves; 0: never. */
  public long ttlMs(int policy) {
    return slab.getLong(policy, TTL);
  }

  /** How long the id of a task that is gone stays taken; 0: not at all. */
  public long rememberIdsMs(int policy) {
    return slab.getLong(policy, REMEMBER);
  }

  /** Microseconds between starts; 0: no rate. */
  public long intervalMicros(int policy) {
    return slab.getLong(policy, INTERVAL);
  }

  /** How many microseconds early starts may be. */
  public long toleranceMicros(int policy) {
    return slab.getLong(policy, TOLERANCE);
  }

  /** Of a limiter: tasks in flight in its queues. */
  public int inFlight(int policy) {
    return slab.getInt(policy, IN_FLIGHT);
  }

  void addInFlight(int limiter, int by) {
    int count = inFlight(limiter) + by;
    Invariant.check(count >= 0, "tasks in flight of a limiter", limiter, count);
    content -= Mix.mix(hash(limiter));
    slab.putInt(limiter, IN_FLIGHT, count);
    content += Mix.mix(hash(limiter));
  }

  /** Whether a policy of a prefix applies to queues that may be pools or below them. */
  boolean concernsPools(int prefix) {
    name(prefix, name);
    for (int i = 0; i < pools.size(); i++) {
      name(pools.getInt(i), otherName);
      int common = Math.min(name.length(), otherName.length());
      if (name.startsWith(otherName.buffer(), otherName.offset(), common)) {
        return true;
      }
    }
    return false;
  }

  /** Counts groups of members of pools that share a limiter, which keep its slot. */
  void addGroups(int limiter, int by) {
    slab.putInt(limiter, GROUPS, slab.getInt(limiter, GROUPS) + by);
  }

  boolean hasGroups(int limiter) {
    return slab.getInt(limiter, GROUPS) > 0;
  }

  /** Whether a limiter has as many tasks in flight as it may. */
  boolean isFull(int limiter) {
    int max = inFlightMax(limiter);
    return max > 0 && inFlight(limiter) >= max;
  }

  /** When a limiter's pause has ended and its rate permits a start; may lie in the past. */
  public long opensMs(int limiter) {
    return Math.max(gateMs(limiter), pausedUntilMs(limiter));
  }

  /** When a limiter's rate permits a start; may lie in the past. */
  long gateMs(int limiter) {
    return intervalMicros(limiter) == 0
        ? Long.MIN_VALUE
        : Rate.opensMs(tatMicros(limiter), toleranceMicros(limiter));
  }

  long tatMicros(int limiter) {
    return slab.getLong(limiter, TAT);
  }

  /** Counts a start in a limiter's rate. */
  void started(int limiter, long nowMs) {
    if (intervalMicros(limiter) != 0) {
      content -= Mix.mix(hash(limiter));
      slab.putLong(
          limiter, TAT, Rate.afterStart(tatMicros(limiter), intervalMicros(limiter), nowMs));
      content += Mix.mix(hash(limiter));
    }
  }

  int openPosition(int limiter) {
    return slab.getInt(limiter, OPEN_POSITION);
  }

  void openPosition(int limiter, int position) {
    slab.putInt(limiter, OPEN_POSITION, position);
  }

  /** A total order by name, for heaps whose roots must not depend on slots. */
  boolean isNameBefore(int a, int b) {
    long hashA = slab.getLong(a, HASH);
    long hashB = slab.getLong(b, HASH);
    if (hashA != hashB) {
      return hashA < hashB;
    }
    name(a, name);
    name(b, otherName);
    int order = name.compareTo(otherName);
    return order < 0 || (order == 0 && kind(a) < kind(b));
  }

  /** The hash that identifies an entry in digests. */
  public long nameHash(int policy) {
    return slab.getLong(policy, HASH);
  }

  private long hash(int policy) {
    return Mix.share(0, slab.getLong(policy, RULES_HASH))
        + Mix.share(1, slab.getInt(policy, FLAGS) & RULES)
        + Mix.share(2, version(policy))
        + Mix.share(3, pausedUntilMs(policy))
        + Mix.share(4, tatMicros(policy))
        + Mix.share(5, inFlight(policy));
  }

  /** Whether any entry limits the size of queues. */
  public boolean hasSizes() {
    return sized > 0;
  }

  /** Whether any entry makes its queue a topic. */
  public boolean hasTopics() {
    return topics > 0;
  }

  public int size() {
    return slab.size();
  }

  /** Bytes of records and index. */
  public long memoryBytes() {
    return slab.memoryBytes() + index.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  public void thaw() {
    slab.thaw();
  }

  /** Frees all memory; the store must not be used afterwards. */
  public void close() {
    pauseEnds.close();
    index.close();
    slab.close();
  }
}
