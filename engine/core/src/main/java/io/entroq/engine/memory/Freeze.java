package io.entroq.engine.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/**
 * What the slabs of one frozen state share: how many bytes of copies the engine may make before it
 * has to wait for the writer, and which chunk it waits for.
 *
 * <p>Two threads: the engine's, which changes the state and keeps copies of what it changes, and
 * the writer's, which writes the state as it was.
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
   * @param keptBytesMax bytes of copies past which the engine waits
   */
  public Freeze(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /** Nobody reads the frozen state any more: nothing need be kept from now on. */
  public void end() {
    isOver = true;
  }

  /** True if nobody reads the frozen state any more. */
  public boolean isOver() {
    return isOver;
  }

  /** Bytes of copies held now. */
  public long keptBytes() {
    return keptBytes;
  }

  /** The engine wants to keep so many bytes more; one chunk is always allowed. */
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

  /** The engine waits for a chunk: a turn of waiting, the first one or a later one. */
  void awaitWriter(int slab, int chunk) {
    wanted = (long) slab << 32 | chunk;
    idle.idle();
  }

  /** The engine waits no more. */
  void resume() {
    wanted = NOTHING;
    idle.reset();
  }

  /** The slab of the chunk that the engine waits for, or -1. */
  public int wantedSlab() {
    return (int) (wanted >> 32);
  }

  /** The chunk that the engine waits for if it is one of this slab, or -1. */
  public int wantedChunk(int slab) {
    long chunk = wanted;
    return chunk >> 32 == slab ? (int) chunk : -1;
  }
}
