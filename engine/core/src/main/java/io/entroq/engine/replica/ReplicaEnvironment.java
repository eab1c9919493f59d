package io.entroq.engine.replica;

import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a replica takes from its machine besides the wall clock. A simulated world supplies its own.
 *
 * @param random source of identities and ids
 * @param nanoTime monotonic time for intervals, in nanoseconds from any origin; any thread of the
 *     engine
 */
public record ReplicaEnvironment(RandomGenerator random, LongSupplier nanoTime) {
  /** Nothing is null. */
  public ReplicaEnvironment {
    Objects.requireNonNull(random, "random");
    Objects.requireNonNull(nanoTime, "nanoTime");
  }

  /** The environment of every replica outside simulated worlds. */
  public static ReplicaEnvironment ofThisMachine() {
    return new ReplicaEnvironment(new SecureRandom(), System::nanoTime);
  }
}
