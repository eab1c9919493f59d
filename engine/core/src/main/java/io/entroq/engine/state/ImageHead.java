package io.entroq.engine.state;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.policy.PoolWalk;

/** The single values of a state, and the counts of everything else. */
record ImageHead(
    int level,
    long sequence,
    long logTimeMs,
    long logIdHigh,
    long logIdLow,
    long random,
    long historyDigest,
    long contentDigest,
    long lastOrder,
    int tasks,
    int queues,
    int claimants,
    int waiters,
    int memberships,
    int clients,
    int firstToServe,
    int firstBusyClient,
    int firstIdleClient,
    long policyEpoch,
    int poolPart) {

  /** Bytes of the item of format 2, without its length. */
  private static final int BYTES = 108;

  /** What it has besides at level {@link Levels#POLICIES}. */
  private static final int MORE_BYTES = Long.BYTES;

  /** What it has besides at level {@link Levels#POOLS}. */
  private static final int POOL_BYTES = Integer.BYTES;

  private static int bytes(int level) {
    return BYTES
        + (level < Levels.POLICIES ? 0 : MORE_BYTES)
        + (level < Levels.POOLS ? 0 : POOL_BYTES);
  }

  void write(ChunkWriter out) {
    int bytes = bytes(level);
    out.begin(ChunkKinds.HEAD, Integer.BYTES + bytes);
    out.putInt(bytes);
    out.putInt(Levels.format(level));
    out.putInt(level);
    out.putLong(sequence);
    out.putLong(logTimeMs);
    out.putLong(logIdHigh);
    out.putLong(logIdLow);
    out.putLong(random);
    out.putLong(historyDigest);
    out.putLong(contentDigest);
    out.putLong(lastOrder);
    out.putInt(tasks);
    out.putInt(queues);
    out.putInt(claimants);
    out.putInt(waiters);
    out.putInt(memberships);
    out.putInt(clients);
    out.putInt(firstToServe);
    out.putInt(firstBusyClient);
    out.putInt(firstIdleClient);
    if (level >= Levels.POLICIES) {
      out.putLong(policyEpoch);
    }
    if (level >= Levels.POOLS) {
      out.putInt(poolPart);
    }
  }

  static ImageHead read(ChunkReader in) {
    int bytes = in.getInt();
    in.require(bytes >= BYTES, "bytes of the head", bytes);
    int format = in.getInt();
    int level = in.getInt();
    int known = bytes(level);
    in.require(bytes >= known, "bytes of the head", bytes);
    ImageHead head =
        new ImageHead(
            level,
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getLong(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            in.getInt(),
            level < Levels.POLICIES ? 0 : in.getLong(),
            level < Levels.POOLS ? PoolWalk.DONE : in.getInt());
    in.take(bytes - known);
    head.check(in, format);
    return head;
  }

  private void check(ChunkReader in, int format) {
    in.require(sequence >= 0, "sequence", sequence);
    in.require(lastOrder >= 0, "last order", lastOrder);
    in.require(policyEpoch >= 0, "writes of policies", policyEpoch);
    boolean isBeforeGenesis = level == 0;
    in.require(isBeforeGenesis == (sequence == 0), "level beside the sequence", level);
    if (!isBeforeGenesis) {
      Levels.requireSupported(level);
    }
    in.require(format == Levels.format(level), "format beside the level", format);
  }
}
