package io.entroq.engine.task;

import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.ItemImage;
import org.agrona.UnsafeApi;

/** Writes frozen tasks with their values and attributes. */
public final class TaskImage implements ItemImage {

  /** Size of an item without value, attributes and texts. */
  public static final int ITEM_BYTES = 112;

  /** A flag of an item: length and bytes of attributes follow the value. */
  static final int ATTRIBUTES_FOLLOW = 1 << 5;

  /** Three bits of an item: one of {@link Holds}. From behavior level 8. */
  static final int HOLD_SHIFT = 6;

  static final int HOLD_MASK = 7 << HOLD_SHIFT;

  /** A flag of an item: its content is that of a shared one, whose slot follows the fixed part. */
  static final int SHARES_CONTENT = 1 << 9;

  /** A flag of an item: its value is that of a shared content, whose slot follows likewise. */
  static final int SHARES_VALUE = 1 << 10;

  /** The flags that a record has at the same place. */
  private static final int SAME_FLAGS =
      TaskStore.KIND_MASK | TaskStore.WAITING | TaskStore.CLAIMANT_TEXT;

  private final FrozenArena arena;

  public TaskImage(FrozenArena arena) {
    this.arena = arena;
  }

  @Override
  public void write(int slot, long record, ChunkWriter out) {
    int flags = UnsafeApi.getInt(record + TaskStore.FLAGS);
    long block = UnsafeApi.getLong(record + TaskStore.BLOCK);
    if (block < 0) {
      writeSharing(slot, record, flags, (int) block, out);
      return;
    }
    long content = block == Arena.NONE ? 0 : arena.address(block);
    long extras = 0;
    int length = content == 0 ? 0 : UnsafeApi.getInt(content);
    boolean sharesValue = length < 0;
    int value = sharesValue ? 0 : length;
    int attributes = 0;
    int err = 0;
    int idText = 0;
    if ((flags & TaskStore.EXTRAS) != 0) {
      extras = content + TaskStore.extrasOffset(length);
      err = UnsafeApi.getInt(extras);
      idText = UnsafeApi.getInt(extras + Integer.BYTES) & ~TaskStore.ATTRIBUTES;
      boolean hasAttributes = idText != UnsafeApi.getInt(extras + Integer.BYTES);
      extras += TaskStore.EXTRAS_HEADER_BYTES;
      attributes = hasAttributes ? UnsafeApi.getInt(extras) : 0;
    }
    int attributesBytes = attributes > 0 ? Integer.BYTES + attributes : 0;
    int sharedBytes = sharesValue ? Integer.BYTES : 0;
    out.begin(ChunkKinds.TASKS, ITEM_BYTES + sharedBytes + value + attributesBytes + err + idText);
    out.putInt(slot);
    out.putInt(
        flags(flags) | (attributes > 0 ? ATTRIBUTES_FOLLOW : 0) | (sharesValue ? SHARES_VALUE : 0));
    writeFields(record, out);
    out.putInt(value);
    out.putInt(err);
    out.putInt(idText);
    writeOrder(record, (flags & TaskStore.WAITING) != 0, out);
    if (sharesValue) {
      out.putInt(UnsafeApi.getInt(content + TaskStore.BLOCK_HEADER_BYTES));
    } else if (content != 0) {
      out.putBytes(content + TaskStore.BLOCK_HEADER_BYTES, value);
    }
    if (attributes > 0) {
      out.putInt(attributes);
      out.putBytes(extras + Integer.BYTES, attributes);
      extras += Integer.BYTES + TaskStore.align(attributes);
    }
    if (extras != 0) {
      out.putBytes(extras, err + idText);
    }
  }

  private static void writeSharing(int slot, long record, int flags, int content, ChunkWriter out) {
    out.begin(ChunkKinds.TASKS, ITEM_BYTES + Integer.BYTES);
    out.putInt(slot);
    out.putInt(flags(flags) | SHARES_CONTENT);
    writeFields(record, out);
    out.putInt(0);
    out.putInt(0);
    out.putInt(0);
    writeOrder(record, (flags & TaskStore.WAITING) != 0, out);
    out.putInt(content);
  }

  private static int flags(int flags) {
    return (flags & SAME_FLAGS)
        | ((flags & TaskStore.HOLD_MASK) >>> TaskStore.HOLD_SHIFT << HOLD_SHIFT);
  }

  private static void writeFields(long record, ChunkWriter out) {
    out.putLong(UnsafeApi.getLong(record + TaskStore.ID_HIGH));
    out.putLong(UnsafeApi.getLong(record + TaskStore.ID_LOW));
    out.putLong(UnsafeApi.getLong(record + TaskStore.INSERT_SEQUENCE));
    out.putLong(UnsafeApi.getLong(record + TaskStore.ARRIVAL));
    out.putLong(UnsafeApi.getLong(record + TaskStore.CLAIMANT_HIGH));
    out.putLong(UnsafeApi.getLong(record + TaskStore.CLAIMANT_LOW));
    out.putLong(UnsafeApi.getLong(record + TaskStore.CREATED));
    out.putLong(UnsafeApi.getLong(record + TaskStore.MODIFIED));
    out.putInt(UnsafeApi.getInt(record + TaskStore.VERSION));
    out.putInt(UnsafeApi.getInt(record + TaskStore.CLAIMS));
    out.putInt(UnsafeApi.getInt(record + TaskStore.ATTEMPT));
    out.putInt(UnsafeApi.getInt(record + TaskStore.QUEUE));
    out.putInt(UnsafeApi.getInt(record + TaskStore.POSITION));
  }

  /** The older neighbor of a ready task follows from the younger ones. */
  private static void writeOrder(long record, boolean isWaiting, ChunkWriter out) {
    out.putLong(
        isWaiting
            ? UnsafeApi.getLong(record + TaskStore.ORDER)
            : UnsafeApi.getInt(record + TaskStore.NEXT));
  }
}
