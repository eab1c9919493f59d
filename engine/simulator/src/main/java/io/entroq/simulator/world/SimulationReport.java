package io.entroq.simulator.world;

import io.entroq.simulator.fault.FaultKind;
import java.util.Map;
import java.util.Optional;

/**
 * What became of a world. Immutable.
 *
 * @param config what it was made from
 * @param hours how many have passed in it
 * @param steps how many events there were
 * @param requests how many requests clients have sent, resends included
 * @param commits how many Modifies were done, as far as those know who have sent them: clients and
 *     workers
 * @param faults how much trouble of each kind there was; kinds that never were are left out
 * @param traceHash 16 hexadecimal digits over all that happened
 * @param failure what went wrong; empty if nothing did
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

  /** Whether something went wrong here and in another world, and both are of one kind. */
  public boolean hasSameFailure(SimulationReport other) {
    return failure.isPresent()
        && other.failure.isPresent()
        && failure.get().kind().equals(other.failure.get().kind());
  }
}
