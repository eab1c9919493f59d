package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Blocks of bytes in size classes, identified by a reference that is valid until the block is
 * freed. Sizes are multiples of 16 up to 256, then eight steps per doubling, so at most a ninth of
 * a block is unused. Small blocks share chunks, which are kept for reuse; a block of 64 KiB or more
 * has its own memory, which is freed at once. Not thread-safe.
 *
 * <p>While an arena is frozen, another thread may read the blocks in use, which must not be
 * written. Blocks freed meanwhile keep their memory until the arena is thawed, and are then
 * released a few at a time.
 */
public final class Arena {

  /** No block. */
  public static final long NONE = 0;

  private static final int STEP_BYTES = 16;
  private static final int LINEAR_CLASSES = 16;
  private static final int LINEAR_BYTES_MAX = STEP_BYTES * LINEAR_CLASSES;
  private static final int LINEAR_SHIFT = 8;

  /** Binary logarithm of the sizes per doubling beyond the linear ones. */
  private static final int STEPS_SHIFT = 3;

  private static final int STEPS = 1 << STEPS_SHIFT;
  private static final int BLOCK_BYTES_MAX = 1 << 30;
  private static final int OWN_CHUNK_BYTES = 64 * 1024;
  private static final int CLASS_SHIFT = 32;

  /** Held-back blocks released with each allocation and each free. */
  private static final int SETTLED_AT_ONCE = 2;

  private final SizeClass[] classes = new SizeClass[classOf(BLOCK_BYTES_MAX) + 1];

  /** Blocks in use at the freeze that were freed since. */
  private final BlockList heldBack = new BlockList();

  private boolean isFrozen;

  /** True while the arena is frozen or blocks are held back. */
  private boolean isUnsettled;

  private long memoryBytes;
  private long usedBytes;

  /**
   * Allocates a block; its content is undefined.
   *
   * @param length bytes needed, from 1 to 1 GiB
   * @return the reference, never {@link #NONE}
   */
  public long allocate(int length) {
    if (isUnsettled) {
      settle();
    }
    int index = classOf(length);
    SizeClass sizeClass = classes[index];
    if (sizeClass == null) {
      sizeClass = new SizeClass(bytesOf(index));
      classes[index] = sizeClass;
    }
    usedBytes += sizeClass.blockBytes;
    return (long) index << CLASS_SHIFT | (sizeClass.allocate() + 1);
  }

  /** Frees a block; ignores {@link #NONE}. */
  public void free(long reference) {
    if (reference != NONE) {
      SizeClass sizeClass = sizeClass(reference);
      usedBytes -= sizeClass.blockBytes;
      if (isUnsettled) {
        settle();
        if (isShared(reference)) {
          heldBack.push(reference);
          return;
        }
      }
      sizeClass.free(block(reference));
    }
  }

  private void settle() {
    if (isFrozen) {
      return;
    }
    for (int i = 0; i < SETTLED_AT_ONCE && !heldBack.isEmpty(); i++) {
      long reference = heldBack.pop();
      sizeClass(reference).free(block(reference));
    }
    isUnsettled = !heldBack.isEmpty();
  }

  /** True if a reader of the frozen arena may read the block: it must not be written. */
  public boolean isShared(long reference) {
    return isFrozen && reference != NONE && block(reference) < sizeClass(reference).frozenHigh;
  }

  /** Freezes the blocks in use for another thread until {@link #thaw}. */
  public FrozenArena freeze() {
    Invariant.check(!isFrozen, "not frozen", memoryBytes, 0);
    FrozenArena view = new FrozenArena(classes.length);
    for (int i = 0; i < classes.length; i++) {
      if (classes[i] != null) {
        classes[i].freeze();
        view.add(i, classes[i].addresses, classes[i].chunkShift, classes[i].blockBytes);
      }
    }
    isFrozen = true;
    isUnsettled = true;
    return view;
  }

  public void thaw() {
    isFrozen = false;
    for (SizeClass sizeClass : classes) {
      if (sizeClass != null) {
        sizeClass.thaw();
      }
    }
  }

  /** Frees all memory; the arena must not be used afterwards. */
  public void close() {
    Invariant.check(!isFrozen, "not frozen", memoryBytes, 0);
    heldBack.close();
    for (SizeClass sizeClass : classes) {
      if (sizeClass != null) {
        sizeClass.close();
      }
    }
    memoryBytes = 0;
    usedBytes = 0;
  }

  /** Copies a block to a new one and frees the old one. */
  public long replace(long reference) {
    int bytes = capacity(reference);
    long copy = allocate(bytes);
    UnsafeApi.copyMemory(address(reference), address(copy), bytes);
    free(reference);
    return copy;
  }

  /** The address of a block; valid until it is freed. */
  public long address(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    int block = block(reference);
    return sizeClass.addresses[block >>> sizeClass.chunkShift]
        + (long) (block & sizeClass.chunkMask) * sizeClass.blockBytes;
  }

  /** The buffer that contains a block. */
  public UnsafeBuffer buffer(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    return sizeClass.chunks[block(reference) >>> sizeClass.chunkShift];
  }

  /** The offset of a block in its {@link #buffer}. */
  public int offset(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    return (block(reference) & sizeClass.chunkMask) * sizeClass.blockBytes;
  }

  /** The size of a block: at least the length requested. */
  public int capacity(long reference) {
    return sizeClass(reference).blockBytes;
  }

  /** Bytes of memory held, used or not. */
  public long memoryBytes() {
    return memoryBytes + heldBack.memoryBytes();
  }

  /** Bytes in blocks that are in use. */
  public long usedBytes() {
    return usedBytes;
  }

  /** Blocks of this length that can be allocated without taking memory. */
  public int spareBlocks(int length) {
    SizeClass sizeClass = classes[classOf(length)];
    return sizeClass == null ? 0 : sizeClass.spareBlocks();
  }

  /** Whether a block has the size class of a length; false for {@link #NONE}. */
  public boolean isOfSize(long reference, int length) {
    return reference != NONE && sizeClassIndex(reference) == classOf(length);
  }

  private SizeClass sizeClass(long reference) {
    return classes[sizeClassIndex(reference)];
  }

  static int sizeClassIndex(long reference) {
    return (int) (reference >>> CLASS_SHIFT);
  }

  static int block(long reference) {
    return (int) reference - 1;
  }

  static int classOf(int length) {
    Invariant.check(length > 0 && length <= BLOCK_BYTES_MAX, "block length", length, 0);
    if (length <= LINEAR_BYTES_MAX) {
      return (length - 1) / STEP_BYTES;
    }
    int doubling = 31 - Integer.numberOfLeadingZeros(length - 1);
    int step = ((length - 1) >>> (doubling - STEPS_SHIFT)) & (STEPS - 1);
    return LINEAR_CLASSES + (doubling - LINEAR_SHIFT) * STEPS + step;
  }

  static int bytesOf(int index) {
    if (index < LINEAR_CLASSES) {
      return (index + 1) * STEP_BYTES;
    }
    int step = index - LINEAR_CLASSES;
    int doubling = LINEAR_SHIFT + step / STEPS;
    return (1 << doubling) + (step % STEPS + 1) * (1 << (doubling - STEPS_SHIFT));
  }

  /** The blocks of one size; freed ones are threaded through their first four bytes. */
  private final class SizeClass {

    private final int blockBytes;
    private final int chunkShift;
    private final int chunkMask;
    private Memory[] memories = new Memory[4];
    private UnsafeBuffer[] chunks = new UnsafeBuffer[4];
    private long[] addresses = new long[4];
    private int[] spare = new int[4];
    private int spareCount;
    private int chunkCount;
    private int high;
    private int freeHead = Slab.NONE;

    /** The end of the free list; valid while the list has not become empty since it was begun. */
    private int freeTail = Slab.NONE;

    /** While frozen: blocks that were free at the freeze, reused only before adding a chunk. */
    private int freeBefore = Slab.NONE;

    /** While frozen: blocks from here on are new, so no other thread reads them. */
    private int frozenHigh;

    private int spareBefore;
    private int used;

    SizeClass(int blockBytes) {
      this.blockBytes = blockBytes;
      this.chunkShift = chunkShift(blockBytes);
      this.chunkMask = (1 << chunkShift) - 1;
    }

    private static int chunkShift(int blockBytes) {
      if (blockBytes >= OWN_CHUNK_BYTES) {
        return 0;
      }
      int wanted = blockBytes <= 4096 ? 256 * 1024 : 1024 * 1024;
      return 31 - Integer.numberOfLeadingZeros(wanted / blockBytes);
    }

    private boolean ownsChunks() {
      return chunkShift == 0;
    }

    int spareBlocks() {
      return ownsChunks() ? 0 : (chunkCount << chunkShift) - used;
    }

    int allocate() {
      int block = takeBlock();
      used++;
      return block;
    }

    private int takeBlock() {
      if (ownsChunks()) {
        int block = spareCount > spareBefore ? spare[--spareCount] : nextChunk();
        take(block);
        return block;
      }
      int block = freeHead;
      if (block != Slab.NONE) {
        freeHead = UnsafeApi.getInt(address(block));
        return block;
      }
      if (high == chunkCount << chunkShift) {
        if (freeBefore != Slab.NONE) {
          block = freeBefore;
          freeBefore = UnsafeApi.getInt(address(block));
          return block;
        }
        Invariant.check(used == high, "blocks of a size add up", used, high);
        take(nextChunk());
      }
      return high++;
    }

    void freeze() {
      frozenHigh = ownsChunks() ? chunkCount : high;
      spareBefore = spareCount;
      freeBefore = freeHead;
      freeHead = Slab.NONE;
    }

    void thaw() {
      frozenHigh = 0;
      spareBefore = 0;
      if (freeHead == Slab.NONE) {
        freeHead = freeBefore;
      } else if (freeBefore != Slab.NONE) {
        UnsafeApi.putInt(address(freeTail), freeBefore);
      }
      freeBefore = Slab.NONE;
    }

    void close() {
      for (Memory memory : memories) {
        if (memory != null) {
          memory.free();
        }
      }
    }

    void free(int block) {
      used--;
      if (ownsChunks()) {
        release(block);
        return;
      }
      Invariant.check(used >= 0 && block < high, "a block that is freed was taken", block, used);
      if (freeHead == Slab.NONE) {
        freeTail = block;
      }
      UnsafeApi.putInt(address(block), freeHead);
      freeHead = block;
    }

    private void release(int block) {
      Invariant.check(memories[block] != null, "a block that is freed was taken", block, used);
      memories[block].free();
      memories[block] = null;
      chunks[block] = null;
      addresses[block] = 0;
      memoryBytes -= blockBytes;
      if (spareCount == spare.length) {
        spare = Arrays.copyOf(spare, spareCount * 2);
      }
      spare[spareCount++] = block;
    }

    private long address(int block) {
      return addresses[block >>> chunkShift] + (long) (block & chunkMask) * blockBytes;
    }

    private int nextChunk() {
      Invariant.check(
          chunkCount < Integer.MAX_VALUE >>> chunkShift, "blocks of a size", blockBytes, high);
      if (chunkCount == chunks.length) {
        memories = Arrays.copyOf(memories, chunkCount * 2);
        chunks = Arrays.copyOf(chunks, chunkCount * 2);
        addresses = Arrays.copyOf(addresses, chunkCount * 2);
      }
      return chunkCount++;
    }

    private void take(int chunk) {
      int bytes = blockBytes << chunkShift;
      Memory memory = Memory.allocate(bytes);
      memories[chunk] = memory;
      chunks[chunk] = new UnsafeBuffer(memory.buffer());
      addresses[chunk] = memory.address();
      memoryBytes += bytes;
    }
  }
}
