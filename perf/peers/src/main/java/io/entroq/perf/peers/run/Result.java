package io.entroq.perf.peers.run;

import io.entroq.perf.peers.peer.DurabilityClass;
import io.entroq.perf.peers.peer.Shape;
import java.util.Optional;

/**
 * One measurement of a run.
 *
 * @param peer the name of the peer
 * @param round from 1
 * @param outcome what was found, or why it failed
 */
public record Result(
    String peer, DurabilityClass durability, Shape shape, int round, Outcome outcome) {
  /** What was found; empty if it failed. */
  public Optional<Measured> measured() {
    return outcome.measured();
  }

  /** Why it failed; empty if it did not. */
  public String failure() {
    return outcome.failure();
  }

  /**
   * What became of a measurement.
   *
   * @param measured what was found; empty if it failed
   * @param failure why it failed; empty if it did not
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
