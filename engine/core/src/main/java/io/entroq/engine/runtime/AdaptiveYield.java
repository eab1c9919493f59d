package io.entroq.engine.runtime;

import java.util.concurrent.TimeUnit;

/**
 * Waits by yielding the processor repeatedly. That is the fastest way while only threads of this
 * engine and its callers compete for it, as each runs briefly and yields too.
 *
 * <p>Beside a thread that computes, a yielding thread gets the processor back only when the kernel
 * ends the other's time slice, after milliseconds, each time; a sleeping thread that is woken gets
 * it at once. So this measures how long yields take. If nearly all time went into long ones for a
 * while, {@link #areShort} is false for half a second, and callers sleep instead; then yielding is
 * tried again. A rare long yield, or a pause for garbage collection, does not count.
 *
 * <p>Any thread.
 */
public final class AdaptiveYield {
  /** Longer than all callers together take for a turn each; shorter than a kernel's time slice. */
  static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(1_500);

  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long TOO_MUCH_NS = TimeUnit.MILLISECONDS.toNanos(12);

  /** Cap on what one yield counts, so that it takes several. */
  private static final long COUNTED_NS_MAX = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long WARY_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private volatile boolean isWary;
  private volatile long waryUntilNs;
  private long windowNs;
  private long countedNs;
  private long lastEndNs;

  public AdaptiveYield() {
    this(System.nanoTime());
  }

  public AdaptiveYield(long nowNs) {
    windowNs = nowNs;
    lastEndNs = nowNs;
  }

  /** Whether a thread that yields gets the processor back soon. */
  public boolean areShort() {
    return !isWary || areShort(System.nanoTime());
  }

  public boolean areShort(long nowNs) {
    return !isWary || nowNs - waryUntilNs >= 0;
  }

  /** Lets another thread run that is ready, and returns at once if there is none. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  public void pass() {
    long startNs = System.nanoTime();
    Thread.yield();
    long endNs = System.nanoTime();
    if (endNs - startNs >= LONG_NS) {
      onLong(startNs, endNs);
    }
  }

  /** A yield was long; time that it shares with yields of other threads counts once. */
  synchronized void onLong(long startNs, long endNs) {
    long freshNs = Math.min(endNs - startNs, endNs - lastEndNs);
    if (freshNs <= 0) {
      return;
    }
    lastEndNs = endNs;
    if (endNs - windowNs > WINDOW_NS) {
      windowNs = endNs - freshNs;
      countedNs = 0;
    }
    countedNs += Math.min(freshNs, COUNTED_NS_MAX);
    isWary = countedNs >= TOO_MUCH_NS;
    if (isWary) {
      waryUntilNs = endNs + WARY_NS;
    }
  }
}
