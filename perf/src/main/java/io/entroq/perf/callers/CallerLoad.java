package io.entroq.perf.callers;

import io.entroq.api.Durability;
import io.entroq.load.LoadConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A load to measure.
 *
 * @param level the durability of the engine
 * @param callers how many threads there are
 * @param batch how many tasks each inserts, claims and deletes at once
 */
record CallerLoad(Durability level, int callers, int batch) {
  private static final Duration WARM_UP = Duration.ofMillis(200);

  LoadConfig config(double seconds, int valueBytes) {
    Duration duration = Duration.ofNanos((long) (seconds * 1e9));
    return new LoadConfig(
        WARM_UP, duration, callers, batch, valueBytes, 0, 1, OptionalDouble.empty());
  }

  String describe() {
    String plural = callers == 1 ? "" : "s";
    return "%s, %d caller%s, batches of %d"
        .formatted(level.name().toLowerCase(Locale.ROOT), callers, plural, batch);
  }
}
