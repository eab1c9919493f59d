package io.entroq.service.limit;

import java.time.Duration;

/**
 * The shortest and the longest lease that a claim gets, and the lease of a claim that asks for none
 * (protocol 2, 3.8). Renewals are not bounded.
 *
 * @param standardMs the lease of a claim without a duration, from the floor to the ceiling
 * @param floorMs at least 1
 * @param ceilingMs at most {@link #MAX}
 */
public record LeaseBounds(long standardMs, long floorMs, long ceilingMs) {
  /** Longer leases are taken for a unit error. */
  public static final Duration MAX = Duration.ofDays(30);

  /** Those of EntroQ's own server. */
  public static final LeaseBounds DEFAULT =
      of(Duration.ofSeconds(45), Duration.ofSeconds(45), Duration.ofHours(1));

  /** Checks the bounds. */
  public LeaseBounds {
    if (floorMs < 1 || floorMs > ceilingMs || ceilingMs > MAX.toMillis()) {
      throw new IllegalArgumentException(
          "leases from %d ms to %d ms: expected from 1 ms to %d ms"
              .formatted(floorMs, ceilingMs, MAX.toMillis()));
    }
    if (standardMs < floorMs || standardMs > ceilingMs) {
      throw new IllegalArgumentException(
          "default lease of %d ms: not from %d ms to %d ms"
              .formatted(standardMs, floorMs, ceilingMs));
    }
  }

  /** Bounds with a default lease, which is adjusted to them. */
  public static LeaseBounds of(Duration standard, Duration floor, Duration ceiling) {
    long standardMs = Math.min(Math.max(standard.toMillis(), floor.toMillis()), ceiling.toMillis());
    return new LeaseBounds(standardMs, floor.toMillis(), ceiling.toMillis());
  }

  /** The lease that a claim gets in milliseconds, for a duration of 0 or more; 0: none given. */
  public long granted(long requestedMs) {
    return requestedMs == 0 ? standardMs : Math.min(Math.max(requestedMs, floorMs), ceilingMs);
  }
}
