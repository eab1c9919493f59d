package io.entroq.perf.served;

import org.HdrHistogram.Histogram;

/**
 * Cycles over one connection, each begun by the end of another one. What an answer gives rise to is
 * done in the client's threads; this is for whoever measures.
 */
interface ClosedLoop {
  /** Begins, until it is told to stop. */
  void begin();

  /**
   * Ends after the present cycles.
   *
   * @param atEnd called then
   */
  void stop(Runnable atEnd);

  /** How many cycles there have been. */
  long cycles();

  /** How long requests took since the beginning, once it has ended. */
  Histogram callNs();

  /** What ended it before it was told to; null if nothing. */
  Throwable failure();
}
