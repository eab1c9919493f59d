package io.entroq.cluster.retention;

import java.time.Duration;
import java.util.Objects;

/**
 * When snapshots are taken, and how much log is kept for members that are away. The same for all
 * members, so that it does not matter which one leads.
 *
 * @param snapshotLogBytes a snapshot is due when the log has grown by this much since the last one,
 *     or by half of the last one's size if that is more; at least 64 KiB
 * @param snapshotInterval a snapshot is also due after this time if anything was written; at least
 *     a millisecond
 * @param logBytesMax how much log is kept for members that report no snapshot, because they are
 *     down or cannot take one; twice the size of a snapshot if that is more. Members that miss more
 *     must be replaced. At least four times {@code snapshotLogBytes}
 */
public record Retention(long snapshotLogBytes, Duration snapshotInterval, long logBytesMax) {
  /** 128 MiB, ten minutes, 16 GiB. */
  public static final Retention DEFAULT =
      new Retention(128L << 20, Duration.ofMinutes(10), 16L << 30);

  private static final long SNAPSHOT_LOG_BYTES_LEAST = 64 << 10;
  private static final int LOGS_LEAST = 4;

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
              ? "logBytesMax must be at least %d times snapshotLogBytes, %,d"
                  .formatted(LOGS_LEAST, least)
              : "%s must be at least %,d, is %,d".formatted(name, least, value));
    }
  }
}
