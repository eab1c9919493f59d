package io.entroq.engine.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * The records of a slab as they were when it was frozen. The engine goes on changing the slab; the
 * first time that it is about to write into a chunk that has not been read yet, it keeps a copy.
 *
 * <p>Neither side waits for the other to finish a copy: if the engine comes while the writer is
 * reading a chunk, it makes a copy of its own and says so, and the writer, whose copy may be torn,
 * takes that one.
 */
public final class FrozenSlab {

  private static final VarHandle STATES = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle KEPT = MethodHandles.arrayElementVarHandle(Memory[].class);

  private static final int UNREAD = 0;
  private static final int READING = 1;

  /** The writer has read it, or there is nothing to read. From here on the engine may write. */
  private static final int READ = 2;

  private static final int COPIED = 3;

  private final Freeze freeze;
  private final int id;
  private final int recordBytes;
  private final int chunkShift;
  private final int liveField;
  private final long[] addresses;
  private final int[] liveCounts;
  private final int high;
  private final int[] states;
  private final Memory[] kept;
  private final boolean[] isTaken;
  private long[] sums;
  private Memory scratch;
  private Memory taken;

  FrozenSlab(
      Freeze freeze,
      int id,
      int recordBytes,
      int chunkShift,
      int liveField,
      long[] addresses,
      int[] liveCounts,
      int high) {
    this.freeze = freeze;
    this.id = id;
    this.recordBytes = recordBytes;
    this.chunkShift = chunkShift;
    this.liveField = liveField;
    this.addresses = addresses;
    this.liveCounts = liveCounts;
    this.high = high;
    this.states = new int[liveCounts.length];
    this.kept = new Memory[liveCounts.length];
    this.isTaken = new boolean[liveCounts.length];
    assert remember();
  }

  // The engine's side.

  /** To be called before every write into a chunk. */
  void beforeWrite(int chunk) {
    if (chunk < states.length && (int) STATES.getAcquire(states, chunk) < READ) {
      keep(chunk);
    }
  }

  private void keep(int chunk) {
    Memory copy = liveCounts[chunk] == 0 ? null : copy(chunk);
    if (copy == null) {
      STATES.setRelease(states, chunk, READ);
      return;
    }
    KEPT.setRelease(kept, chunk, copy);
    if (!STATES.compareAndSet(states, chunk, UNREAD, COPIED)
        && !STATES.compareAndSet(states, chunk, READING, COPIED)) {
      // The writer has read it in the meantime, and may have been faster with this copy too.
      discard(chunk);
    }
  }

  /** Waits until a copy can be made; null if none is needed any more. */
  private Memory copy(int chunk) {
    boolean isNeeded = !freeze.isOver();
    Memory copy = isNeeded ? copyNow(chunk) : null;
    while (copy == null && isNeeded) {
      freeze.awaitWriter(id, chunk);
      isNeeded = (int) STATES.getAcquire(states, chunk) < READ && !freeze.isOver();
      copy = isNeeded ? copyNow(chunk) : null;
    }
    freeze.resume();
    return copy;
  }

  /** Null if there is no room for it now. */
  private Memory copyNow(int chunk) {
    if (!freeze.reserve(chunkBytes())) {
      return null;
    }
    try {
      Memory copy = Memory.allocate(chunkBytes());
      copy.copyFrom(addresses[chunk], chunkBytes());
      return copy;
    } catch (OutOfMemoryError e) {
      // No reason to end in the middle of a command: the writer will have read the chunk soon.
      freeze.giveBack(chunkBytes());
      return null;
    }
  }

  /** Gives all copies back that are left; neither side needs them. */
  void discard() {
    for (int chunk = 0; chunk < kept.length; chunk++) {
      discard(chunk);
    }
  }

  private void discard(int chunk) {
    Memory copy = (Memory) KEPT.getAndSet(kept, chunk, (Memory) null);
    if (copy != null) {
      copy.free();
      freeze.giveBack(chunkBytes());
    }
  }

  // The writer's side.

  /** How many chunks there were. */
  public int chunkCount() {
    return liveCounts.length;
  }

  /** Number of live records in a chunk. */
  public int liveCount(int chunk) {
    return liveCounts[chunk];
  }

  /** Number of live records. */
  public int liveCount() {
    int count = 0;
    for (int live : liveCounts) {
      count += live;
    }
    return count;
  }

  /** One more than the highest slot. */
  public int highWater() {
    return high;
  }

  /** The slot of the first record of a chunk. */
  public int firstSlot(int chunk) {
    return chunk << chunkShift;
  }

  /** How many records a chunk has, live or not. */
  public int recordCount(int chunk) {
    return Math.min(1 << chunkShift, high - firstSlot(chunk));
  }

  /** Size of a record. */
  public int recordBytes() {
    return recordBytes;
  }

  /** True if the record that lies at an address is live. */
  public boolean isLive(long record) {
    return UnsafeApi.getLong(record + liveField) != 0;
  }

  /** The chunk that the engine waits for, or -1 if there is none in this slab. */
  public int wantedChunk() {
    int chunk = freeze.wantedChunk(id);
    return chunk >= 0 && !isTaken[chunk] ? chunk : -1;
  }

  /** True if the chunk was taken already or has nothing live in it. */
  public boolean isDone(int chunk) {
    return isTaken[chunk] || liveCounts[chunk] == 0;
  }

  /**
   * Takes a chunk that is not done: the engine may write into it from now on.
   *
   * @return where its records lie, as they were; valid until the next call or {@link #release}
   */
  public long take(int chunk) {
    isTaken[chunk] = true;
    giveBackTaken();
    if (STATES.compareAndSet(states, chunk, UNREAD, READING)) {
      if (scratch == null) {
        scratch = Memory.allocate(chunkBytes());
      }
      scratch.copyFrom(addresses[chunk], chunkBytes());
      if (STATES.compareAndSet(states, chunk, READING, READ)) {
        return checked(chunk, scratch.address());
      }
    }
    taken = (Memory) KEPT.getAndSet(kept, chunk, (Memory) null);
    return checked(chunk, taken.address());
  }

  private void giveBackTaken() {
    if (taken != null) {
      taken.free();
      taken = null;
      freeze.giveBack(chunkBytes());
    }
  }

  /** Gives back what the writer's side holds; to be called by the writer when it is done. */
  public void release() {
    giveBackTaken();
    if (scratch != null) {
      scratch.free();
      scratch = null;
    }
    discard();
  }

  private int chunkBytes() {
    return recordBytes << chunkShift;
  }

  // With assertions on, a chunk that was changed behind the guard's back is found when it is read.

  private boolean remember() {
    sums = new long[liveCounts.length];
    for (int chunk = 0; chunk < sums.length; chunk++) {
      sums[chunk] = sum(chunk, addresses[chunk]);
    }
    return true;
  }

  private long checked(int chunk, long address) {
    assert sum(chunk, address) == sums[chunk]
        : "chunk " + chunk + " of records of " + recordBytes + " bytes was written past the guard";
    return address;
  }

  private long sum(int chunk, long address) {
    long sum = 0;
    int words = liveCounts[chunk] == 0 ? 0 : recordCount(chunk) * recordBytes / Integer.BYTES;
    for (int i = 0; i < words; i++) {
      sum = sum * 31 + UnsafeApi.getInt(address + (long) i * Integer.BYTES);
    }
    return sum;
  }
}
