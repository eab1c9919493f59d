package io.entroq.simulator.host;

import io.entroq.simulator.virtual.SeededRandom;

/**
 * Sizes of a simulated engine: so small that in a short time segments roll, snapshots are taken,
 * and bounds are met.
 *
 * @param segmentBytes of the log
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much
 * @param snapshotIntervalMs and when it has grown at all and this has passed
 * @param memoryBytesMax how much memory tasks may take
 * @param unforcedMax how many records may be unforced, where replies wait for forces, before
 *     nothing more is executed
 * @param forceNs how long a force takes at most
 * @param diskBytes what the disk holds
 * @param diskLowBytes how much of it what inserts leaves free
 * @param diskFullBytes how much of it all that callers write leaves free
 */
public record EngineLimits(
    int segmentBytes,
    long snapshotLogBytes,
    long snapshotIntervalMs,
    long memoryBytesMax,
    int unforcedMax,
    long forceNs,
    long diskBytes,
    long diskLowBytes,
    long diskFullBytes) {
  private static final int KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long MILLISECOND = 1_000_000;

  /** Limits as chance will have them. */
  public static EngineLimits of(SeededRandom random) {
    return new EngineLimits(
        (64 * KIB) << random.below(3),
        (1 + random.below(8)) * MIB,
        random.between(60_000, 900_000),
        (random.oneIn(8) ? 26 + random.below(8) : 48 + random.below(48)) * MIB,
        (int) random.between(8, 512),
        random.oneIn(3) ? random.between(10, 200) * MILLISECOND : 3 * MILLISECOND,
        512 * MIB,
        64 * MIB,
        32 * MIB);
  }
}
