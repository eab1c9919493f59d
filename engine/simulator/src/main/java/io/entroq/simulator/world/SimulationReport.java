package io.entroq.simulator.world;

import io.entroq.simulator.fault.FaultKind;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a world. Immutable.
 *
 * @param hours simulated time
 * @param steps number of events
 * @param requests number of requests from clients and workers, including resends
 * @param commits number of Modifies that their senders know to be done
 * @param faults number of faults by kind; kinds that did not occur are left out
 * @param traceHash 16 hexadecimal digits, a hash of everything that happened
 * @param failure the violation, if there was one
 */
public record SimulationReport(
    WorldConfig config,
    double hours,
    long steps,
    long requests,
    long commits,
    Map<FaultKind, Long> faults,
    String traceHash,
    Optional<Failure> failure) {

  /** Whether both worlds failed in the same way. */
  public boolean hasSameFailure(SimulationReport other) {
    return failure.isPresent()
        && other.failure.isPresent()
        && failure.get().kind().equals(other.failure.get().kind());
  }
}
