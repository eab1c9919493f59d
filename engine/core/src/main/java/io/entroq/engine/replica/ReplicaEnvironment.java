package io.entroq.engine.replica;

import java.security.SecureRandom;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a replica takes from the machine it runs on besides the wall clock. A simulated world brings
 * its own.
 *
 * @param random where the names of the engine and of what it makes come from
 * @param nanoTime the time by which intervals pass, in nanoseconds from any origin, never going
 *     back; any thread of the engine
 */
public record ReplicaEnvironment(RandomGenerator random, LongSupplier nanoTime) {
  /** Nothing is null. */
  public ReplicaEnvironment {
    Objects.requireNonNull(random, "random");
    Objects.requireNonNull(nanoTime, "nanoTime");
  }

  /** Those of every replica outside simulated worlds. */
  public static ReplicaEnvironment ofThisMachine() {
    return new ReplicaEnvironment(new SecureRandom(), System::nanoTime);
  }
}
