package io.entroq.perf.disk;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Samples as a file that any spreadsheet reads. */
final class SampleCsv {
  private SampleCsv() {}

  static void write(List<DiskSample> samples, Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("seconds,phase,disk_bytes,length_bytes,live_bytes,bound_bytes,tasks\n");
      for (DiskSample sample : samples) {
        out.write(line(sample));
      }
    }
  }

  private static String line(DiskSample sample) {
    return String.format(
        Locale.ROOT,
        "%.1f,%s,%d,%d,%d,%d,%d%n",
        sample.seconds(),
        sample.phase(),
        sample.diskBytes(),
        sample.lengthBytes(),
        sample.liveBytes(),
        sample.boundBytes(),
        sample.tasks());
  }
}
