package io.entroq.perf.replicated;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long calls take, in nanoseconds. */
final class Histograms {
  private static final long NANOS_MAX = TimeUnit.MINUTES.toNanos(2);

  private Histograms() {}

  static Histogram ofCalls() {
    return new Histogram(NANOS_MAX, 3);
  }

  /** Of calls that several threads take down. */
  static Histogram ofConcurrentCalls() {
    return new ConcurrentHistogram(NANOS_MAX, 3);
  }
}
