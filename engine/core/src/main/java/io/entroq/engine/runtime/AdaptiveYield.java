package io.entroq.engine.runtime;

import java.util.concurrent.TimeUnit;

/**
 * Waiting by giving up the processor again and again, which is the quickest way as long as only
 * threads of this engine and its callers want it: each does a little and gives it up too.
 *
 * <p>Others do not. A thread that yields beside one that computes comes back when the kernel ends
 * the other's turn, after milliseconds, each time; one that sleeps and is woken comes back at once.
 * So this looks how long turns take. When somebody was nearly always in a long one, for a while,
 * {@link #areShort} denies it for half a second, and whoever waits has to sleep; then it is tried
 * again. Now and then a long turn is nothing to be wary of, nor is a pause for garbage.
 *
 * <p>Any thread.
 */
public final class AdaptiveYield {
  /** Longer than all callers together take for a turn each; shorter than what a kernel gives. */
  static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(1_500);

  private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long TOO_MUCH_NS = TimeUnit.MILLISECONDS.toNanos(12);

  /** As much of one turn counts, so that it takes several. */
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

  /** Whether who gives up the processor has it back soon. */
  public boolean areShort() {
    return !isWary || areShort(System.nanoTime());
  }

  public boolean areShort(long nowNs) {
    return !isWary || nowNs - waryUntilNs >= 0;
  }

  /** Lets another thread go on that is ready to, and returns at once if there is none. */
  @SuppressWarnings("ThreadPriorityCheck") // a hint that correctness does not depend on
  public void pass() {
    long startNs = System.nanoTime();
    Thread.yield();
    long endNs = System.nanoTime();
    if (endNs - startNs >= LONG_NS) {
      onLong(startNs, endNs);
    }
  }

  /** A turn of some thread has been long; what it shares with those of others counts once. */
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
