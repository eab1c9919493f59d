package io.entroq.engine.replica;

import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a replica takes from its machine, except the wall clock. Simulations supply their own.
 *
 * @param random source of identities and ids
 * @param nanoTime monotonic time for intervals, in nanoseconds from any origin; any thread of the
 *     engine
 */
public record ReplicaEnvironment(RandomGenerator random, LongSupplier nanoTime) {
  public ReplicaEnvironment {
    Objects.requireNonNull(random, "random");
    Objects.requireNonNull(nanoTime, "nanoTime");
  }

  /** The environment of every replica that is not simulated. */
  public static ReplicaEnvironment ofThisMachine() {
    return new ReplicaEnvironment(new SecureRandom(), System::nanoTime);
  }
}
