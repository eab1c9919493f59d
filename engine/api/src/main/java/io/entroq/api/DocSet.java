package io.entroq.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * All docs of one key in a namespace, which have one version and one holder, as it was when it was
 * claimed or changed. Immutable.
 *
 * <p>Every modification that writes to a set, however often, and every claim adds one to its
 * version. A modification also ends the lease of the sets it writes to, unless it says how long it
 * holds them. A set may be claimed before it has docs.
 *
 * @param namespace the namespace
 * @param key the key of its docs
 * @param version 0 when its first doc is inserted, 1 when it is claimed before
 * @param claimant who holds the set until its arrival time; empty if nobody does
 * @param arrivalTime the end of the lease if the set was claimed; otherwise when it was last made
 *     available
 * @param docs number of its docs
 */
public record DocSet(
    String namespace, String key, int version, String claimant, Instant arrivalTime, int docs) {
  public DocSet {
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(claimant, "claimant");
    Objects.requireNonNull(arrivalTime, "arrivalTime");
  }

  /** This set at this version. */
  public Ref ref() {
    return new Ref(namespace, key, version);
  }

  /** Whether anybody holds the set at a time of the engine's clock. */
  public boolean isHeldAt(Instant time) {
    return arrivalTime.isAfter(time) && !claimant.isEmpty();
  }

  /**
   * A set at a version, as a lease change or a dependency names it.
   *
   * @param namespace 1 to 1,024 bytes of UTF-8
   * @param key 1 to 1,024 bytes of UTF-8
   * @param version the version, from 0
   */
  public record Ref(String namespace, String key, int version) {
    /** Throws {@link EntroQException.InvalidArgument} if a component is out of range. */
    public Ref {
      Checks.namespace(namespace);
      Checks.setKey(key);
      Checks.inRange("version", version, 0, Integer.MAX_VALUE);
    }

    /** Whether both name the same set, perhaps at different versions. */
    public boolean isSameSet(Ref other) {
      return namespace.equals(other.namespace) && key.equals(other.key);
    }

    @Override
    public String toString() {
      return namespace + "/" + key + "@" + version;
    }
  }

  /**
   * A set whose lease to change.
   *
   * @param set the set and the version it must have; others must not hold it
   * @param lease how long the requester holds the set from now on; zero releases it
   */
  public record LeaseChange(Ref set, Duration lease) {
    /** Throws {@link EntroQException.InvalidArgument} if the lease is negative. */
    public LeaseChange {
      Objects.requireNonNull(set, "set");
      Checks.notNegative("lease", lease);
    }
  }
}
