package io.entroq.engine.maintenance;

import java.time.Duration;
import java.util.Objects;

/**
 * When snapshots are taken, and how much of the past is kept.
 *
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much since the last one,
 *     or by half of the live bytes if that is more; 64 KiB or more
 * @param snapshotInterval a snapshot is also due when the log has grown at all and this time has
 *     passed; a millisecond or more
 * @param readerBytesMax bytes of log kept at most for a registered reader; 0 or more
 * @param history how much of the past is kept
 */
public record MaintenanceConfig(
    long snapshotLogBytes, Duration snapshotInterval, long readerBytesMax, HistoryPolicy history) {
  /** 256 MiB, ten minutes, 1 GiB, no history. */
  public static final MaintenanceConfig DEFAULT =
      new MaintenanceConfig(256L << 20, Duration.ofMinutes(10), 1L << 30, HistoryPolicy.OFF);

  private static final long SNAPSHOT_LOG_BYTES_LEAST = 64 << 10;

  /** Throws {@link IllegalArgumentException} if a component is out of range. */
  public MaintenanceConfig {
    requireAtLeast("snapshotLogBytes", snapshotLogBytes, SNAPSHOT_LOG_BYTES_LEAST);
    requireAtLeast("snapshotInterval in milliseconds", snapshotInterval.toMillis(), 1);
    requireAtLeast("readerBytesMax", readerBytesMax, 0);
    Objects.requireNonNull(history, "history");
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s is %,d; it must be at least %,d".formatted(name, value, least));
    }
  }
}
