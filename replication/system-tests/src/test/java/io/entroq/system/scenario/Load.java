package io.entroq.system.scenario;

import java.time.Duration;
import java.util.List;

/**
 * What callers do.
 *
 * @param pace the average pause of a worker between two operations
 * @param plain servers with a worker each that uses plain HTTP
 */
record Load(Duration pace, List<String> plain) {
  /** Only this product's clients. */
  static final Load USUAL = new Load(Duration.ofMillis(10), List.of());

  Load {
    plain = List.copyOf(plain);
  }
}
