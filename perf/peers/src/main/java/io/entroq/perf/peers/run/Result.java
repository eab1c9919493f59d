package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Shape;
import java.util.Optional;

/**
 * One measurement of a run.
 *
 * @param peer the name of the peer
 * @param round counts from 1
 */
public record Result(
    String peer, DurabilityClass durability, Shape shape, int round, Outcome outcome) {
  /** Empty if the measurement failed. */
  public Optional<Measured> measured() {
    return outcome.measured();
  }

  /** The reason of a failure; empty if there was none. */
  public String failure() {
    return outcome.failure();
  }

  /**
   * The outcome of a measurement.
   *
   * @param measured empty if it failed
   * @param failure the reason; empty if it did not fail
   */
  public record Outcome(Optional<Measured> measured, String failure) {
    static Outcome of(Measured measured) {
      return new Outcome(Optional.of(measured), "");
    }

    static Outcome failed(String failure) {
      return new Outcome(Optional.empty(), failure);
    }
  }
}
