package io.entroq.simulator.model;

import io.entroq.codec.wire.log.Claim;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A parked claim (core 4.5).
 *
 * @param sequence the record that asked; the lower, the longer it waits
 * @param claim what it asks for
 * @param queues its queues, each once
 */
record Waiter(long sequence, Claim claim, Set<String> queues) {
  Waiter(long sequence, Claim claim) {
    this(sequence, claim, new LinkedHashSet<>(claim.getQueuesList()));
  }

  Key client() {
    return Key.of(claim.getIdentity());
  }

  long number() {
    return claim.getIdentity().getNumber();
  }

  boolean hasDeadline() {
    return claim.getDeadlineMs() != 0;
  }
}
