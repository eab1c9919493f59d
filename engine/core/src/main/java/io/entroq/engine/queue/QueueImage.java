package io.entroq.engine.queue;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.ItemImage;
import io.entroq.engine.memory.SlotMap;
import org.agrona.UnsafeApi;

/** Writes what does not follow from tasks and parked claims of frozen queues. */
public final class QueueImage implements ItemImage {

  /** Size of an item without the name. */
  public static final int ITEM_BYTES = 28;

  private final FrozenArena arena;

  public QueueImage(FrozenArena arena) {
    this.arena = arena;
  }

  @Override
  public void write(int slot, long record, ChunkWriter out) {
    int length = UnsafeApi.getInt(record + QueueStore.NAME_LENGTH);
    int flags = UnsafeApi.getInt(record + QueueStore.FLAGS);
    out.begin(ChunkKinds.QUEUES, ITEM_BYTES + length);
    out.putInt(slot);
    out.putInt(UnsafeApi.getInt(record + QueueStore.READY_SIZE));
    out.putInt(UnsafeApi.getInt(record + QueueStore.WAITING_SIZE));
    out.putInt(UnsafeApi.getInt(record + QueueStore.OLDEST));
    boolean isToServe = (flags & QueueStore.TO_SERVE) != 0;
    out.putInt(isToServe ? 1 : 0);
    out.putInt(isToServe ? UnsafeApi.getInt(record + QueueStore.NEXT_TO_SERVE) : SlotMap.NONE);
    out.putInt(length);
    out.putBytes(arena.address(UnsafeApi.getLong(record + QueueStore.NAME)), length);
  }
}
