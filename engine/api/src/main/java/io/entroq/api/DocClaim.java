package io.entroq.api;

import io.entroq.codec.wire.Times;
import java.time.Duration;

/**
 * A request for all docs of one key under a lease, all or none. It never waits. A claimant may
 * claim docs it already holds, which renews their lease. Immutable; the {@code with} methods return
 * altered copies.
 *
 * @param namespace the namespace of the docs, 1 to 1,024 bytes of UTF-8
 * @param key the exact key, up to 1,024 bytes of UTF-8; may be empty
 * @param lease how long the claimant holds the docs: zero or more, in whole milliseconds
 * @param claimant who claims; if empty, the {@linkplain EntroQ#claimant() claimant of the EntroQ}
 */
public record DocClaim(String namespace, String key, Duration lease, String claimant) {
  /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
  public DocClaim {
    Checks.namespace(namespace);
    Checks.docKey("key", key);
    Checks.notNegative("lease", lease);
    Checks.claimant(claimant);
  }

  /** Claims the docs of a key for 45 seconds. */
  public static DocClaim of(String namespace, String key) {
    return new DocClaim(namespace, key, Claim.DEFAULT_LEASE, "");
  }

  public DocClaim withLease(Duration newLease) {
    return new DocClaim(namespace, key, newLease, claimant);
  }

  public DocClaim withClaimant(String newClaimant) {
    return new DocClaim(namespace, key, lease, newClaimant);
  }

  public long leaseMs() {
    return Times.toMs(lease);
  }
}
