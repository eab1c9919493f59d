package io.entroq.engine.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The memory that all states of the past take together, next to the one of an engine. Each may take
 * half of it, so that two always fit, and smaller ones beside them. When there is no more, those
 * that nobody uses give way. Any thread.
 */
public final class ReplayBudget {
  /** So many states fit, however large each is. */
  private static final int PARTS = 2;

  private final long bytesMax;
  private final int parts;
  private final List<Share> shares = new ArrayList<>();

  private volatile BooleanSupplier reclaim = () -> false;

  /**
   * @param bytesMax most bytes outside of the heap, 0 or more
   */
  public ReplayBudget(long bytesMax) {
    this(bytesMax, PARTS);
  }

  private ReplayBudget(long bytesMax, int parts) {
    this.bytesMax = bytesMax;
    this.parts = parts;
  }

  /** The memory of a state that is the only one. */
  static Share ofOne(long bytesMax) {
    return new ReplayBudget(bytesMax, 1).open();
  }

  /**
   * Sets who gives memory back when there is no more.
   *
   * @param newReclaim frees a state that nobody uses, and returns whether there was one; may block
   */
  public void reclaimFrom(BooleanSupplier newReclaim) {
    reclaim = newReclaim;
  }

  /** Begins with a state, which takes nothing yet. */
  public Share open() {
    Share share = new Share();
    synchronized (this) {
      shares.add(share);
    }
    return share;
  }

  /** How many states there are. */
  public synchronized int states() {
    return shares.size();
  }

  private synchronized long bytes() {
    return shares.stream().mapToLong(share -> share.bytes).sum();
  }

  private synchronized boolean tryTake(Share share, long bytes) {
    if (bytes() - share.bytes + bytes > bytesMax) {
      return false;
    }
    share.bytes = bytes;
    return true;
  }

  private synchronized void remove(Share share) {
    shares.remove(share);
  }

  /** What one state takes. */
  public final class Share implements AutoCloseable {
    private long bytes;

    private Share() {}

    /** Most bytes that it may take. */
    long bytesMax() {
      return bytesMax / parts;
    }

    /**
     * Takes memory, instead of what it took before. May block while others give theirs back.
     *
     * @param total bytes that the state has or needs
     * @return false if others have it; then nothing changes
     */
    boolean take(long total) {
      while (!tryTake(this, total)) {
        if (!reclaim.getAsBoolean()) {
          return false;
        }
      }
      return true;
    }

    /** Gives everything back; a second call has no effect. */
    @Override
    public void close() {
      remove(this);
    }
  }
}
