package io.entroq.engine.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * Shared by the slabs of one frozen state: the bytes of copies that the engine may make before it
 * must wait for the writer, and the chunk it waits for.
 *
 * <p>Two threads: the engine's, which changes the state and copies what it changes, and the
 * writer's, which writes the frozen state.
 */
public final class Freeze {

  private static final VarHandle KEPT_BYTES;
  private static final long NOTHING = -1;

  static {
    try {
      KEPT_BYTES = MethodHandles.lookup().findVarHandle(Freeze.class, "keptBytes", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final long keptBytesMax;
  private final IdleStrategy idle = new BackoffIdleStrategy();
  private volatile long keptBytes;
  private volatile long wanted = NOTHING;
  private volatile boolean isOver;

  /**
   * Begins a freeze.
   *
   * @param keptBytesMax bytes of copies beyond which the engine waits
   */
  public Freeze(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /** Ends the freeze: copies are no longer needed. */
  public void end() {
    isOver = true;
  }

  public boolean isOver() {
    return isOver;
  }

  /** Bytes of copies currently held. */
  public long keptBytes() {
    return keptBytes;
  }

  /** Reserves bytes for a copy; false beyond the bound, but one chunk is always allowed. */
  boolean reserve(int bytes) {
    long held = keptBytes;
    if (held > 0 && held + bytes > keptBytesMax) {
      return false;
    }
    KEPT_BYTES.getAndAdd(this, (long) bytes);
    return true;
  }

  void giveBack(int bytes) {
    KEPT_BYTES.getAndAdd(this, (long) -bytes);
  }

  /** Requests a chunk from the writer and idles once. */
  void awaitWriter(int slab, int chunk) {
    wanted = (long) slab << 32 | chunk;
    idle.idle();
  }

  void resume() {
    wanted = NOTHING;
    idle.reset();
  }

  /** The slab of the requested chunk, or -1. */
  public int wantedSlab() {
    return (int) (wanted >> 32);
  }

  /** The requested chunk if it is in this slab, or -1. */
  public int wantedChunk(int slab) {
    long chunk = wanted;
    return chunk >> 32 == slab ? (int) chunk : -1;
  }
}
