package io.entroq.perf.disk;

import java.util.Locale;

/**
 * How a directory stands at one moment.
 *
 * @param seconds since the beginning
 * @param phase what is happening to the tasks
 * @param diskBytes blocks that are allocated
 * @param lengthBytes lengths of the files
 * @param liveBytes what a snapshot of the state would take
 * @param tasks how many there are
 */
record DiskSample(
    double seconds, Phase phase, long diskBytes, long lengthBytes, long liveBytes, long tasks) {
  private static final int DISK_PER_LIVE_MAX = 4;
  private static final long DISK_BYTES_FREE = 1L << 30;
  private static final double MIB = 1 << 20;

  /** How many bytes the disk may hold. */
  long boundBytes() {
    return DISK_PER_LIVE_MAX * liveBytes + DISK_BYTES_FREE;
  }

  boolean isWithinBound() {
    return diskBytes <= boundBytes();
  }

  /** How near the bound it is; above 1 it is broken. */
  double shareOfBound() {
    return (double) diskBytes / boundBytes();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "after %.1f s, in phase %s: %.1f MiB on disk (lengths %.1f MiB), %.1f MiB live in %,d"
            + " tasks, bound %.1f MiB",
        seconds,
        phase,
        diskBytes / MIB,
        lengthBytes / MIB,
        liveBytes / MIB,
        tasks,
        boundBytes() / MIB);
  }
}
