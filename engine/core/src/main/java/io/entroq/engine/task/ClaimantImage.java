package io.entroq.engine.task;

import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.ItemImage;
import org.agrona.UnsafeApi;

/** Writes and loads texts of claimants. */
public final class ClaimantImage implements ItemImage {

  private static final int ITEM_BYTES = 20;

  private final FrozenArena arena;

  public ClaimantImage(FrozenArena arena) {
    this.arena = arena;
  }

  @Override
  public void write(int slot, long record, ChunkWriter out) {
    int length = UnsafeApi.getInt(record + Claimants.TEXT_LENGTH);
    out.begin(ChunkKinds.CLAIMANTS, ITEM_BYTES + length);
    out.putLong(UnsafeApi.getLong(record + Claimants.HIGH));
    out.putLong(UnsafeApi.getLong(record + Claimants.LOW));
    out.putInt(length);
    out.putBytes(arena.address(UnsafeApi.getLong(record + Claimants.TEXT)), length);
  }

  /** Adds a text without references. */
  public static void load(ChunkReader in, Claimants claimants) {
    long high = in.getLong();
    long low = in.getLong();
    int length = in.getInt();
    in.require(length > 0, "bytes of text", length);
    in.require((high | low) != 0, "key of a claimant's text", 0);
    if (claimants.isKnown(high, low)) {
      throw new ImageException(
          "two texts for the claimant " + Long.toHexString(high) + ":" + Long.toHexString(low));
    }
    claimants.add(high, low, in.buffer(), in.takeText(length, FieldLimits.TEXT_BYTES_MAX), length);
  }
}
