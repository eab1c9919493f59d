package io.entroq.engine.policy;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.Slab;
import org.agrona.UnsafeApi;

/** Writes frozen policies, and what queues have by them. */
public final class PolicyImage {

  /** Size of a policy without its rules. */
  public static final int POLICY_BYTES = 36;

  /** Size of what a queue has. */
  public static final int QUEUE_BYTES = 116;

  static final int ENDS_LEASES = 1;
  static final int IS_WATCHED = 1 << 1;
  static final int IDLES = 1 << 2;

  private final FrozenArena arena;
  private final long epoch;

  /**
   * @param epoch the number of writes of policies at the freeze
   */
  public PolicyImage(FrozenArena arena, long epoch) {
    this.arena = arena;
    this.epoch = epoch;
  }

  /** Writes an entry. */
  public void writePolicy(int slot, long record, ChunkWriter out) {
    int length = UnsafeApi.getInt(record + PolicyStore.LENGTH);
    out.begin(ChunkKinds.POLICIES, POLICY_BYTES + length);
    out.putInt(slot);
    out.putInt((UnsafeApi.getInt(record + PolicyStore.FLAGS) & PolicyStore.RULES) != 0 ? 1 : 0);
    out.putInt(UnsafeApi.getInt(record + PolicyStore.VERSION));
    out.putInt(UnsafeApi.getInt(record + PolicyStore.IN_FLIGHT));
    out.putLong(UnsafeApi.getLong(record + PolicyStore.PAUSED_UNTIL));
    out.putLong(UnsafeApi.getLong(record + PolicyStore.TAT));
    out.putInt(length);
    out.putBytes(arena.address(UnsafeApi.getLong(record + PolicyStore.BLOCK)), length);
  }

  /** Writes what a queue has. */
  public void writeQueue(int slot, long record, ChunkWriter out) {
    boolean isCurrent = UnsafeApi.getLong(record + RuleRecords.EPOCH) == epoch;
    // What an earlier lookup found may be gone, except for limiters that count tasks or
    // members of pools.
    boolean hasLimiters =
        isCurrent
            || UnsafeApi.getInt(record + RuleRecords.COUNTED) > 0
            || UnsafeApi.getInt(record + RuleRecords.MEMBER) != Slab.NONE;
    out.begin(ChunkKinds.QUEUE_RULES, QUEUE_BYTES);
    out.putInt(UnsafeApi.getInt(record + RuleRecords.QUEUE));
    out.putInt(places(record));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.EPOCH));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.POLICY_HASH));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.PAUSED_UNTIL));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.TAT));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.BREAKER_END));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.LAPSED));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.DEAD));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.WATCH_MS));
    out.putLong(UnsafeApi.getLong(record + RuleRecords.IDLE_MS));
    out.putInt(isCurrent ? UnsafeApi.getInt(record + RuleRecords.POLICY) : Slab.NONE);
    for (int i = 0; i < Resolution.LIMITERS_MAX; i++) {
      int limiter = UnsafeApi.getInt(record + RuleRecords.LIMITERS + (long) i * Integer.BYTES);
      out.putInt(hasLimiters ? limiter : Slab.NONE);
    }
    out.putInt(UnsafeApi.getInt(record + RuleRecords.COUNTED));
    out.putInt(UnsafeApi.getInt(record + RuleRecords.FAILURES));
    out.putInt(UnsafeApi.getInt(record + RuleRecords.FRONT));
    out.putInt(UnsafeApi.getInt(record + RuleRecords.BLOCKER));
  }

  private static int places(long record) {
    return (UnsafeApi.getInt(record + RuleRecords.LEASE_POSITION) != Slab.NONE ? ENDS_LEASES : 0)
        | (UnsafeApi.getInt(record + RuleRecords.WATCHED) != 0 ? IS_WATCHED : 0)
        | (UnsafeApi.getInt(record + RuleRecords.IDLE_POSITION) != Slab.NONE ? IDLES : 0);
  }
}
