package io.entroq.engine.task;

import io.entroq.codec.message.FieldLimits;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.codec.snapshot.ChunkKinds;
import io.entroq.engine.memory.Arena;
import io.entroq.engine.memory.ChunkReader;
import io.entroq.engine.memory.ChunkWriter;
import io.entroq.engine.memory.Freeze;
import io.entroq.engine.memory.FrozenArena;
import io.entroq.engine.memory.FrozenSlab;
import io.entroq.engine.memory.ImageException;
import io.entroq.engine.memory.Invariant;
import io.entroq.engine.memory.ItemImage;
import io.entroq.engine.memory.Slab;
import io.entroq.engine.memory.SlotMap;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Contents that several tasks share: those of the copies of one insert into a topic. A content is a
 * block as {@link TaskStore} has it, without the text of an id. It never changes, and is freed with
 * the last task that refers to it.
 */
public final class SharedContents {

  /** Size of an item of an image without its bytes. */
  public static final int ITEM_BYTES = 16;

  /** How many tasks refer to it. */
  private static final int REFERENCES = 0;

  /** 1 if it has attributes or an error text, as the flag of a task. */
  private static final int EXTRAS = 4;

  /** Never {@link Arena#NONE} in a live record. */
  private static final int BLOCK = 8;

  private static final int RECORD_BYTES = 16;

  private final Slab slab;
  private final Arena arena;

  SharedContents(Arena arena, int chunkShift) {
    this.arena = arena;
    this.slab = new Slab(RECORD_BYTES, chunkShift, BLOCK);
  }

  /** Adds the block of one task, which it now refers to from here. */
  int add(long block, boolean hasExtras) {
    int content = slab.allocate();
    slab.putLong(content, BLOCK, block);
    slab.putInt(content, EXTRAS, hasExtras ? 1 : 0);
    slab.putInt(content, REFERENCES, 1);
    return content;
  }

  void acquire(int content) {
    slab.putInt(content, REFERENCES, slab.getInt(content, REFERENCES) + 1);
  }

  /** Takes back the reference of a content that was just added, and that stays. */
  void unrefer(int content) {
    slab.putInt(content, REFERENCES, 0);
  }

  /** Ends the reference of a task; frees the content with the last. */
  void release(int content) {
    int left = slab.getInt(content, REFERENCES) - 1;
    Invariant.check(left >= 0, "a shared content is released once by each task", content, left);
    if (left > 0) {
      slab.putInt(content, REFERENCES, left);
    } else {
      arena.free(slab.getLong(content, BLOCK));
      slab.free(content);
    }
  }

  long block(int content) {
    return slab.getLong(content, BLOCK);
  }

  boolean hasExtras(int content) {
    return slab.getInt(content, EXTRAS) != 0;
  }

  /** How many tasks refer to a content; 0 for a free slot. */
  public int references(int content) {
    return slab.getLong(content, BLOCK) == Arena.NONE ? 0 : slab.getInt(content, REFERENCES);
  }

  public int highWater() {
    return slab.highWater();
  }

  /** Number of contents. */
  public int size() {
    return slab.size();
  }

  long memoryBytes() {
    return slab.memoryBytes();
  }

  /** Freezes the records for another thread until {@link #thaw}. */
  public FrozenSlab freeze(Freeze freeze, int id) {
    return slab.freeze(freeze, id);
  }

  void thaw() {
    slab.thaw();
  }

  void close() {
    slab.close();
  }

  /** Writes frozen contents, each once. */
  public static ItemImage image(FrozenArena arena) {
    return (slot, record, out) -> write(arena, slot, record, out);
  }

  private static void write(FrozenArena arena, int slot, long record, ChunkWriter out) {
    long content = arena.address(UnsafeApi.getLong(record + BLOCK));
    int value = UnsafeApi.getInt(content);
    int attributes = 0;
    int err = 0;
    long extras = content + TaskStore.BLOCK_HEADER_BYTES + TaskStore.align(value);
    if (UnsafeApi.getInt(record + EXTRAS) != 0) {
      err = UnsafeApi.getInt(extras);
      boolean hasAttributes =
          (UnsafeApi.getInt(extras + Integer.BYTES) & TaskStore.ATTRIBUTES) != 0;
      extras += TaskStore.EXTRAS_HEADER_BYTES;
      attributes = hasAttributes ? UnsafeApi.getInt(extras) : 0;
      extras += hasAttributes ? Integer.BYTES : 0;
    }
    out.begin(ChunkKinds.SHARED_CONTENTS, ITEM_BYTES + value + attributes + err);
    out.putInt(slot);
    out.putInt(value);
    out.putInt(attributes);
    out.putInt(err);
    out.putBytes(content + TaskStore.BLOCK_HEADER_BYTES, value);
    out.putBytes(extras, attributes);
    out.putBytes(extras + TaskStore.align(attributes), err);
  }

  /** Loads the contents of an image, in any order with the tasks that refer to them. */
  public static final class Loader {
    private final TaskStore tasks;
    private final SlotMap slots = new SlotMap("shared content");
    private final TaskAttributes parsed = new TaskAttributes();
    private final Bytes value = new Bytes();
    private final Bytes attributes = new Bytes();
    private final Bytes err = new Bytes();

    public Loader(TaskStore tasks) {
      this.tasks = tasks;
    }

    /** Adds the content of an item; no task refers to it yet. */
    public void load(ChunkReader in) {
      int old = in.getInt();
      int valueBytes = in.getInt();
      int attributesBytes = in.getInt();
      int errBytes = in.getInt();
      UnsafeBuffer buffer = in.buffer();
      value.set(buffer, in.take(valueBytes), valueBytes);
      attributes.set(buffer, in.take(attributesBytes), attributesBytes);
      err.set(buffer, in.takeText(errBytes, FieldLimits.UNBOUNDED), errBytes);
      in.require(valueBytes + attributesBytes + errBytes > 0, "bytes of a shared content", 0);
      try {
        parsed.read(attributes);
      } catch (MalformedMessageException e) {
        throw new ImageException("attributes of a shared content: " + e.getMessage());
      }
      in.require(parsed.expiresMs() >= TaskAttributes.NEVER, "expires", parsed.expiresMs());
      slots.add(old, tasks.addShared(value, attributes, err));
    }

    SlotMap slots() {
      return slots;
    }

    /** Checks, after the last task, that every content is referred to. */
    void end() {
      SharedContents contents = tasks.shared();
      for (int content = 0; content < contents.highWater(); content++) {
        if (contents.references(content) == 0) {
          throw new ImageException("no task refers to the shared content " + content);
        }
      }
    }
  }
}
