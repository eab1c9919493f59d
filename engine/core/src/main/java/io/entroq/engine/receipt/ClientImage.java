package io.entroq.engine.receipt;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import org.agrona.UnsafeApi;

/** Writes frozen clients and their receipts. */
public final class ClientImage {

  private static final int CLIENT_BYTES = 32;
  private static final int RECEIPT_BYTES = 8;

  private final FrozenArena arena;

  public ClientImage(FrozenArena arena) {
    this.arena = arena;
  }

  /** Writes a client, without its receipts. */
  public static void writeClient(int slot, long record, ChunkWriter out) {
    out.begin(ChunkKinds.CLIENTS, CLIENT_BYTES);
    out.putInt(slot);
    out.putInt(UnsafeApi.getInt(record + ClientStore.NEXT));
    out.putLong(UnsafeApi.getLong(record + ClientStore.HIGH));
    out.putLong(UnsafeApi.getLong(record + ClientStore.LOW));
    out.putLong(UnsafeApi.getLong(record + ClientStore.ACKED_BELOW));
  }

  /** Writes the receipts of a client. */
  public void writeReceipts(int slot, long record, ChunkWriter out) {
    int capacity = UnsafeApi.getInt(record + ClientStore.RING_CAPACITY);
    long ring = capacity == 0 ? 0 : arena.address(UnsafeApi.getLong(record + ClientStore.RING));
    for (int i = 0; i < capacity; i++) {
      long block = UnsafeApi.getLong(ring + (long) i * Long.BYTES);
      if (block != Arena.NONE) {
        writeReceipt(slot, arena.address(block), out);
      }
    }
  }

  private static void writeReceipt(int client, long receipt, ChunkWriter out) {
    int length = UnsafeApi.getInt(receipt + Receipt.LENGTH);
    out.begin(ChunkKinds.RECEIPTS, RECEIPT_BYTES + length);
    out.putInt(client);
    out.putInt(length);
    out.putBytes(receipt, length);
  }
}
