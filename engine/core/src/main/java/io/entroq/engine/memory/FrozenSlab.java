package io.entroq.engine.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.UnsafeApi;

/**
 * The records of a slab as of a freeze. The engine continues to change the slab; before its first
 * write to a chunk that has not been read yet, it makes a copy.
 *
 * <p>Neither side waits for the other's copy. If the engine writes while the writer is reading a
 * chunk, the engine makes its own copy and publishes it; the writer, whose copy may be torn, uses
 * that one.
 */
public final class FrozenSlab {

  private static final VarHandle STATES = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle KEPT = MethodHandles.arrayElementVarHandle(Memory[].class);

  private static final int UNREAD = 0;
  private static final int READING = 1;

  /** Read by the writer, or nothing to read. From this state on the engine may write. */
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

  /** Must precede every write to a chunk. */
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
      // The writer has read the chunk meanwhile, and may even have taken this copy already.
      discard(chunk);
    }
  }

  /** Waits until it can make a copy; null if none is needed anymore. */
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

  /** Null if there is no room for a copy now. */
  private Memory copyNow(int chunk) {
    if (!freeze.reserve(chunkBytes())) {
      return null;
    }
    try {
      Memory copy = Memory.allocate(chunkBytes());
      copy.copyFrom(addresses[chunk], chunkBytes());
      return copy;
    } catch (OutOfMemoryError e) {
      // No reason to fail in the middle of a command: the writer will read the chunk soon.
      freeze.giveBack(chunkBytes());
      return null;
    }
  }

  /** Frees the remaining copies; neither side needs them. */
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

  /** One more than the highest slot ever used. */
  public int highWater() {
    return high;
  }

  /** The slot of the first record of a chunk. */
  public int firstSlot(int chunk) {
    return chunk << chunkShift;
  }

  /** Records of a chunk, live or not. */
  public int recordCount(int chunk) {
    return Math.min(1 << chunkShift, high - firstSlot(chunk));
  }

  public int recordBytes() {
    return recordBytes;
  }

  public boolean isLive(long record) {
    return UnsafeApi.getLong(record + liveField) != 0;
  }

  /** The chunk that the engine waits for, or -1 if there is none in this slab. */
  public int wantedChunk() {
    int chunk = freeze.wantedChunk(id);
    return chunk >= 0 && !isTaken[chunk] ? chunk : -1;
  }

  /** True if the chunk was taken already or has no live records. */
  public boolean isDone(int chunk) {
    return isTaken[chunk] || liveCounts[chunk] == 0;
  }

  /**
   * Takes a chunk that is not done; the engine may write to it from now on.
   *
   * @return the address of its frozen records; valid until the next call or {@link #release}
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

  /** Frees the writer's memory; the writer calls this when it is done. */
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

  // With assertions on, reading a chunk detects writes that bypassed the guard.

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
