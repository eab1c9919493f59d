package io.entroq.engine.memory;

import java.util.Arrays;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Blocks of bytes by size class, found by a reference that stays valid until the block is freed.
 * Sizes are multiples of 16 up to 256 and then eight steps to each doubling, so at most a ninth of
 * a block is unused. Small blocks share chunks, which are kept for reuse; blocks of 64 KiB and more
 * have memory of their own, given back at once. Not thread-safe.
 *
 * <p>An arena can be frozen: another thread may then read the blocks that are in use, which must
 * not be written any more. Those that are freed meanwhile keep their memory, and get free a few at
 * a time once the arena is thawed.
 */
public final class Arena {

  /** No block. */
  public static final long NONE = 0;

  private static final int STEP_BYTES = 16;
  private static final int LINEAR_CLASSES = 16;
  private static final int LINEAR_BYTES_MAX = STEP_BYTES * LINEAR_CLASSES;
  private static final int LINEAR_SHIFT = 8;

  /** Beyond, so many sizes to each doubling. */
  private static final int STEPS_SHIFT = 3;

  private static final int STEPS = 1 << STEPS_SHIFT;
  private static final int BLOCK_BYTES_MAX = 1 << 30;
  private static final int OWN_CHUNK_BYTES = 64 * 1024;
  private static final int CLASS_SHIFT = 32;

  /** So many blocks that were held back become free with each one that is taken or given back. */
  private static final int SETTLED_AT_ONCE = 2;

  private final SizeClass[] classes = new SizeClass[classOf(BLOCK_BYTES_MAX) + 1];

  /** Freed blocks that were in use when the arena was frozen. */
  private final BlockList heldBack = new BlockList();

  private boolean isFrozen;

  /** True while the arena is frozen or blocks are held back. */
  private boolean isUnsettled;

  private long memoryBytes;
  private long usedBytes;

  /**
   * Takes a block; its content is undefined.
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

  /** Gives a block back; {@link #NONE} is ignored. */
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

  /** True if a reader of the frozen arena may look at the block: it must not be written. */
  public boolean isShared(long reference) {
    return isFrozen && reference != NONE && block(reference) < sizeClass(reference).frozenHigh;
  }

  /** Keeps the blocks that are in use as they are for another thread, until {@link #thaw}. */
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

  /** Nobody reads the frozen blocks any more. */
  public void thaw() {
    isFrozen = false;
    for (SizeClass sizeClass : classes) {
      if (sizeClass != null) {
        sizeClass.thaw();
      }
    }
  }

  /** Gives all memory back; the arena must not be used any more. */
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

  /** Takes a block with the content of another, and gives that one back. */
  public long replace(long reference) {
    int bytes = capacity(reference);
    long copy = allocate(bytes);
    UnsafeApi.copyMemory(address(reference), address(copy), bytes);
    free(reference);
    return copy;
  }

  /** Where a block lies in memory; valid until it is freed. */
  public long address(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    int block = block(reference);
    return sizeClass.addresses[block >>> sizeClass.chunkShift]
        + (long) (block & sizeClass.chunkMask) * sizeClass.blockBytes;
  }

  /** The buffer that a block lies in. */
  public UnsafeBuffer buffer(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    return sizeClass.chunks[block(reference) >>> sizeClass.chunkShift];
  }

  /** Where in {@link #buffer} a block begins. */
  public int offset(long reference) {
    SizeClass sizeClass = sizeClass(reference);
    return (block(reference) & sizeClass.chunkMask) * sizeClass.blockBytes;
  }

  /** How many bytes a block holds: at least what was asked for. */
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

  /** How many blocks of this length can be taken before memory has to be. */
  public int spareBlocks(int length) {
    SizeClass sizeClass = classes[classOf(length)];
    return sizeClass == null ? 0 : sizeClass.spareBlocks();
  }

  /** Whether a block is as large as one of this length would be; {@link #NONE} never is. */
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

    /** The end of the free list, as long as that has not been empty since it was begun. */
    private int freeTail = Slab.NONE;

    /** While frozen: blocks that were free already, taken up only before a new chunk is. */
    private int freeBefore = Slab.NONE;

    /** While frozen: blocks from here on are new, so that nobody else looks at them. */
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
