package io.entroq.engine.maintenance;

import java.time.Duration;

/**
 * When snapshots are taken and how much others may keep.
 *
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much since the last one,
 *     or by half of what is live if that is more; 64 KiB or more
 * @param snapshotInterval and when it has grown at all and this has passed; a millisecond or more
 * @param readerBytesMax how many bytes of the log a registered reader may hold back; 0 or more
 */
public record MaintenanceConfig(
    long snapshotLogBytes, Duration snapshotInterval, long readerBytesMax) {
  /** For ordinary use: 256 MiB, ten minutes, 1 GiB. */
  public static final MaintenanceConfig DEFAULT =
      new MaintenanceConfig(256L << 20, Duration.ofMinutes(10), 1L << 30);

  private static final long SNAPSHOT_LOG_BYTES_LEAST = 64 << 10;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if one is left
   */
  public MaintenanceConfig {
    requireAtLeast("snapshotLogBytes", snapshotLogBytes, SNAPSHOT_LOG_BYTES_LEAST);
    requireAtLeast("snapshotInterval in milliseconds", snapshotInterval.toMillis(), 1);
    requireAtLeast("readerBytesMax", readerBytesMax, 0);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s is %,d; it must be at least %,d".formatted(name, value, least));
    }
  }
}
