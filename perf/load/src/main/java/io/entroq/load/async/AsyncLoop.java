package io.entroq.load.async;

import org.HdrHistogram.Histogram;

/**
 * Cycles of which each begins when the one before has been answered, on the thread that answers:
 * none waits. The methods are for whoever measures.
 */
public interface AsyncLoop {
  /** Begins, until {@link #stop}. */
  void begin();

  /**
   * Ends after the present cycles.
   *
   * @param atEnd called then, at least once
   */
  void stop(Runnable atEnd);

  /** How many cycles there have been. */
  long cycles();

  /** How long calls took since the beginning, in nanoseconds, once it has ended. */
  Histogram callNs();

  /** What ended it before it was told to; null if nothing. */
  Throwable failure();
}
