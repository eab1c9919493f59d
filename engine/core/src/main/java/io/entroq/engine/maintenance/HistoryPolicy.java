package io.entroq.engine.maintenance;

import java.time.Duration;

/**
 * How much of the past a data directory keeps beyond what its next start needs. The past is kept as
 * far as both bounds allow, in whole steps: from one kept snapshot to the next. Immutable.
 *
 * @param age every state of this time before the newest snapshot can be restored; 0: none
 * @param bytes most bytes of log and snapshots that are kept for it; 0: none
 */
public record HistoryPolicy(Duration age, long bytes) {
  private static final Duration AGE_MAX = Duration.ofDays(36_600);

  /** Nothing is kept. */
  public static final HistoryPolicy OFF = new HistoryPolicy(Duration.ZERO, 0);

  /** What a console shows without being asked for more: an hour or 1 GiB, whichever is less. */
  public static final HistoryPolicy OF_CONSOLE = new HistoryPolicy(Duration.ofHours(1), 1L << 30);

  private static final Duration GAP_MAX = Duration.ofHours(1);
  private static final long GAP_BYTES_MAX = 1L << 30;
  private static final long GAP_BYTES_LEAST = 256L << 20;

  /** Between these, there is so much more log than the snapshot takes. */
  private static final long LOG_PER_SNAPSHOT = 2;

  /** At least so many snapshots are spread over what is kept. */
  private static final int GAPS = 4;

  /** Throws {@link IllegalArgumentException} if a component is out of range. */
  public HistoryPolicy {
    if (age.isNegative() || age.compareTo(AGE_MAX) > 0) {
      throw new IllegalArgumentException("age must be 0 to %s, is %s".formatted(AGE_MAX, age));
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative, is %,d".formatted(bytes));
    }
  }

  /** Keeps the past of a time, whatever it takes. */
  public static HistoryPolicy ofAge(Duration age) {
    return new HistoryPolicy(age, Long.MAX_VALUE);
  }

  /** Keeps as much as fits into so many bytes. */
  public static HistoryPolicy ofBytes(long bytes) {
    return new HistoryPolicy(AGE_MAX, bytes);
  }

  /** Whether anything is kept. */
  public boolean isOn() {
    return !age.isZero() && bytes > 0;
  }

  /** Whether there is a bound other than the bytes. */
  public boolean hasAge() {
    return age.compareTo(AGE_MAX) < 0;
  }

  /** A snapshot is kept if so much time has passed since the kept one before, in milliseconds. */
  long gapMs() {
    return Math.min(GAP_MAX.toMillis(), age.toMillis() / GAPS);
  }

  /**
   * A snapshot is also kept if the log has grown by so many bytes since the kept one before. Small
   * ones are kept closer, so that there is less to replay after them.
   *
   * @param snapshotBytes of that snapshot
   */
  long gapBytes(long snapshotBytes) {
    long worth = Math.max(GAP_BYTES_LEAST, LOG_PER_SNAPSHOT * snapshotBytes);
    return Math.min(Math.min(GAP_BYTES_MAX, worth), bytes / GAPS);
  }
}
