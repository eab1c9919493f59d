package io.entroq.api.feed;

import io.entroq.api.EntroQException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A feed for a thread that waits. For one thread at a time; {@link #close} is for any thread, and
 * ends a wait.
 */
public final class FeedIterator implements AutoCloseable {
  private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

  private final FeedCursor cursor;

  /** Has a permit if polling may bring something. */
  private final Semaphore available = new Semaphore(0);

  FeedIterator(FeedCursor cursor) {
    this.cursor = cursor;
  }

  /**
   * Waits for the next effect.
   *
   * @return empty at the end of the query, and after {@link #close}
   * @throws EntroQException if the feed has failed; see {@link Feed}
   * @throws InterruptedException if the caller was interrupted; the feed stays open
   */
  public Optional<Effect> next() throws InterruptedException {
    return next(FOREVER);
  }

  /**
   * Waits for the next effect for some time.
   *
   * @param maxWait zero or more; zero does not wait
   * @return empty if there was none in time, and at the end, which {@link #isEnded} tells
   * @throws EntroQException if the feed has failed; see {@link Feed}
   * @throws InterruptedException if the caller was interrupted; the feed stays open
   */
  public Optional<Effect> next(Duration maxWait) throws InterruptedException {
    long startNs = System.nanoTime();
    long waitNs = maxWait.compareTo(FOREVER) < 0 ? maxWait.toNanos() : Long.MAX_VALUE;
    while (true) {
      Optional<Effect> next = cursor.poll();
      if (next.isPresent() || cursor.isEnded()) {
        return next;
      }
      available.drainPermits();
      if (cursor.await(available::release)) {
        long leftNs = waitNs - (System.nanoTime() - startNs);
        if (leftNs <= 0 || !available.tryAcquire(leftNs, TimeUnit.NANOSECONDS)) {
          return Optional.empty();
        }
      }
    }
  }

  /** Whether there is nothing more, because of the query or of {@link #close}. */
  public boolean isEnded() {
    return cursor.isEnded();
  }

  /**
   * Where to resume behind what was returned; it also advances while nothing passes the filters.
   * Empty before there is one, and within the state with which the feed began.
   */
  public Optional<FeedPosition> position() {
    return cursor.position();
  }

  /**
   * Why nothing comes at present, such as a lost connection; the feed resumes by itself. Empty if
   * all is well.
   */
  public Optional<EntroQException> problem() {
    return cursor.problem();
  }

  @Override
  public void close() {
    cursor.close();
    available.release();
  }
}
