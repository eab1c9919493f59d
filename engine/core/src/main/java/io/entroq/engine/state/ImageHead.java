package io.entroq.engine.state;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ChunkWriter;

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
    int firstIdleClient) {

  /** Bytes of the item without its length. */
  private static final int BYTES = 108;

  void write(ChunkWriter out) {
    out.begin(ChunkKinds.HEAD, Integer.BYTES + BYTES);
    out.putInt(BYTES);
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
  }

  static ImageHead read(ChunkReader in) {
    int bytes = in.getInt();
    in.require(bytes >= BYTES, "bytes of the head", bytes);
    int format = in.getInt();
    ImageHead head =
        new ImageHead(
            in.getInt(),
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
            in.getInt());
    in.take(bytes - BYTES);
    head.check(in, format);
    return head;
  }

  private void check(ChunkReader in, int format) {
    in.require(sequence >= 0, "sequence", sequence);
    in.require(lastOrder >= 0, "last order", lastOrder);
    boolean isBeforeGenesis = level == 0;
    in.require(isBeforeGenesis == (sequence == 0), "level beside the sequence", level);
    if (!isBeforeGenesis) {
      Levels.requireSupported(level);
    }
    in.require(format == Levels.format(level), "format beside the level", format);
  }
}
