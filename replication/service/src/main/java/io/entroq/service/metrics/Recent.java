package io.entroq.service.metrics;

import java.time.Duration;
import java.util.function.Supplier;

/** Caches a value for a short time, so that all values of a scrape are from one moment. */
final class Recent<T> implements Supplier<T> {
  private final Supplier<T> source;
  private final long maxAgeNs;
  private T value;
  private long takenNs;

  Recent(Supplier<T> source, Duration maxAge) {
    this.source = source;
    this.maxAgeNs = maxAge.toNanos();
  }

  @Override
  public synchronized T get() {
    long nowNs = System.nanoTime();
    if (value == null || nowNs - takenNs > maxAgeNs) {
      value = source.get();
      takenNs = nowNs;
    }
    return value;
  }
}
