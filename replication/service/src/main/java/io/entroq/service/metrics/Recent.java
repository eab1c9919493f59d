package io.entroq.service.metrics;

import java.time.Duration;
import java.util.function.Supplier;

/** What was supplied not long ago, so that those who look at its parts see one moment. */
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
