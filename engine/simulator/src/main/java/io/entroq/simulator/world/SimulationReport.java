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
 * @param commits how many records the log has got
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
    Optional<Failure> failure) {}
