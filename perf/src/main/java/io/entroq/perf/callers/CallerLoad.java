package io.entroq.perf.callers;

import io.entroq.api.Durability;
import io.entroq.load.LoadConfig;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A load that is measured.
 *
 * @param level what replies promise
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
    return "%s, %d caller%s, batches of %d"
        .formatted(level.name().toLowerCase(Locale.ROOT), callers, s(), batch);
  }

  private String s() {
    return callers == 1 ? "" : "s";
  }
}
