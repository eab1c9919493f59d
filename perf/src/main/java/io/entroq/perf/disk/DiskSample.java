package io.entroq.perf.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A directory at one moment.
 *
 * @param seconds since the start
 * @param diskBytes allocated blocks
 * @param lengthBytes lengths of the files
 * @param liveBytes the size of a snapshot of the state
 */
record DiskSample(
    double seconds, Phase phase, long diskBytes, long lengthBytes, long liveBytes, long tasks) {
  private static final int DISK_PER_LIVE_MAX = 4;
  private static final long DISK_BYTES_BASE = 1L << 30;
  private static final double MIB = 1 << 20;

  long boundBytes() {
    return DISK_PER_LIVE_MAX * liveBytes + DISK_BYTES_BASE;
  }

  boolean isWithinBound() {
    return diskBytes <= boundBytes();
  }

  /** Above 1 the bound is exceeded. */
  double shareOfBound() {
    return (double) diskBytes / boundBytes();
  }

  /** Writes samples as a file for spreadsheets. */
  static void writeCsv(List<DiskSample> samples, Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("seconds,phase,disk_bytes,length_bytes,live_bytes,bound_bytes,tasks");
    samples.forEach(sample -> lines.add(sample.csv()));
    Files.write(file, lines);
  }

  private String csv() {
    return String.format(
        Locale.ROOT,
        "%.1f,%s,%d,%d,%d,%d,%d",
        seconds,
        phase,
        diskBytes,
        lengthBytes,
        liveBytes,
        boundBytes(),
        tasks);
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
