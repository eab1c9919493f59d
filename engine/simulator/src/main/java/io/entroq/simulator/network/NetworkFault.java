package io.entroq.simulator.network;

import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.SeededRandom;

/**
 * One kind of network fault with its own random numbers, so that disabling it leaves the others
 * unchanged. Counts its occurrences.
 */
final class NetworkFault {
  private final FaultKind kind;
  private final Faults faults;
  private final SeededRandom random;
  private final int perMillion;

  NetworkFault(FaultKind kind, NetworkConfig config, SeededRandom random, Faults faults) {
    this.kind = kind;
    this.faults = faults;
    this.random = random.fork(kind.label());
    this.perMillion = faults.isOn(kind) ? config.perMillion(kind) : 0;
  }

  /** Whether the next message is hit; if so, the fault is counted. */
  boolean happens() {
    if (perMillion == 0 || random.below(NetworkConfig.MILLION) >= perMillion) {
      return false;
    }
    faults.count(kind);
    return true;
  }

  /** A random duration, bounds included. */
  long drawNs(long leastNs, long mostNs) {
    return random.between(leastNs, mostNs);
  }
}
