package io.entroq.load;

import java.time.Duration;
import java.util.OptionalDouble;

/** Loads for tests. */
final class Configs {
  private Configs() {}

  /** One caller that begins the next cycle when it has the answers of the last. */
  static LoadConfig closed(Duration duration) {
    return new LoadConfig(Duration.ZERO, duration, 1, 1, 32, 0, 1, OptionalDouble.empty());
  }

  /** So many callers, and batches. */
  static LoadConfig closed(Duration duration, int callers, int batch, long backlog, int queues) {
    return new LoadConfig(
        Duration.ZERO, duration, callers, batch, 32, backlog, queues, OptionalDouble.empty());
  }

  /** One caller, and so many cycles due in a second. */
  static LoadConfig open(Duration duration, double rate) {
    return new LoadConfig(Duration.ZERO, duration, 1, 1, 32, 0, 1, OptionalDouble.of(rate));
  }
}
