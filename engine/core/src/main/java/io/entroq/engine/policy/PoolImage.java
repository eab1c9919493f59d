package io.entroq.engine.policy;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import org.agrona.UnsafeApi;

/**
 * Writes frozen nodes of pools. What they count, and their places in heaps, follows from the rest.
 */
public final class PoolImage {

  /** Size of a node. */
  public static final int ITEM_BYTES = 8 * Integer.BYTES + 8 * Long.BYTES;

  private PoolImage() {}

  /** Writes a node. */
  public static void write(int slot, long record, ChunkWriter out) {
    out.begin(ChunkKinds.POOL_NODES, ITEM_BYTES);
    out.putInt(slot);
    out.putInt(UnsafeApi.getInt(record + PoolNodes.QUEUE));
    out.putInt(UnsafeApi.getInt(record + PoolNodes.PARENT));
    out.putInt(
        UnsafeApi.getInt(record + PoolNodes.FLAGS) & (PoolNodes.IS_POOL | PoolNodes.IS_OPEN));
    out.putInt(UnsafeApi.getInt(record + PoolNodes.WEIGHT));
    out.putInt(UnsafeApi.getInt(record + PoolNodes.RANK));
    out.putInt(UnsafeApi.getInt(record + PoolNodes.FAIR));
    out.putInt(UnsafeApi.getInt(record + PoolNodes.IN_FLIGHT_MAX));
    for (int field : PoolLoader.FIELDS) {
      out.putLong(UnsafeApi.getLong(record + field));
    }
  }
}
