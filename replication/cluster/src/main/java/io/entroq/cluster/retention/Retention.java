package io.entroq.cluster.retention;

import java.time.Duration;
import java.util.Objects;

/**
 * When snapshots are taken, and how much log is kept for members that are away. The same for all
 * members, so that it does not matter who leads.
 *
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much since the last one,
 *     or by half of what that one takes if this is more; 64 KiB or more
 * @param snapshotInterval and when something has been written and this has passed; a millisecond or
 *     more
 * @param logBytesMax how much log is kept for members that do not report a snapshot, because they
 *     are down or cannot take one; beyond it, and beyond twice what a snapshot takes, they need a
 *     new beginning. At least four times {@code snapshotLogBytes}
 */
public record Retention(long snapshotLogBytes, Duration snapshotInterval, long logBytesMax) {
  /** For ordinary use: 128 MiB, ten minutes, 16 GiB. */
  public static final Retention DEFAULT =
      new Retention(128L << 20, Duration.ofMinutes(10), 16L << 30);

  private static final long SNAPSHOT_LOG_BYTES_LEAST = 64 << 10;
  private static final int LOGS_LEAST = 4;

  /** Checks the ranges. */
  public Retention {
    Objects.requireNonNull(snapshotInterval, "snapshotInterval");
    requireAtLeast("snapshotLogBytes", snapshotLogBytes, SNAPSHOT_LOG_BYTES_LEAST);
    requireAtLeast("snapshotInterval in milliseconds", snapshotInterval.toMillis(), 1);
    requireAtLeast("logBytesMax", logBytesMax / LOGS_LEAST, snapshotLogBytes);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          name.equals("logBytesMax")
              ? "logBytesMax must be at least %d times snapshotLogBytes, which is %,d"
                  .formatted(LOGS_LEAST, least)
              : "%s is %,d; it must be at least %,d".formatted(name, value, least));
    }
  }
}
