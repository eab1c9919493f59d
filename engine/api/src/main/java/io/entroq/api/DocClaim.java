package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;

/**
 * Asks for all docs of one key under a lease: all of them or none. It never waits. Whoever holds
 * docs already may claim them again, which renews the lease. Immutable; the {@code with} methods
 * return altered copies.
 *
 * @param namespace where the docs are, 1 to 1,024 bytes
 * @param key the whole key; may be empty, up to 1,024 bytes
 * @param lease how long the docs are the claimant's: zero or more, milliseconds are kept
 * @param claimant who asks; empty: the {@linkplain EntroQ#claimant() claimant of the EntroQ} that
 *     is asked
 */
public record DocClaim(String namespace, String key, Duration lease, String claimant) {
  /**
   * Checks the components.
   *
   * @throws EntroQException.InvalidArgument if one is out of its range
   */
  public DocClaim {
    Checks.namespace(namespace);
    Checks.docKey("key", key);
    Checks.notNegative("lease", lease);
    Checks.claimant(claimant);
  }

  /** Claims the docs of a key for 30 seconds. */
  public static DocClaim of(String namespace, String key) {
    return new DocClaim(namespace, key, Claim.DEFAULT_LEASE, "");
  }

  /** The same with another lease. */
  public DocClaim withLease(Duration newLease) {
    return new DocClaim(namespace, key, newLease, claimant);
  }

  /** The same in the name of another claimant. */
  public DocClaim withClaimant(String newClaimant) {
    return new DocClaim(namespace, key, lease, newClaimant);
  }

  /** The lease in milliseconds. */
  public long leaseMs() {
    return Times.toMs(lease);
  }
}
