package io.entroq.simulator.host;

import io.entroq.simulator.virtual.SeededRandom;

/**
 * Limits of a simulated engine, so small that segments roll, snapshots are taken and bounds are
 * reached in a short time.
 *
 * @param segmentBytes size of the log's segments
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much
 * @param snapshotIntervalMs a snapshot is also due after this time if the log has grown
 * @param memoryBytesMax bound of the memory for tasks
 * @param unforcedMax how many unforced records stop execution, if replies wait for forces
 * @param forceNs longest time of a force
 * @param diskBytes size of the disk
 * @param diskLowBytes free space that inserts leave
 * @param diskFullBytes free space that all writes of callers leave
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

  /** Random limits. */
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
