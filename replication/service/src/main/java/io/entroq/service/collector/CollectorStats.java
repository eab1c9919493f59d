package io.entroq.service.collector;

/**
 * What a collector has done since it was started.
 *
 * @param deleted tasks and docs
 * @param malformed names with a {@code gc=} that cannot be read, counted when first seen
 * @param failures sweeps that a failure ended
 * @param sweeps that looked at all names or failed
 * @param sweepNs nanoseconds that they took
 */
public record CollectorStats(
    long deleted, long malformed, long failures, long sweeps, long sweepNs) {
  public static final CollectorStats NONE = new CollectorStats(0, 0, 0, 0, 0);
}
